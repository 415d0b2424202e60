import assert from "node:assert/strict";
import { test } from "node:test";

import { commandOf } from "../../../static/js/adjudication/keyboard.js";

const LIST = { isTyping: false, isOnList: true, hasLetters: true };
const means = (key, held = {}, where = {}) => commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }, { ...LIST, ...where });

test("every key of the issue means its command on the list", () => {
  const keys = {
    ArrowUp: "previous", ArrowDown: "following", ArrowLeft: "chip before", ArrowRight: "chip after", Home: "first", End: "last",
    k: "keep", x: "drop", t: "type", s: "span", n: "new", a: "add", e: "edit", Delete: "remove", " ": "tick", j: "join", m: "move",
    r: "reason", 1: "cause 0", 5: "cause 4", y: "confirm", w: "same", l: "lanes", d: "discard", c: "discussion", g: "guidelines",
    h: "history", u: "unite", "?": "keys", "[": "back", "]": "on", "/": "search",
  };
  for (const [key, command] of Object.entries(keys)) assert.equal(means(key), command, key);
  assert.equal(means("K"), "keep"); // with the caps lock on
  for (const key of ["q", "6", "0", "Tab", "Enter"]) assert.equal(means(key), "", key);
});

test("what is held down with a key makes it the browser's, but for undo, redo and settle", () => {
  assert.equal(means("z", { ctrlKey: true }), "undo");
  assert.equal(means("Z", { metaKey: true, shiftKey: true }), "redo");
  assert.equal(means("Enter", { ctrlKey: true }), "settle");
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    for (const key of ["k", "x", "1", "ArrowLeft", "Delete"]) assert.equal(means(key, held), "", key);
  }
});

test("in a field only settle is the desk's: its own undo stays the field's", () => {
  const field = { isTyping: true, isOnList: false };
  assert.equal(means("Enter", { ctrlKey: true }, field), "settle");
  assert.equal(means("z", { ctrlKey: true }, field), "");
  for (const key of ["k", "1", "ArrowUp", "Delete", "?"]) assert.equal(means(key, {}, field), "");
});

test("off the list no single key acts, and switched off letters and digits do not act on it either", () => {
  for (const key of ["k", "1", "ArrowDown", "/"]) assert.equal(means(key, {}, { isOnList: false }), "");
  for (const key of ["k", "1", "?", "["]) assert.equal(means(key, {}, { hasLetters: false }), "");
  assert.equal(means("ArrowDown", {}, { hasLetters: false }), "following");
  assert.equal(means("Delete", {}, { hasLetters: false }), "remove");
});
