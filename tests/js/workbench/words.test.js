import assert from "node:assert/strict";
import { test } from "node:test";

import { codePointIndex, slice } from "../../../static/js/workbench/offsets.js";
import { graphemeBorders, wordSpans } from "../../../static/js/workbench/words.js";

const wordsOf = (text, lang = "en", tokens = undefined) =>
  wordSpans(text, lang, tokens).map(({ start, end }) => slice(text, start, end));

// [the rule, language, text, words]
const EXAMPLES = [
  ["spaces and punctuation are not words", "en", "A big, old dog.", ["A", "big", "old", "dog"]],
  ["an inner hyphen joins", "en", "a long-term plan", ["a", "long-term", "plan"]],
  ["several inner hyphens join", "en", "state-of-the-art", ["state-of-the-art"]],
  ["the typographic hyphens join too", "en", "long‐term it‑self", ["long‐term", "it‑self"]],
  ["a straight apostrophe joins", "en", "I don't know", ["I", "don't", "know"]],
  ["a curly apostrophe joins", "en", "I don’t know", ["I", "don’t", "know"]],
  ["hyphen and apostrophe may meet in one word", "en", "the mother-in-law's hat", ["the", "mother-in-law's", "hat"]],
  ["an apostrophe at the end of a word stays outside", "en", "the dogs' bowl", ["the", "dogs", "bowl"]],
  ["quotation marks around a word stay outside", "en", "a 'big' dog", ["a", "big", "dog"]],
  ["a hyphen before a space stays outside", "en", "pre- and post-war", ["pre", "and", "post-war"]],
  ["a hyphen at either end of the text stays outside", "en", "-big-", ["big"]],
  ["a dash is no hyphen", "en", "big – old—very", ["big", "old", "very"]],
  ["a dash made of two hyphens does not join", "en", "big--old", ["big", "old"]],
  ["a no-break space parts words", "en", "10\u00a0km away", ["10", "km", "away"]],
  ["numbers are words with their points inside", "en", "3.5 of 1,000", ["3.5", "of", "1,000"]],
  ["combining marks belong to their letter", "fr", "un cafe\u0301 noir", ["un", "cafe\u0301", "noir"]],
  ["an emoji before a word does not move it", "en", "😀 big", ["big"]],
  ["an emoji after a word does not belong to it", "en", "big 😀", ["big"]],
  ["a family of emoji is no word and moves none", "en", "the 👩\u200d👩\u200d👧 family", ["the", "family"]],
  ["flags are no words and move none", "en", "🇩🇪🇫🇷 big", ["big"]],
  ["mathematical letters are letters", "en", "𝐀𝐁 and x𝒴", ["𝐀𝐁", "and", "x𝒴"]],
  ["hyphens join astral letters too", "en", "𝐀-𝐁 c", ["𝐀-𝐁", "c"]],
  ["Arabic", "ar", "قال: «مرحبًا يا عالم»؛", ["قال", "مرحبًا", "يا", "عالم"]],
  ["Hebrew, with marks inside its words", "he", "שָׁלוֹם ג׳ירפה", ["שָׁלוֹם", "ג׳ירפה"]],
  ["Arabic and English side by side", "ar", "كلمة word كلمة", ["كلمة", "word", "كلمة"]],
  ["Thai, which writes no spaces", "th", "ฉันรักภาษาไทย", ["ฉัน", "รัก", "ภาษา", "ไทย"]],
  ["Chinese, which writes no spaces", "zh", "我喜欢中文。", ["我", "喜欢", "中文"]],
  ["Japanese, which writes no spaces", "ja", "日本語が好き", ["日本語", "が", "好き"]],
  ["nothing in an empty text", "en", "", []],
  ["nothing in a text of punctuation", "en", "… – !", []],
];

const wordAt = (text, span) => (span ? slice(text, span.start, span.end) : "");

/** What stands before, between and after the words: one more than there are words. */
function gapsOf(text, spans) {
  const starts = [0, ...spans.map(({ end }) => end)];
  const ends = [...spans.map(({ start }) => start), codePointIndex(text)[text.length]];
  return starts.map((start, n) => slice(text, start, ends[n]));
}

for (const [rule, lang, text, words] of EXAMPLES) {
  test(`words: ${rule}`, () => {
    assert.deepEqual(wordsOf(text, lang), words);
  });

}

test("words stand in order, never overlap, and make the text again together with the gaps", () => {
  for (const [rule, lang, text] of EXAMPLES) {
    const spans = wordSpans(text, lang);

    spans.forEach(({ start, end }, n) => assert.ok(start < end && start >= (spans[n - 1]?.end ?? 0), rule));
    assert.equal(gapsOf(text, spans).reduce((whole, gap, n) => whole + gap + wordAt(text, spans[n]), ""), text, rule);
  }
});

test("no letter and no digit is left between the words", () => {
  for (const [rule, lang, text] of EXAMPLES) {
    assert.doesNotMatch(gapsOf(text, wordSpans(text, lang)).join(" "), /[\p{L}\p{N}]/u, rule);
  }
});

test("offsets are code points: a word behind an emoji begins where Python says", () => {
  assert.deepEqual(wordSpans("😀😀 big", "en"), [{ start: 3, end: 6 }]);
});

test("a text that begins and ends with astral letters has its first and last word at its very ends", () => {
  assert.deepEqual(wordSpans("𝐀 big 𝐁𝐁", "en"), [
    { start: 0, end: 1 },
    { start: 2, end: 5 },
    { start: 6, end: 8 },
  ]);
});

test("given tokens win over every rule of our own", () => {
  const text = "don't 😀-ab.";
  const tokens = [[0, 2], [2, 5], [6, 10], [10, 11]];

  assert.deepEqual(wordsOf(text, "en", tokens), ["do", "n't", "😀-ab", "."]);
  assert.deepEqual(wordSpans(text, "en", tokens)[2], { start: 6, end: 10 });
});

test("a passage given without any tokens has no words", () => {
  assert.deepEqual(wordSpans("a big dog", "en", []), []);
});

test("a passage whose tokens are null is segmented here", () => {
  assert.deepEqual(wordsOf("a big dog", "en", null), ["a", "big", "dog"]);
});

test("a language tag that is not one falls back to English instead of failing", () => {
  assert.deepEqual(wordsOf("I don't know", "no_such_tag!"), ["I", "don't", "know"]);
});

test("borders between what the eye sees as characters, in code points", () => {
  assert.deepEqual(graphemeBorders("a😀e\u0301b"), [0, 1, 2, 4, 5]);
  assert.deepEqual(graphemeBorders("👩\u200d👩\u200d👧"), [0, 5]);
  assert.deepEqual(graphemeBorders(""), [0]);
});
