import assert from "node:assert/strict";
import { test } from "node:test";

import { History } from "../../../static/js/workbench/history.js";

const answer = (...texts) => ({ marks: [{ start: 0, end: 1, quote: "a", substitutes: texts.map((text) => ({ text })) }] });

test("each step is undone and done again", () => {
  const history = new History(answer());
  history.add(answer("x"));
  history.add(answer("x", "y"));

  assert.deepEqual(history.undo(), answer("x"));
  assert.deepEqual(history.undo(), answer());
  assert.equal(history.undo(), null);
  assert.deepEqual(history.redo(), answer("x"));
  assert.deepEqual(history.redo(), answer("x", "y"));
  assert.equal(history.redo(), null);
});

test("typing in one go is one step", () => {
  const history = new History(answer());
  for (const text of ["l", "la", "lad"]) history.add(answer(text), { isTyping: true });
  history.add(answer("lad", "boy"));

  assert.deepEqual(history.undo(), answer("lad"));
  assert.deepEqual(history.undo(), answer());
});

test("a chip made of what was typed is no step of its own, and ends the run", () => {
  const history = new History(answer());
  history.add(answer("lad"), { isTyping: true });
  history.add(answer("lad"));
  history.add(answer("lad", "b"), { isTyping: true });

  assert.deepEqual(history.undo(), answer("lad"));
});

test("a new step forgets what was undone", () => {
  const history = new History(answer());
  history.add(answer("x"));
  history.undo();
  history.add(answer("y"));

  assert.equal(history.redo(), null);
  assert.deepEqual(history.undo(), answer());
});

test("nothing new is no step", () => {
  const history = new History(answer("x"));
  history.add(answer("x"));

  assert.equal(history.undo(), null);
});
