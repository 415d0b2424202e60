import assert from "node:assert/strict";
import { test } from "node:test";

import { codePointIndex, slice } from "../../../static/js/workbench/offsets.js";

const FAMILY = "👩\u200d👩\u200d👧"; // 5 code points, 8 UTF-16 units
const FLAG = "🇩🇪"; // 2 code points, 4 units
const TEXTS = {
  "nothing at all": "",
  "plain letters": "a big dog",
  "an emoji in the middle": "a😀é b",
  "an astral character first": "😀 then words",
  "an astral character last": "words then 😀",
  "nothing but astral characters": "𝐀𝐁😀",
  "a family joined by zero-width joiners": `the ${FAMILY} went`,
  flags: `${FLAG}${FLAG} x`,
  "combining marks": "cafe\u0301 na\u0308ive",
  "no-break spaces": "10\u00a0km",
  Arabic: "قال «مرحبًا»",
  Hebrew: "שָׁלוֹם עולם",
  Thai: "ภาษาไทย",
  Chinese: "中文𠮷字",
  "half a surrogate pair": "a\ud83d b\ude00",
};

test("the offset of a letter behind an emoji is what Python counts, not what JavaScript counts", () => {
  const text = "a😀é b";

  const index = codePointIndex(text);

  assert.equal(text.indexOf("b"), 5);
  assert.equal(index[text.indexOf("b")], 4);
});

test("both halves of a surrogate pair have the offset of their character", () => {
  assert.deepEqual(codePointIndex("😀x"), [0, 0, 1, 2]);
});

test("an empty text has the one offset 0", () => {
  assert.deepEqual(codePointIndex(""), [0]);
});

test("the end of the text is its length in code points", () => {
  const ends = { abc: 3, "x😀": 2, "😀": 1, [FAMILY]: 5, [FLAG]: 2, "e\u0301": 2 };

  for (const [text, length] of Object.entries(ends)) assert.equal(codePointIndex(text).at(-1), length, text);
});

for (const [name, text] of Object.entries(TEXTS)) {
  test(`every UTF-16 position counts the code points before it: ${name}`, () => {
    const expected = Array.from(text).flatMap((character, point) => Array(character.length).fill(point));

    assert.deepEqual(codePointIndex(text), [...expected, Array.from(text).length]);
  });
}

test("cutting at any offset and joining gives the text back", () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    const length = codePointIndex(text)[text.length];

    for (let at = 0; at <= length; at += 1) assert.equal(slice(text, 0, at) + slice(text, at, length), text, name);
  }
});

test("what JavaScript finds at a UTF-16 offset is what the slice at its code-point offset begins with", () => {
  for (const word of ["big", "é", "𝐁", "中"]) {
    const text = `😀 𝐀👩\u200d👧 ${word}`;

    const start = codePointIndex(text)[text.indexOf(word)];

    assert.equal(slice(text, start, start + Array.from(word).length), word);
  }
});

test("a slice is taken by code points and never cuts a character in half", () => {
  assert.equal(slice("a😀é b", 1, 2), "😀");
  assert.equal(slice("a😀é b", 4, 5), "b");
  assert.equal(slice(`${FLAG}x`, 2, 3), "x");
  assert.equal(slice(`${FAMILY}x`, 0, 5), FAMILY);
});

test("a slice from an offset to itself is empty", () => {
  assert.equal(slice("😀😀", 1, 1), "");
});
