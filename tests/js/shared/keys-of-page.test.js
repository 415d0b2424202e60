import assert from "node:assert/strict";
import { test } from "node:test";

import { keyOf } from "../../../static/js/shared/keys-of-page.js";

const FREE = { isTyping: false, hasLetters: true };

test("letters, digits and arrows press what says that they do", () => {
  assert.equal(keyOf({ key: "a" }, FREE), "a");
  assert.equal(keyOf({ key: "6" }, FREE), "6");
  assert.equal(keyOf({ key: "ArrowLeft" }, FREE), "arrowleft");
  assert.equal(keyOf({ key: "z", ctrlKey: true }, FREE), "undo");
  assert.equal(keyOf({ key: "z", metaKey: true }, FREE), "undo");
});

test("nothing is pressed while somebody types, or by keys of the browser", () => {
  for (const key of ["a", "1", "ArrowLeft"]) assert.equal(keyOf({ key }, { isTyping: true, hasLetters: true }), "");
  assert.equal(keyOf({ key: "z", ctrlKey: true }, { isTyping: true, hasLetters: true }), "");
  assert.equal(keyOf({ key: "a", ctrlKey: true }, FREE), "");
  assert.equal(keyOf({ key: "ArrowLeft", altKey: true }, FREE), "");
  assert.equal(keyOf({ key: "Z", ctrlKey: true, shiftKey: true }, FREE), "");
});

test("letters that are switched off are none, arrows and undo stay", () => {
  const off = { isTyping: false, hasLetters: false };
  assert.equal(keyOf({ key: "a" }, off), "");
  assert.equal(keyOf({ key: "ArrowRight" }, off), "arrowright");
  assert.equal(keyOf({ key: "z", ctrlKey: true }, off), "undo");
});
