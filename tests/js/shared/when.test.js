import assert from "node:assert/strict";
import { test } from "node:test";

import { ago, when } from "../../../static/js/shared/when.js";

test("a moment is written as the pages of the server write it, in the project's time zone", () => {
  assert.equal(when("2026-07-03T00:05:09.123Z", "UTC"), "3 July 2026, 00:05");
  assert.equal(when("2026-07-03T00:05:09+00:00", "Asia/Kathmandu"), "3 July 2026, 05:50");
  assert.equal(when("2026-12-31T23:30:00Z", "Europe/Berlin"), "1 January 2027, 00:30");
});

test("how long ago, in the largest unit that fits", () => {
  const now = Date.parse("2026-07-03T12:00:00Z");
  const cases = [["2026-07-03T11:59:30Z", "just now"], ["2026-07-03T11:48:00Z", "12 minutes ago"], ["2026-07-03T10:30:00Z", "1 hour ago"], ["2026-06-30T12:00:00Z", "3 days ago"], ["2026-07-03T12:00:05Z", "just now"]];
  for (const [text, said] of cases) assert.equal(ago(text, now), said);
});
