import assert from "node:assert/strict";
import { test } from "node:test";

import { when } from "../../../static/js/shared/when.js";

test("a moment is written as the pages of the server write it, in the project's time zone", () => {
  assert.equal(when("2026-07-03T00:05:09.123Z", "UTC"), "3 July 2026, 00:05");
  assert.equal(when("2026-07-03T00:05:09+00:00", "Asia/Kathmandu"), "3 July 2026, 05:50");
  assert.equal(when("2026-12-31T23:30:00Z", "Europe/Berlin"), "1 January 2027, 00:30");
});
