import assert from "node:assert/strict";
import { test } from "node:test";

import { Drafts } from "../../../static/js/shared/drafts.js";

/** Local storage, as far as drafts use it. */
function storage() {
  const held = new Map();
  return {
    held,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => held.set(key, value),
    removeItem: (key) => held.delete(key),
  };
}

test("what is half written is there again for the same person and passage only", () => {
  const kept = storage();
  new Drafts(kept, "ann").write("question", "p1", "Is this");

  assert.equal(new Drafts(kept, "ann").read("question", "p1"), "Is this");
  assert.equal(new Drafts(kept, "ben").read("question", "p1"), "");
  assert.equal(new Drafts(kept, "ann").read("question", "p2"), "");
  assert.equal(new Drafts(kept, "ann").read("remark", "p1"), "");
});

test("what was sent leaves nothing behind", () => {
  const kept = storage();
  const drafts = new Drafts(kept, "ann");
  drafts.write("question", "p1", "Is this");
  drafts.write("question", "p1", "");

  assert.equal(drafts.read("question", "p1"), "");
  assert.equal(kept.held.size, 0);
});

test("without storage it is kept as long as the page is", () => {
  for (const none of [null, { getItem: refuse, setItem: refuse, removeItem: refuse }]) {
    const drafts = new Drafts(none, "ann");
    drafts.write("question", "p1", "Is this");
    assert.equal(drafts.read("question", "p1"), "Is this");
  }
});

function refuse() {
  throw new Error("full");
}
