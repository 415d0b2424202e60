import assert from "node:assert/strict";
import { test } from "node:test";

import { clean, hasSeparator, key, lines, listed, refusedSpan, refusedSubstitutes, split, tidy } from "../../../static/js/workbench/rules.js";
import { HOO, LEXSUB, SWS } from "./presets.js";

const chips = (...texts) => texts.map((text) => ({ text, type: "R", via: "typed" }));
const mark = (start, end, quote) => ({ start, end, quote, note: "", unsure: false, substitutes: chips("x") });

test("tidying trims, and makes one space of any white space", () => {
  assert.equal(tidy("  very \t\n large\u00a0\u3000dog ", SWS), "very large dog");
  assert.equal(tidy(" \u00a0 ", SWS), "");
});

test("substitutes are parted at semicolons, tidied, and empty ones dropped", () => {
  assert.deepEqual(split(" large ;; very  big; ", SWS), ["large", "very big"]);
  assert.deepEqual(split(" ; ", SWS), []);
});

test("full-width and Arabic semicolons part too", () => {
  assert.deepEqual(split("大きい；巨大", SWS), ["大きい", "巨大"]);
  assert.deepEqual(split("كبير؛ ضخم", SWS), ["كبير", "ضخم"]);
});

test("another separator parts instead, and a semicolon is then a character like any other", () => {
  assert.deepEqual(split("this; that|other", { ...SWS, separator: "|" }), ["this; that", "other"]);
  assert.deepEqual(split("this、that, other；", { ...SWS, separator: "," }), ["this", "that", "other；"]);
  assert.deepEqual(split("one || two | three", { ...SWS, separator: "||" }), ["one", "two | three"]);
});

test("a separator is seen as it is typed, where there is one", () => {
  assert.ok(hasSeparator("large;", SWS));
  assert.ok(hasSeparator("大；", SWS));
  assert.ok(!hasSeparator("large, big", SWS));
  assert.ok(!hasSeparator("large;", HOO));
});

test("without a separator every sign and space is part of the correction", () => {
  for (const text of ["both ", ". The", ";", " ", "a ;  b"]) assert.deepEqual(split(text, HOO), [text]);
  assert.deepEqual(split("", HOO), []);
});

test("what is taken to the letter still loses what no stored text may hold", () => {
  assert.equal(tidy(" a\u0007b \ud800 ", HOO), " ab  ");
});

test("two substitutes are the same whatever their case, spaces, quotes or composition", () => {
  assert.equal(key(" Don’t  Know", SWS), key("don't know", SWS));
  assert.equal(key("“big”", SWS), key('"BIG"', SWS));
  assert.equal(key("cafe\u0301", SWS), key("CAFÉ", SWS));
});

test("corrections are the same only to the letter, whatever their composition", () => {
  assert.equal(key("cafe\u0301", HOO), key("café", HOO));
  for (const [one, other] of [["both ", "both"], ["The", "the"], ["don’t", "don't"], ["a  b", "a b"]]) assert.notEqual(key(one, HOO), key(other, HOO));
});

test("two substitutes with other letters or accents are not the same", () => {
  assert.notEqual(key("cafe", SWS), key("café", SWS));
  assert.notEqual(key("big dog", SWS), key("bigdog", SWS));
});

test("what no stored text may hold is taken out of what is typed or pasted", () => {
  assert.equal(tidy(" a\u0007b \u0000\n c\ud800 ", SWS), "ab c");
  assert.equal(tidy("👩‍👩‍👧 é", SWS), "👩‍👩‍👧 é");
  assert.equal(clean("one\r\ntwo\u0007"), "one\ntwo");
});

test("lines and cells of what is pasted are substitutes of their own", () => {
  assert.deepEqual(lines("large\r\nbig\thuge\n", SWS), ["large", "big", "huge"]);
  assert.deepEqual(lines("very large ", SWS), ["very large"]);
});

test("of what is taken to the letter only lines are, with their spaces", () => {
  assert.deepEqual(lines("both \r\n. The\n;\n", HOO), ["both ", ". The", ";"]);
  assert.deepEqual(lines("a\tb ", HOO), ["a\tb "]);
});

test("substitutes in one line read as they are typed, or each by itself", () => {
  assert.equal(listed(["large", "big"], SWS), "large; big");
  assert.equal(listed(["both ", ";"], HOO), "“both ”, “;”");
  assert.equal(listed([], SWS), "");
});

test("the fourth of three substitutes is refused, with a word on what to do", () => {
  const three = chips("a", "b", "c");

  assert.equal(refusedSubstitutes(three, chips("a", "b"), LEXSUB), "");
  assert.equal(refusedSubstitutes([...three, ...chips("d")], three, LEXSUB), "3 substitutes are the most here: remove one first.");
  assert.match(refusedSubstitutes(chips("a", "b"), chips("a"), { ...LEXSUB, max_substitutes: 1 }), /^One substitute is the most/u);
});

test("where any number is taken, the number the server stores is the most", () => {
  const many = chips(...Array.from({ length: SWS.lengths.substitutes + 1 }, (_, index) => `s${index}`));

  assert.equal(refusedSubstitutes(many.slice(1), many.slice(2), SWS), "");
  assert.match(refusedSubstitutes(many, many.slice(1), SWS), /^50 substitutes are the most/u);
});

test("more than the rules take, given under earlier rules, can be edited and lessened", () => {
  const four = chips("a", "b", "c", "d");

  assert.equal(refusedSubstitutes(chips("a", "b", "c", "e"), four, LEXSUB), "");
  assert.equal(refusedSubstitutes(four.slice(1), four, LEXSUB), "");
});

test("a substitute that is too long is refused, counted in characters as the server counts", () => {
  const most = SWS.lengths.substitute;

  assert.equal(refusedSubstitutes(chips("😀".repeat(most)), [], SWS), "");
  assert.match(refusedSubstitutes(chips("😀".repeat(most + 1)), [], SWS), /has 201 characters: a substitute has 200 at most/u);
  assert.equal(refusedSubstitutes(chips("x".repeat(most + 1)), chips("x".repeat(most + 1)), SWS), "");
});

test("a mark over another is refused where marks may not overlap", () => {
  const answer = { marks: [mark(2, 5, "big")] };
  const over = { start: 2, end: 9, quote: "big dog" };

  assert.equal(refusedSpan(answer, over, SWS), "");
  assert.equal(refusedSpan(answer, over, HOO), "“big dog” would overlap the mark “big”: marks may not overlap here.");
  assert.equal(refusedSpan(answer, { start: 5, end: 9, quote: " dog" }, HOO), "");
});

test("a mark may grow over itself, but not onto another", () => {
  const [big, dog] = [mark(2, 5, "big"), mark(6, 9, "dog")];
  const over = { start: 2, end: 9, quote: "big dog" };

  assert.equal(refusedSpan({ marks: [big] }, over, HOO, big), "");
  assert.match(refusedSpan({ marks: [big, dog] }, over, HOO, big), /overlap the mark “dog”/u);
  assert.equal(refusedSpan({ marks: [big, dog] }, dog, SWS, big), "“dog” is marked already.");
  assert.equal(refusedSpan({ marks: [big, dog] }, big, SWS, big), "");
});

test("one mark more than the server stores is refused", () => {
  const marks = Array.from({ length: SWS.lengths.marks }, (_, index) => mark(index, index + 1, "x"));

  assert.equal(refusedSpan({ marks }, { start: 900, end: 901, quote: "y" }, SWS), "200 marks are the most.");
  assert.equal(refusedSpan({ marks: marks.slice(1) }, { start: 900, end: 901, quote: "y" }, SWS), "");
});
