import assert from "node:assert/strict";
import { test } from "node:test";

import { asked, step } from "../../../static/js/agreement/steps.js";

test("J goes on and K back, past neither end", () => {
  const table = [
    [-1, "j", 3, 0],
    [0, "j", 3, 1],
    [2, "j", 3, 2],
    [2, "k", 3, 1],
    [0, "k", 3, 0],
    [-1, "k", 3, 0],
    [1, "x", 3, 1],
  ];

  for (const [at, key, count, wanted] of table) assert.equal(step(at, key, count), wanted, `${key} at ${at}`);
});

test("without passages nothing is stepped to", () => {
  assert.equal([][step(-1, "j", 0)], undefined);
  assert.equal([][step(-1, "k", 0)], undefined);
});

test("a step is asked for by the bare key, in either case", () => {
  assert.equal(asked({ key: "j" }, false), "j");
  assert.equal(asked({ key: "K" }, false), "k");
});

test("no step is asked for while somebody types, with a modifier, or by another key", () => {
  assert.equal(asked({ key: "j" }, true), "");
  for (const held of ["ctrlKey", "altKey", "metaKey"]) assert.equal(asked({ key: "j", [held]: true }, false), "");
  assert.equal(asked({ key: "Enter" }, false), "");
});
