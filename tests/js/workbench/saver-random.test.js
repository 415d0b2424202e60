// Typing, losing and reloading at random; every run has its seed in its message, so a failure can be seen again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { canonical } from "../../../static/js/shared/canonical.js";
import { answer } from "./fake-server.js";
import { LOST_REQUEST, LOST_RESPONSE, NEVER_ANSWERED, World, slow, stray } from "./fakes.js";

const RUNS = 300;
const STEPS = 20;

/** Mulberry32: numbers from 0 to 1, the same for the same seed on every machine. */
function randomness(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Run {
  constructor(seed) {
    this.random = randomness(seed);
    this.world = new World();
    this.page = this.world.open();
    this.typed = { marks: [] };
    this.pages = [this.page];
  }

  below(most) {
    return Math.floor(this.random() * most);
  }

  pick(choices) {
    return choices[this.below(choices.length)];
  }

  /** What the network does to one request. */
  fate() {
    return this.pick([
      {},
      {},
      slow(this.below(3_000)),
      LOST_REQUEST,
      LOST_RESPONSE,
      NEVER_ANSWERED,
      { arrives: this.below(30_000) },
      { arrives: this.below(2_000), answers: this.below(2_000), loses: "response" },
      stray(502, "<h1>Bad gateway</h1>"),
    ]);
  }

  /** Few different texts, so that old ones come back. */
  type() {
    this.typed = answer(`text ${this.below(6)}`);
    this.page.saver.change(this.typed, { now: this.random() < 0.3 });
  }

  reload() {
    this.page = this.world.reload(this.page);
    this.pages.push(this.page);
  }

  async step(acts) {
    this.pick(acts)();
    await this.world.advance(this.pick([0, 50, 399, 400, 1_000, this.below(25_000)]));
    this.check();
  }

  /** What must hold at any time. */
  check() {
    const { saver } = this.page;
    const { server, slot } = this.world;
    assert.deepEqual(saver.newest, this.typed, "the page shows what was typed last");
    if (saver.state === "saved") assert.equal(canonical(server.draft), canonical(this.typed), "saved means stored");
    else assert.deepEqual(slot.answer, this.typed, "what is not saved is in the slot");
    assert.notEqual(saver.state, "conflict", "one person alone has no conflict");
  }

  async play(acts) {
    for (let n = 0; n < STEPS; n += 1) {
      this.world.network.plan = [this.fate(), this.fate(), this.fate()];
      await this.step(acts);
    }
  }

  /** The network is whole again. */
  async calm() {
    this.world.network.plan = [];
    await this.world.advance(60_000);
  }
}

async function forEachSeed(act) {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    try {
      await act(new Run(seed));
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
}

test("whatever is lost or reloaded, the server ends with the last typed answer and the slot empty", async () => {
  await forEachSeed(async (run) => {
    const type = () => run.type();

    await run.play([type, type, type, () => run.reload(), () => run.page.saver.retry(), () => run.page.saver.flush()]);
    run.page.saver.change((run.typed = answer("the last")));
    await run.calm();

    assert.deepEqual([run.world.server.draft, run.page.saver.state], [answer("the last"), "saved"]);
    assert.equal(run.world.slot, null);
    assert.ok(run.pages.every((page) => page.mostUnderWay <= 1), "at most one request under way in a page");
  });
});

test("however often submit is pressed or lost, there is one submission, with the last typed answer", async () => {
  await forEachSeed(async (run) => {
    const { server } = run.world;
    const submit = () => run.page.saver.act("submit");

    run.type();
    await run.play([() => run.type(), () => run.reload()]);
    run.type();
    await run.play([submit, submit, () => run.reload(), () => run.page.saver.retry()]);
    await run.calm();
    if (server.state !== "submitted") submit();
    await run.calm();

    assert.equal(server.state, "submitted");
    assert.deepEqual(server.submissions, [run.typed]);
  });
});
