import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { UntilAnswered, toldOf, undoneLine } from "../../../static/js/adjudication/until-answered.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A server that carries out each act once; `plan` says what happens to the next requests. */
function asked(...plan) {
  const done = new Set();
  const seen = [];
  const timers = [];
  const told = [];
  const deps = {
    newId: () => `act-${seen.length}-${Math.random()}`,
    csrf: () => "t",
    setTimeout: (act) => timers.push(act),
    clearTimeout: () => timers.splice(0),
    fetch: async (url, { body }) => {
      const { act } = JSON.parse(body);
      const how = plan.shift() ?? "open";
      seen.push(act);
      if (how === "lose request") throw new TypeError("network");
      if (typeof how === "object") return { status: how.status, json: async () => how };
      done.add(act);
      if (how === "lose response") throw new TypeError("network");
      return { status: 200, json: async () => ({ targets: 2, act }) };
    },
  };
  const request = new UntilAnswered("/same", { content: { verdict: "keep" } }, deps, (now) => told.push(now.state));
  const tick = async () => { timers.splice(0).forEach((act) => act()); await settled(); };
  return { request, seen, done, told, timers, tick };
}

describe("one act, sent until it is answered", () => {
  test("a lost response is never called nothing: the same act goes again", async () => {
    const { request, seen, done, told, tick } = asked("lose response", "lose request");

    await request.send();
    assert.deepEqual([request.state, done.size], ["unknown", 1]);
    assert.match(toldOf(request), /not known whether this was carried out/u);
    await tick();
    await tick();

    assert.deepEqual(told, ["unknown", "unknown", "answered"]);
    assert.equal(new Set(seen).size, 1);
    assert.equal(done.size, 1);
    assert.equal(toldOf(request), "");
  });

  test("by hand it is sent at once, and never twice at the same time", async () => {
    const { request, seen, tick } = asked("lose request");
    await request.send();
    await Promise.all([request.send(), request.send()]);
    await tick();

    assert.deepEqual([seen.length, request.state], [2, "answered"]);
  });

  test("signed out it waits, and is sent once somebody has signed in", async () => {
    const { request, timers, done } = asked({ status: 401 });
    await request.send();
    assert.deepEqual([request.state, timers.length, done.size], ["signed-out", 0, 0]);
    assert.match(toldOf(request), /^Nothing was done\. You are signed out/u);

    await request.send();
    assert.equal(request.state, "answered");
  });

  test("signed out after a loss, it is not said that nothing was done", async () => {
    const { request, tick } = asked("lose response", { status: 401 });
    await request.send();
    await tick();

    assert.match(toldOf(request), /not known whether the first try/u);
  });

  test("as somebody else it is not sent on", async () => {
    const { request, timers } = asked({ status: 409, code: "somebody_else" });
    await request.send();

    assert.deepEqual([request.state, timers.length], ["signed-out", 0]);
  });

  test("a refusal is final and says why", async () => {
    const { request, seen, tick } = asked({ status: 409, detail: "One of these was decided in the meantime." });
    await request.send();
    await request.send();
    await tick();

    assert.deepEqual([request.state, seen.length], ["refused", 1]);
    assert.equal(toldOf(request), "One of these was decided in the meantime.");
  });

  for (const status of [500, 503, 429, 408]) {
    test(`${status} is no answer`, async () => {
      const { request, tick } = asked({ status });
      await request.send();
      assert.equal(request.state, "unknown");
      await tick();
      assert.equal(request.state, "answered");
    });
  }
});

test("what was taken back is told by its number", () => {
  assert.equal(undoneLine({ of: 3, taken_back: 3 }), "Taken back.");
  assert.match(undoneLine({ of: 3, taken_back: 2 }), /^2 taken back\. 1 of 3 had been decided anew since/u);
  assert.match(undoneLine({ of: 3, taken_back: 0 }), /^Nothing was taken back: 3 of 3/u);
  assert.match(undoneLine({ of: 0, taken_back: 0, is_under_way: true }), /worker/u);
});
