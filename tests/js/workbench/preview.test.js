import assert from "node:assert/strict";
import { test } from "node:test";

import { preview, startsWithVowel, withArticle } from "../../../static/js/workbench/preview.js";
import { HOO, SWS } from "./presets.js";

const shown = (text, quote, substitute, lang = "en", rules = SWS) => {
  const points = Array.from(text);
  const start = Array.from(text.slice(0, text.indexOf(quote))).length;
  const found = preview(points, { start, end: start + Array.from(quote).length }, substitute, lang, rules);
  return `${found.before}[${found.text}]${found.after}`;
};

test("the substitute stands where the mark was", () => {
  assert.equal(shown("😀 It was a big day.", "big", "long"), "😀 It was a [long] day.");
});

test("a and an adapt", () => {
  assert.equal(shown("It was a good day.", "good", "excellent"), "It was an [excellent] day.");
  assert.equal(shown("An old man.", "old", "kind"), "A [kind] man.");
  assert.equal(shown("Es war a good.", "good", "excellent", "de"), "Es war a [excellent].");
});

test("a capital at the start of a sentence stays", () => {
  assert.equal(shown("Big dogs bark.", "Big", "large"), "[Large] dogs bark.");
  assert.equal(shown("So. Big dogs.", "Big", "large"), "So. [Large] dogs.");
  assert.equal(shown("We saw Rome.", "Rome", "it"), "We saw [it].");
});

test("what is taken to the letter changes nothing around it, and stays as it was typed", () => {
  assert.equal(shown("It was a good day.", "good", "excellent ", "en", HOO), "It was a [excellent ] day.");
  assert.equal(shown("Big dogs bark.", "Big", "large", "en", HOO), "[large] dogs bark.");
});

test("of a long passage only what is near is shown", () => {
  const text = `${"before ".repeat(20)}word${" after".repeat(20)}`;

  const found = shown(text, "word", "term");

  assert.match(found, /^….*\[term\].*…$/u);
  assert.ok(found.length < 120);
});

test("what sounds like a vowel", () => {
  for (const word of ["apple", "hour", "honest", "umbrella", "uninteresting", "onerous"]) assert.ok(startsWithVowel(word), word);
  for (const word of ["house", "university", "user", "European", "one", "once", "big"]) assert.ok(!startsWithVowel(word), word);
});

test("only an article that stands by itself adapts", () => {
  assert.equal(withArticle("a Visa ", "apple"), "a Visa ");
  assert.equal(withArticle("banana a ", "apple"), "banana an ");
});
