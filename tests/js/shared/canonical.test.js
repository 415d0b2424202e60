import assert from "node:assert/strict";
import { test } from "node:test";

import { canonical } from "../../../static/js/shared/canonical.js";

const EMPTY = { marks: [] };
const BIG = { start: 2, end: 5, quote: "big" };
const DOG = { start: 6, end: 9, quote: "dog" };
const mark = (span, ...texts) => ({ ...span, note: "", unsure: false, substitutes: texts.map((text) => ({ text, type: "refine-usage", via: "typed" })) });

test("answers are equal whatever the order of their keys", () => {
  assert.equal(canonical({ b: 1, a: { d: [], c: null } }), canonical({ a: { c: null, d: [] }, b: 1 }));
});

test("answers differ by the order of marks, for that is the order of entry", () => {
  assert.notEqual(canonical([mark(BIG), mark(DOG)]), canonical([mark(DOG), mark(BIG)]));
});

test("answers differ by any one value", () => {
  const marks = [mark(BIG), mark(BIG, "large"), mark(DOG), { ...mark(BIG), note: "?" }, { ...mark(BIG), unsure: true }];
  const values = [EMPTY, { none: true }, ...marks.map((one) => ({ marks: [one] }))];

  assert.equal(new Set(values.map(canonical)).size, values.length);
});

test("numbers, strings, true and null are never taken for one another", () => {
  const values = [1, "1", true, "true", null, "null", [], {}, "", [1], ["1"], { 1: 1 }];

  assert.equal(new Set(values.map(canonical)).size, values.length);
});

test("the canonical form is JSON that says the same, quotes and astral characters and all", () => {
  const value = { "ke\"y": ["😀", "a\\b", { z: 1, a: "\n" }] };

  assert.deepEqual(JSON.parse(canonical(value)), value);
});
