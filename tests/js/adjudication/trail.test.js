import assert from "node:assert/strict";
import { test } from "node:test";

import { Trail } from "../../../static/js/adjudication/trail.js";

function store() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), kept };
}

const on = (passage, act) => ({ act, passage, name: `name of ${passage}` });

test("an act is taken back once, and then done again by an act of its own", () => {
  const trail = new Trail(store(), "t");
  trail.did(on("p", "a"));
  trail.did(on("p", "b"));

  assert.equal(trail.next("undo", "p").act, "b");
  trail.turned("undo", trail.next("undo", "p"), "undo of b");
  assert.equal(trail.next("undo", "p").act, "a");
  assert.equal(trail.next("redo", "p").act, "undo of b");
  trail.turned("redo", trail.next("redo", "p"), "b again");
  assert.equal(trail.next("undo", "p").act, "b again");
  assert.equal(trail.next("redo", "p"), null);
});

test("a new act forgets what could be done again on its own passage only", () => {
  const trail = new Trail(store(), "t");
  for (const passage of ["p", "q"]) {
    trail.did(on(passage, `act on ${passage}`));
    trail.turned("undo", trail.next("undo", passage), `undo on ${passage}`);
  }

  trail.did(on("p", "another"));

  assert.equal(trail.next("redo", "p"), null);
  assert.equal(trail.next("redo", "q").act, "undo on q");
});

test("where nothing is left here, it knows what was done last elsewhere", () => {
  const trail = new Trail(store(), "t");
  trail.did(on("p", "a"));
  trail.did(on("q", "b"));

  assert.equal(trail.next("undo", "r"), null);
  assert.deepEqual(trail.elsewhere("r"), on("q", "b"));
  assert.deepEqual(trail.elsewhere("q"), on("p", "a"));
});

test("it outlives the page, and what cannot be read begins anew", () => {
  const storage = store();
  new Trail(storage, "t").did(on("p", "a"));

  assert.equal(new Trail(storage, "t").next("undo", "p").act, "a");
  storage.kept.set("t", "no JSON");
  assert.equal(new Trail(storage, "t").next("undo", "p"), null);
  assert.equal(new Trail(null, "t").next("undo", "p"), null);
});

test("without a store it lasts as long as the page; no more than three hundred acts are kept", () => {
  const trail = new Trail(null, "t");
  for (let number = 0; number < 400; number += 1) trail.did(on("p", number));

  assert.equal(trail.done.length, 300);
  assert.equal(trail.next("undo", "p").act, 399);
});

test("what was refused was never done, nor taken back", () => {
  const trail = new Trail(store(), "t");
  trail.did(on("p", "a"));
  trail.forget("a");
  trail.did(on("p", "b"));
  trail.turned("undo", trail.next("undo", "p"), "undo of b");
  trail.forget("undo of b");

  assert.equal(trail.next("undo", "p"), null);
  assert.equal(trail.next("redo", "p"), null);
});
