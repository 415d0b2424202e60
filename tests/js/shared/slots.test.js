import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { beginning, isOwed, slotName, slotsOf } from "../../../static/js/shared/slots.js";

/** Local storage, as far as it is looked through. */
function storage(entries) {
  const names = Object.keys(entries);
  return { length: names.length, key: (index) => names[index], getItem: (name) => entries[name] };
}

const slot = (number) => JSON.stringify({ about: { project: "essays", number, begins: "It" }, answer: { marks: [] }, version: 1 });

test("a person's own slots are found, in the order of the passages", () => {
  const found = slotsOf(storage({ [slotName("ann", "u9")]: slot(9), [slotName("ben", "u1")]: slot(1), [slotName("ann", "u2")]: slot(2) }), "ann");

  assert.deepEqual(found.map(({ uuid, about }) => [uuid, about.number]), [["u2", 2], ["u9", 9]]);
});

test("what cannot be read and what is no slot is left alone", () => {
  const kept = storage({ [slotName("ann", "u1")]: "{", [slotName("ann", "u2")]: "null", "assay:draft:ann:question:u3": "Is", [slotName("ann", "u4")]: "{}" });

  assert.deepEqual(slotsOf(kept, "ann"), []);
});

test("without storage there is nothing", () => {
  assert.deepEqual(slotsOf(null, "ann"), []);
});

test("a long passage is known by its beginning, cut between characters", () => {
  assert.equal(beginning("It was."), "It was.");
  assert.equal(beginning("🍔".repeat(61)), `${"🍔".repeat(60)}…`);
});

describe("whether the server lacks something", () => {
  const mine = { marks: [{ quote: "big" }] };
  const CASES = [
    ["it is not reached", { answer: mine, request: null }, null, true],
    ["it has another text", { answer: mine, request: null }, { answer: { marks: [] }, state: "started" }, true],
    ["it has the text", { answer: mine, request: { kind: "save" } }, { answer: mine, state: "started" }, false],
    ["it has the text, not the submit", { answer: mine, request: { kind: "submit" } }, { answer: mine, state: "started" }, true],
    ["it has the text, not the submit that waits", { answer: mine, request: { kind: "save" }, wanted: { kind: "submit" } }, { answer: mine, state: "started" }, true],
    ["it has the submit", { answer: mine, request: { kind: "submit" } }, { answer: mine, state: "submitted" }, false],
    ["a reopening may be owed", { answer: mine, request: { kind: "reopen" } }, { answer: mine, state: "submitted" }, true],
  ];
  for (const [so, slot, page, expected] of CASES) {
    test(so, () => assert.equal(isOwed(slot, page), expected));
  }
});
