import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { EMPTY, add, drop, edit, join, keep, lay, move, remove, retype, spoken } from "../../../static/js/adjudication/content.js";

const offered = [
  { text: "receives", key: "receives", voters: ["A01", "A04", "A08"] },
  { text: "is given", key: "is given", voters: ["A02"] },
  { text: "recieves", key: "recieves", voters: ["A04", "A05"] },
];
const gets = { start: 5, end: 9, quote: "gets", annotators: 5, offered, merged: { is_kept: true, type: "refine" }, type: "refine", moved_from: [] };
const single = { ...gets, annotators: 1, offered: offered.slice(1, 2), merged: { is_kept: false, type: "refine" } };
const types = [{ key: "refine", label: "Refine" }, { key: "old", label: "Old", is_retired: true }, { key: "diversify", label: "Diversify" }];
const votes = ({ chips }) => chips.map((chip) => `${chip.text} ${chip.voters.length}`);
const chip = (target, content, text) => lay(target, content, 2).chips.find((one) => one.text === text);

describe("what a decision looks like", () => {
  test("without one it is the merge", () => {
    assert.deepEqual(votes(lay(gets, EMPTY, 2)), ["receives 3", "recieves 2", "is given 1"]);
    assert.deepEqual([lay(gets, EMPTY, 2).isKept, lay(single, EMPTY, 2).isKept], [true, false]);
  });

  test("joined suggestions have each voter once", () => {
    const content = join(EMPTY, [chip(gets, EMPTY, "receives"), chip(gets, EMPTY, "recieves")]);

    assert.deepEqual(votes(lay(gets, content, 2)), ["receives 4", "is given 1"]);
  });

  test("an edit keeps the votes, an addition has none, a removed one can come back", () => {
    const edited = edit(EMPTY, chip(gets, EMPTY, "is given"), "gets given");
    const added = add(edited, "obtains");
    const without = remove(added, chip(gets, added, "recieves"));
    const laid = lay(gets, without, 2);

    assert.deepEqual(votes(laid), ["receives 3", "gets given 1", "obtains 0"]);
    assert.deepEqual(laid.removed.map((one) => one.text), ["recieves"]);
    assert.deepEqual(votes(lay(gets, remove(without, laid.removed[0]), 2)), ["receives 3", "recieves 2", "gets given 1", "obtains 0"]);
  });

  test("an edited one is edited again, and goes with what it was made of", () => {
    const once = edit(EMPTY, chip(gets, EMPTY, "is given"), "gets given");
    const twice = edit(once, chip(gets, once, "gets given"), "is handed");

    assert.deepEqual(twice.suggestions, [{ text: "is handed", from: ["is given"] }]);
    assert.deepEqual(remove(twice, chip(gets, twice, "is handed")).removed, ["is given"]);
  });

  test("joining an edited one takes its sources", () => {
    const edited = edit(EMPTY, chip(gets, EMPTY, "recieves"), "gets hold of");
    const content = join(edited, [chip(gets, edited, "receives"), chip(gets, edited, "gets hold of")]);

    assert.deepEqual(content.suggestions, [{ text: "receives", from: ["receives", "recieves"] }]);
  });
});

describe("acts", () => {
  test("drop and restore go back to what the merge says where that keeps it", () => {
    assert.equal(drop(gets, EMPTY, 2).verdict, "drop");
    assert.equal(drop(gets, drop(gets, EMPTY, 2), 2).verdict, null);
    assert.equal(drop(single, EMPTY, 2).verdict, "keep");
    assert.equal(drop(single, keep(EMPTY, single), 2).verdict, "drop");
  });

  test("to keep what ties settles the type as it stands", () => {
    assert.equal(keep(EMPTY, { ...gets, type: "refine", type_tie: true }).type, "refine");
    assert.equal(keep({ ...EMPTY, type: "diversify" }, { ...gets, type_tie: true }).type, "diversify");
    assert.ok(!("type" in keep(EMPTY, { ...gets, type_tie: false })));
  });

  test("types go round, without those that are retired", () => {
    assert.equal(retype(gets, EMPTY, types).type, "diversify");
    assert.equal(retype(gets, { ...EMPTY, type: "diversify" }, types).type, "refine");
  });

  test("whatever is done to a moved target, it is not moved any more", () => {
    const moved = move([0, 4]);

    for (const content of [keep(moved, gets), retype(gets, moved, types), add(moved, "x")]) assert.ok(!("span" in content) && content.verdict !== "moved");
  });

  test("in words", () => {
    assert.equal(spoken(EMPTY, types), "nothing decided");
    assert.equal(spoken({ ...keep(add(EMPTY, "x"), gets), type: "diversify", removed: ["y"] }, types), "keep, Diversify, added “x”, without “y”");
  });
});
