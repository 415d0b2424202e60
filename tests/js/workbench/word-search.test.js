import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { WordSearch } from "../../../static/js/workbench/word-search.js";

let said;
let asked;
let search;
let timers;

beforeEach(() => {
  [said, asked, timers] = [[], [], []];
  globalThis.window = { setTimeout: (act) => timers.push(act), clearTimeout: (timer) => timers.splice(timer - 1, 1, () => {}) };
  search = new WordSearch((text) => said.push(text), (wanted, isFirst) => {
    asked.push([wanted, isFirst]);
    return "walked".startsWith(wanted);
  });
});

afterEach(() => delete globalThis.window);

test("letters narrow the search, and the first one leads on", () => {
  search.begin();
  search.add("W");
  search.add("a");
  search.add("x");

  assert.deepEqual(asked, [["w", true], ["wa", false], ["wax", false]]);
  assert.deepEqual(said.slice(1), ["Find: w", "Find: wa", "No word begins with “wax”."]);
});

test("taking the last letter back ends it", () => {
  search.begin();
  search.add("w");
  search.takeBack();

  assert.equal(search.isOn, false);
  assert.equal(said.at(-1), "");
});

test("a pause ends it", () => {
  search.begin();
  timers.at(-1)();

  assert.equal(search.isOn, false);
});
