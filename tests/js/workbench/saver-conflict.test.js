// What the save machine does when somebody else writes too: another browser, another tab.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { answer } from "./fake-server.js";
import { LOST_RESPONSE, opened, slow } from "./fakes.js";

describe("conflict", () => {
  /** Both have written: this page “mine”, another browser “theirs”. */
  async function disputed() {
    const { world, server, page } = opened();
    server.saveElsewhere(answer("theirs"));
    page.step("mine");
    await world.advance(0);
    return { world, server, page };
  }

  test("a 412 shows both answers, overwrites neither and tries no more", async () => {
    const { world, server, page } = await disputed();

    page.step("mine, too");
    page.saver.flush();
    await world.advance(60_000);

    assert.deepEqual([world.sent.length, page.saver.state], [1, "conflict"]);
    assert.deepEqual([page.saver.newest, page.saver.conflict.answer], [answer("mine, too"), answer("theirs")]);
    assert.deepEqual([server.draft, world.slot.answer], [answer("theirs"), answer("mine, too")]);
  });

  test("keeping mine saves it over the version that was shown", async () => {
    const { world, server, page } = await disputed();

    page.saver.keepMine();
    await world.advance(0);

    assert.equal(world.sent[1].ifMatch, '"2"');
    assert.deepEqual([server.draft, page.saver.state, world.slot], [answer("mine"), "saved", null]);
  });

  test("keeping mine is a new conflict where the server has moved on once more", async () => {
    const { world, server, page } = await disputed();
    server.saveElsewhere(answer("theirs again"));

    page.saver.keepMine();
    await world.advance(0);

    assert.deepEqual([server.draft, page.saver.state], [answer("theirs again"), "conflict"]);
    assert.deepEqual(page.saver.conflict.answer, answer("theirs again"));
  });

  test("taking theirs sends nothing, empties the slot, and the next edit goes on their version", async () => {
    const { world, server, page } = await disputed();

    page.saver.takeTheirs();
    const taken = [page.saver.newest, page.saver.state, world.slot, world.sent.length];
    page.step("theirs, mended");
    await world.advance(0);

    assert.deepEqual(taken, [answer("theirs"), "saved", null, 1]);
    assert.deepEqual([server.draft, page.saver.state], [answer("theirs, mended"), "saved"]);
  });

  test("a reload before the choice shows the conflict again", async () => {
    const { world, server, page } = await disputed();

    const later = world.reload(page);
    await world.advance(0);

    assert.deepEqual([server.draft, later.saver.state], [answer("theirs"), "conflict"]);
  });

  test("where both say the same there is nothing to choose", async () => {
    const { world, server, page } = opened();
    server.saveElsewhere(answer("same"));

    page.step("same");
    await world.advance(0);

    assert.deepEqual([page.saver.state, page.saver.version, world.slot], ["saved", 2, null]);
    page.saver.flush();
    assert.equal(world.sent.length, 1);
  });

  test("a submit that waited behind the save is forgotten: keeping mine only saves", async () => {
    const { world, server, page } = opened();
    server.saveElsewhere(answer("theirs"));
    page.step("mine");
    page.saver.act("submit");
    await world.advance(0);

    page.saver.keepMine();
    await world.advance(60_000);

    assert.deepEqual([server.draft, server.state, server.submissions], [answer("mine"), "started", []]);
  });

  test("a submit on an overtaken version submits nothing", async () => {
    const { world, server, page } = opened();
    server.saveElsewhere(answer("theirs"));

    page.type("mine");
    page.saver.act("submit");
    await world.advance(60_000);

    assert.deepEqual([server.submissions, server.draft, page.saver.state], [[], answer("theirs"), "conflict"]);
  });
});

describe("what arrived and was changed elsewhere since", () => {
  /** Stored, the response never heard, the page gone; another browser goes on from there. */
  async function overtaken(state = "started") {
    const { world, server, page } = opened();
    world.network.plan = [LOST_RESPONSE];
    page.step("mine");
    await world.advance(0);
    page.close();
    server.saveElsewhere(answer("mine, and more"));
    server.state = state;
    return { world, server, page: world.reload(page) };
  }

  for (const state of ["started", "submitted"]) {
    test(`is no conflict when the page comes back (${state}): the newer text is taken`, async () => {
      const { world, server, page } = await overtaken(state);

      await world.advance(0);

      assert.deepEqual([page.saver.newest, page.saver.state, page.saver.isReplaced, world.slot], [answer("mine, and more"), "saved", true, null]);
      assert.deepEqual([page.saver.version, page.saver.serverState, server.draft], [3, state, answer("mine, and more")]);
    });
  }

  test("is one where more had been typed here", async () => {
    const { world, server, page } = await overtaken();

    page.type("mine, typed on");
    await world.advance(1_000);

    assert.deepEqual([page.saver.state, page.saver.newest, server.draft], ["conflict", answer("mine, typed on"), answer("mine, and more")]);
  });
});

describe("another tab takes over", () => {
  test("the tab that stands down neither writes the slot nor sends any more", async () => {
    const { world, page } = opened();
    page.type("large");
    const slot = world.slot;

    page.saver.standDown();
    page.step("huge");
    page.saver.act("submit");
    page.saver.flush({ isLeaving: true });
    page.saver.retry();
    await world.advance(60_000);

    assert.deepEqual([world.sent.length, world.slot, page.saver.state], [0, slot, "elsewhere"]);
  });

  test("a response after standing down leaves the slot to the tab that has it now", async () => {
    const { world, server, page } = opened();
    world.network.plan = [slow(1_000)];
    page.step("large");
    const slot = world.slot;

    page.saver.standDown();
    await world.advance(5_000);

    assert.deepEqual([world.slot, page.saver.state, server.draft], [slot, "elsewhere", answer("large")]);
  });

  test("the tab that takes over sends what the other owed", async () => {
    const { world, server, page } = opened();
    world.network.plan = [LOST_RESPONSE];
    page.step("large");
    await world.advance(0);
    page.type("huge");

    page.saver.standDown();
    const other = world.open();
    await world.advance(0);

    assert.equal(world.sent[1].text, world.sent[0].text);
    assert.deepEqual([server.draft, other.saver.state, world.slot], [answer("huge"), "saved", null]);
  });

  test("what was asked for while another tab had the passage is not carried out when it comes back", async () => {
    const { world, server, page } = opened();

    page.saver.standDown();
    page.saver.act("submit");
    page.saver.begin();
    page.step("large");
    await world.advance(60_000);

    assert.deepEqual([world.sent.map(({ kind }) => kind), server.state], [["save"], "started"]);
  });

  test("a page without the lock does nothing until it has it", async () => {
    const { world, page } = opened();
    page.type("large");
    page.close();

    const waiting = world.load();
    waiting.saver.retry();
    waiting.saver.flush();
    await world.advance(60_000);

    assert.equal(world.sent.length, 0);
  });
});
