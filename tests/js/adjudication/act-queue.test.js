import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ActQueue } from "../../../static/js/adjudication/act-queue.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A server that keeps one version per place, and does each act once; `plan` says what happens to the next requests. */
class Server {
  versions = {};
  acts = new Map();
  plan = [];
  seen = [];

  passage() {
    const targets = Object.entries(this.versions).filter(([place]) => place !== "passage").map(([place, version]) => {
      const [start, end] = place.split("-").map(Number);
      return { start, end, decision: { version } };
    });
    return { decision: this.versions.passage ? { version: this.versions.passage } : null, targets };
  }

  async fetch(url, { headers, body, method }) {
    const place = url.split("/decisions/")[1];
    const sent = JSON.parse(body);
    this.seen.push({ place, version: headers["If-Match"], act: sent.act, method });
    const how = this.plan.shift() ?? "open";
    if (how === "lose request") throw new TypeError("network");
    const reply = this.reply(place, headers["If-Match"], sent, how);
    if (how === "lose response") throw new TypeError("network");
    return { status: reply.status, json: async () => reply.body };
  }

  reply(place, seen, sent, how) {
    if (typeof how === "number") return { status: how, body: { detail: `refused with ${how}` } };
    if (place === "undo") return { status: 200, body: { version: 1, passage: this.passage() } };
    const now = this.versions[place] ?? 0;
    if (this.acts.has(sent.act)) return { status: 200, body: { version: now, passage: this.passage() } };
    if (`"${now}"` !== seen) return { status: 412, body: { stored: { version: now, content: { verdict: "drop" }, reason: "", by: "A02", has_arrived: false } } };
    this.versions[place] = now + 1;
    this.acts.set(sent.act, sent.content);
    return { status: 200, body: { version: now + 1, passage: this.passage() } };
  }
}

function opened(server = new Server(), kept = new Map()) {
  const timers = [];
  let made = 0;
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
  const deps = {
    fetch: (...given) => server.fetch(...given), storage, csrf: () => "t",
    newId: () => `act-${(made += 1)}-${Math.random()}`,
    setTimeout: (act) => timers.push(act), clearTimeout: () => timers.splice(0),
  };
  const stood = [];
  const refused = [];
  const queue = new ActQueue({ url: "/p", slotKey: "slot", versions: {} }, deps, { change: () => {}, stood: (passage) => stood.push(passage), refused: (message) => refused.push(message) });
  queue.begin();
  return { server, queue, kept, stood, refused, tick: async () => { timers.splice(0).forEach((act) => act()); await settled(); } };
}

describe("acts are sent in order, each once", () => {
  test("two on the same target: the second knows the version of the first", async () => {
    const { server, queue, kept, stood } = opened();

    queue.decide("1-5", { verdict: "keep" });
    queue.decide("1-5", { verdict: "drop" });
    assert.equal(kept.size, 1);
    await settled();
    await settled();

    assert.deepEqual(server.seen.map(({ version }) => version), ['"0"', '"1"']);
    assert.equal(queue.state, "saved");
    assert.equal(kept.size, 0);
    assert.equal(stood.length, 1);
  });

  test("a lost response: the same request again, carried out once", async () => {
    const { server, queue, tick } = opened();
    server.plan = ["lose response"];

    queue.decide("1-5", { verdict: "keep" });
    await settled();
    assert.equal(queue.state, "retrying");
    await tick();

    assert.equal(server.versions["1-5"], 1);
    assert.equal(server.seen[0].act, server.seen[1].act);
    assert.equal(queue.state, "saved");
  });

  test("what is owed outlives the page", async () => {
    const kept = new Map();
    const server = new Server();
    server.plan = ["lose request"];
    opened(server, kept).queue.decide("1-5", { verdict: "keep" });
    await settled();
    assert.equal(kept.size, 1);

    const { queue } = opened(server, kept);
    await settled();

    assert.equal(server.versions["1-5"], 1);
    assert.equal(queue.state, "saved");
    assert.equal(kept.size, 0);
  });

  test("signed out: kept, and sent when one is back", async () => {
    const { server, queue } = opened();
    server.plan = [401];
    queue.decide("1-5", { verdict: "keep" });
    queue.decide("7-9", { verdict: "keep" });
    await settled();
    assert.equal(queue.state, "signed-out");
    assert.equal(server.seen.length, 1);

    queue.signedIn();
    await settled();
    await settled();

    assert.deepEqual(server.versions, { "1-5": 1, "7-9": 1 });
  });

  test("overtaken: mine over theirs with the version that stands there, or theirs", async () => {
    for (const choice of ["keepMine", "letGo"]) {
      const { server, queue, stood } = opened();
      server.versions["1-5"] = 3;
      queue.decide("1-5", { verdict: "keep" });
      queue.decide("1-5", { verdict: "keep", type: "x" });
      queue.decide("7-9", { verdict: "keep" });
      await settled();
      assert.equal(queue.state, "conflict");

      queue[choice]();
      for (let round = 0; round < 4; round += 1) await settled();

      assert.equal(queue.state, "saved");
      assert.equal(server.versions["7-9"], 1);
      assert.equal(server.versions["1-5"], choice === "keepMine" ? 5 : 3);
      assert.equal(stood.length, 1);
    }
  });

  test("both say the same: nothing to choose", async () => {
    const { server, queue } = opened();
    server.versions["1-5"] = 2;

    queue.decide("1-5", { verdict: "drop" });
    await settled();

    assert.equal(queue.state, "saved");
    assert.equal(server.versions["1-5"], 2);
  });

  test("refused for good: said, and what came after goes on", async () => {
    const { server, queue, refused, kept } = opened();
    server.plan = [422];
    queue.decide("1-5", { verdict: "maybe" });
    queue.decide("7-9", { verdict: "keep" });
    await settled();
    await settled();

    assert.deepEqual(refused, ["refused with 422"]);
    assert.deepEqual(server.versions, { "7-9": 1 });
    assert.equal(kept.size, 0);
  });

  test("random losses lose nothing and do nothing twice", async () => {
    for (let round = 0; round < 60; round += 1) {
      const { server, queue, tick } = opened();
      server.plan = Array.from({ length: 30 }, () => ["open", "lose request", "lose response", 503][Math.floor(Math.random() * 4)]);
      const wanted = { "1-5": 0, "7-9": 0 };
      for (let n = 0; n < 8; n += 1) {
        const place = Math.random() < 0.5 ? "1-5" : "7-9";
        wanted[place] += 1;
        queue.decide(place, { verdict: "keep", n });
        if (Math.random() < 0.5) await tick();
      }
      for (let n = 0; n < 80 && !queue.isClean; n += 1) await tick();

      assert.deepEqual({ "1-5": 0, "7-9": 0, ...server.versions }, wanted);
      assert.equal(queue.state, "saved");
    }
  });
});
