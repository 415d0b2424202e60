import assert from "node:assert/strict";
import { test } from "node:test";

import { says } from "../../../static/js/exports/ticks.js";

test("ticked warnings are counted in words", () => {
  assert.equal(says(0, 1), "0 of 1 warning ticked");
  assert.equal(says(2, 3), "2 of 3 warnings ticked");
});
