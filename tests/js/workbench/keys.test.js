import assert from "node:assert/strict";
import { test } from "node:test";

import { hints, keyTable } from "../../../static/js/workbench/keys.js";
import { HOO, SWS } from "./presets.js";

const chipKey = (rules) => keyTable(rules).flatMap(([, rows]) => rows).find(([, what]) => what.startsWith("make a chip"))[0];

test("the help names the separator that works, and Enter alone where there is none", () => {
  assert.equal(chipKey(SWS), "`;` or `Enter`");
  assert.equal(chipKey({ ...SWS, separator: "|" }), "`|` or `Enter`");
  assert.equal(chipKey(HOO), "`Enter`");
});

test("so does the bar at the bottom", () => {
  assert.match(hints(SWS).field, /^`;` next substitute/u);
  assert.match(hints(HOO).field, /^`Enter` next substitute/u);
});
