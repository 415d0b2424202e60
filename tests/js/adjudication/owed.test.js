import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { sendOwed } from "../../../static/js/adjudication/owed.js";
import { slotName, slotsOf } from "../../../static/js/adjudication/slots.js";

const KEY = slotName("me", "p");
const act = (id, place = "1-5", more = {}) => ({ kind: "decide", place, body: { act: id, by: "A01", content: { verdict: "keep" }, reason: "" }, ...more });

function storing(owed, key = KEY) {
  const kept = new Map(owed ? [[key, JSON.stringify({ owed, url: "/there", name: "essay-7" })]] : []);
  return {
    kept,
    get length() { return kept.size; },
    key: (index) => [...kept.keys()][index],
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
    owed: () => JSON.parse(kept.get(key) ?? '{"owed": []}').owed.map(({ body }) => body.act),
  };
}

/** `answers` in order, each a status, or a status with its body. */
function deps(storage, answers) {
  const sent = [];
  const fetch = async (url, { headers, body }) => {
    sent.push([url, headers["If-Match"], JSON.parse(body).act]);
    const [status, said = {}] = [answers.shift()].flat();
    if (status === 0) throw new TypeError("network");
    const versions = { decision: null, targets: [{ start: 1, end: 5, decision: { version: sent.length } }] };
    return { status, json: async () => ({ passage: status === 200 ? versions : undefined, ...said }) };
  };
  return { sent, storage, fetch, csrf: () => "t" };
}

describe("what an earlier visit left on another passage", () => {
  test("is sent in order, each on the version that the one before gave", async () => {
    const storage = storing([act("a", "1-5", { version: 0 }), act("b")]);
    const given = deps(storage, [200, 200]);

    assert.equal(await sendOwed({ key: KEY, url: "/there" }, given), "sent");

    assert.deepEqual(given.sent, [["/there/decisions/1-5", '"0"', "a"], ["/there/decisions/1-5", '"1"', "b"]]);
    assert.equal(storage.kept.size, 0);
  });

  for (const [why, answer, state] of [
    ["the network is away", 0, "waits"], ["the server fails", 503, "waits"], ["nobody is signed in", 401, "waits"],
    ["too much was asked", 429, "waits"], ["somebody else is signed in", [409, { code: "somebody_else" }], "waits"],
    ["somebody decided there since", [412, { stored: { version: 3, content: { verdict: "drop" }, reason: "" } }], "asks"],
    ["a type is gone", [409, { code: "type_removed" }], "asks"], ["it is refused", 422, "asks"],
    ["the passage is out of reach", 404, "gone"],
  ]) {
    test(`stays in its slot where ${why}`, async () => {
      const storage = storing([act("a", "1-5", { version: 0 }), act("b")]);

      assert.equal(await sendOwed({ key: KEY, url: "/there" }, deps(storage, [answer])), state);

      assert.deepEqual(storage.owed(), ["a", "b"]);
    });
  }

  test("is done with where it had arrived, or says what stands there", async () => {
    const arrived = { stored: { has_arrived: true, version: 2, content: { verdict: "drop" }, reason: "" } };
    const same = { stored: { has_arrived: false, version: 2, content: { verdict: "keep" }, reason: "" } };
    const storage = storing([act("a"), act("b")]);

    assert.equal(await sendOwed({ key: KEY, url: "/there" }, deps(storage, [[412, arrived], [412, same]])), "sent");
    assert.equal(storage.kept.size, 0);
  });

  test("what another tab puts into the slot meanwhile is sent, too", async () => {
    const storage = storing([act("a")]);
    const given = deps(storage, [200, 200]);
    const { fetch } = given;
    given.fetch = async (...asked) => {
      if (!given.sent.length) storage.setItem(KEY, JSON.stringify({ owed: [act("a"), act("late")] }));
      return fetch(...asked);
    };

    assert.equal(await sendOwed({ key: KEY, url: "/there" }, given), "sent");
    assert.deepEqual(given.sent.map(([, , id]) => id), ["a", "late"]);
  });
});

test("a person's slots are theirs alone, without the one that is open and without what cannot be read", () => {
  const storage = storing([act("a")]);
  storage.setItem(slotName("me", "open"), JSON.stringify({ owed: [act("b")] }));
  storage.setItem(slotName("me", "broken"), "no JSON");
  storage.setItem(slotName("other", "q"), JSON.stringify({ owed: [act("c")] }));

  const found = slotsOf(storage, "me", slotName("me", "open"));

  assert.deepEqual(found.map(({ uuid, url, name }) => [uuid, url, name]), [["p", "/there", "essay-7"]]);
});
