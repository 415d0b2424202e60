import assert from "node:assert/strict";
import { test } from "node:test";

import {
  EMPTY,
  findMark,
  marksOf,
  withDetail,
  withMark,
  withSpan,
  withSubstitutes,
  withoutMark,
} from "../../../static/js/workbench/answer.js";

const BIG = { start: 2, end: 5, quote: "big" };
const DOG = { start: 6, end: 9, quote: "dog" };
const BIG_DOG = { start: 2, end: 9, quote: "big dog" };
const sub = (text) => ({ text, type: "refine-usage", via: "typed" });
const mark = (span, ...texts) => ({ ...span, note: "", unsure: false, substitutes: texts.map(sub) });

/** The answer, frozen to the bottom: whatever changes it in place throws. */
function frozen(value) {
  if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

test("an answer of nothing to improve has no marks", () => {
  assert.deepEqual(marksOf({ none: true }), []);
  assert.deepEqual(marksOf(EMPTY), []);
});

test("a mark is found only by both its ends", () => {
  const answer = { marks: [mark(BIG), mark(DOG)] };

  assert.equal(findMark(answer, 6, 9), 1);
  assert.equal(findMark(answer, 2, 9), -1);
  assert.equal(findMark(answer, 6, 8), -1);
  assert.equal(findMark({ none: true }, 2, 5), -1);
});

test("the first substitute makes the mark", () => {
  assert.deepEqual(withSubstitutes(frozen({ marks: [] }), BIG, [sub("large")]), { marks: [mark(BIG, "large")] });
});

test("a new mark goes behind the others, for the order is that of entry", () => {
  const answer = withSubstitutes(frozen({ marks: [mark(DOG, "hound")] }), BIG, [sub("large")]);

  assert.deepEqual(answer.marks.map(({ quote }) => quote), ["dog", "big"]);
});

test("new substitutes keep the mark's place, its note and its doubt", () => {
  const noted = { ...mark(BIG, "large"), note: "?", unsure: true };

  const answer = withSubstitutes(frozen({ marks: [noted, mark(DOG, "hound")] }), BIG, [sub("huge"), sub("vast")]);

  assert.deepEqual(answer.marks, [{ ...noted, substitutes: [sub("huge"), sub("vast")] }, mark(DOG, "hound")]);
});

test("the mark goes with its last substitute, and no other mark with it", () => {
  const answer = frozen({ marks: [mark(BIG, "large"), mark(DOG, "hound")] });

  assert.deepEqual(withSubstitutes(answer, BIG, []), { marks: [mark(DOG, "hound")] });
});

test("a mark with a note outlives its last substitute", () => {
  const noted = { ...mark(BIG, "large"), note: "see A.1" };

  assert.deepEqual(withSubstitutes(frozen({ marks: [noted] }), BIG, []), { marks: [{ ...noted, substitutes: [] }] });
});

test("no substitutes for a span without a mark make no mark", () => {
  assert.deepEqual(withSubstitutes(frozen({ marks: [] }), BIG, []), { marks: [] });
});

test("marking a word takes back that there is nothing to improve", () => {
  assert.deepEqual(withSubstitutes(frozen({ none: true }), BIG, [sub("large")]), { marks: [mark(BIG, "large")] });
});

test("removing a mark leaves its overlapping neighbours", () => {
  const answer = frozen({ marks: [mark(BIG, "large"), mark(BIG_DOG, "hound"), mark(DOG, "cur")] });

  assert.deepEqual(withoutMark(answer, BIG_DOG), { marks: [mark(BIG, "large"), mark(DOG, "cur")] });
});

test("a mark moves to another span with all it holds and keeps its place", () => {
  const noted = { ...mark(BIG, "large"), note: "?", unsure: true };

  const answer = withSpan(frozen({ marks: [noted, mark(DOG, "hound")] }), BIG, BIG_DOG);

  assert.deepEqual(answer.marks, [{ ...noted, ...BIG_DOG }, mark(DOG, "hound")]);
});

test("moving a mark leaves another that begins at the same word", () => {
  const answer = frozen({ marks: [mark(BIG, "large"), mark(BIG_DOG, "hound")] });

  assert.deepEqual(withSpan(answer, BIG, DOG), { marks: [mark(DOG, "large"), mark(BIG_DOG, "hound")] });
});

test("a mark never moves onto another mark", () => {
  const answer = frozen({ marks: [mark(BIG, "large"), mark(DOG, "hound")] });

  assert.equal(withSpan(answer, BIG, DOG), answer);
});

test("a note keeps a mark that has no substitute, and a mark without either goes", () => {
  const noted = withDetail(EMPTY, BIG, { note: "hm", unsure: true });

  assert.deepEqual(noted.marks, [{ ...BIG, substitutes: [], note: "hm", unsure: true }]);
  assert.deepEqual(withDetail(noted, BIG, { note: "", unsure: true }), EMPTY);
  assert.equal(withDetail(EMPTY, BIG, { note: "", unsure: true }), EMPTY);
});

test("a fix puts another mark in the place of one", () => {
  const answer = { marks: [mark(BIG_DOG, "large dog"), mark(DOG, "hound")] };

  const fixed = withMark(answer, BIG_DOG, mark(BIG, "large"));

  assert.deepEqual(fixed.marks.map((item) => item.quote), ["big", "dog"]);
  assert.equal(withMark(answer, BIG, mark(DOG, "x")), answer);
});
