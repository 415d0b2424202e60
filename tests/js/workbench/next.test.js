import assert from "node:assert/strict";
import { test } from "node:test";

import { NextPassage } from "../../../static/js/workbench/next.js";

const page = (uuid, state = "assigned") => ({ uuid, state, number: 2 });
const serving = (found, ok = true) => async () => ({ ok, json: async () => found });

test("the next passage is there once", async () => {
  const next = new NextPassage(serving(page("b")));

  await next.prepare({ uuid: "b", number: 2 });

  assert.equal(next.take().uuid, "b");
  assert.equal(next.take(), null);
});

test("one that is no longer to be done is not shown", async () => {
  for (const fetch of [serving(page("b", "submitted")), serving({}, false), async () => Promise.reject(new Error("gone"))]) {
    const next = new NextPassage(fetch);
    await next.prepare({ uuid: "b", number: 2 });
    assert.equal(next.take(), null);
  }
});

test("an answer about another passage than the one now wanted is let go", async () => {
  const answers = {};
  const next = new NextPassage((url) => new Promise((resolve) => {
    answers[url.at(-1)] = (found) => resolve({ ok: true, json: async () => found });
  }));
  const first = next.prepare({ uuid: "b", number: 2 });
  const second = next.prepare({ uuid: "c", number: 3 });
  answers.b(page("b"));
  await first;
  assert.equal(next.page, null);
  answers.c(page("c"));
  await second;

  assert.equal(next.take().uuid, "c");
});

test("without a next there is nothing to ask for", async () => {
  const next = new NextPassage(() => assert.fail("asked"));

  await next.prepare(null);

  assert.equal(next.take(), null);
});
