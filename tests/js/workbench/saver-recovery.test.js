// When the save machine says “saved”, what it keeps in the browser until then, and what a reload makes of that.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { answer } from "./fake-server.js";
import { LOST_REQUEST, LOST_RESPONSE, NEVER_ANSWERED, World, opened, slow, stray } from "./fakes.js";

describe("saved means saved (T14)", () => {
  const NOT_SAVED = {
    "no network": LOST_REQUEST,
    "a lost response": LOST_RESPONSE,
    "a proxy's page with status 200": stray(200, "<!doctype html><p>Welcome to the hotel</p>"),
    "JSON with status 200 that names no version": stray(200, '{"ok": true}'),
    "a version that is no number": stray(200, '{"version": "2", "state": "started"}'),
    "a page of a proxy whose server is gone": stray(502, "<h1>Bad gateway</h1>"),
    "an error as JSON": stray(503, '{"code": "unavailable", "detail": "Later."}'),
    "a request that took too long": stray(408, '{"code": "timeout", "detail": "Later."}'),
    "too many requests": stray(429, '{"code": "throttled", "detail": "Later."}'),
  };

  for (const [name, trouble] of Object.entries(NOT_SAVED)) {
    test(`${name} is never shown as saved, and the same request is tried again`, async () => {
      const { world, server, page } = opened();
      world.network.plan = [trouble];
      page.shown.length = 0;

      page.step("large");
      await world.advance(999);
      const shownBefore = [...page.shown];
      const slotBefore = world.slot;
      await world.advance(1);

      assert.deepEqual(shownBefore, ["unsaved", "saving", "retrying"]);
      assert.deepEqual(slotBefore.answer, answer("large"));
      assert.equal(world.sent[1].text, world.sent[0].text);
      assert.deepEqual([page.saver.state, server.draft], ["saved", answer("large")]);
    });
  }

  test("saved is shown only after the 2xx, and then with its version", async () => {
    const { world, page } = opened();
    world.network.plan = [slow(500)];
    page.shown.length = 0;

    page.type("large");
    await world.advance(899);
    const before = [...page.shown];
    await world.advance(1);

    assert.ok(!before.includes("saved"), before.join());
    assert.deepEqual([page.saver.state, page.saver.version], ["saved", 2]);
  });
});

describe("the slot", () => {
  test("it is there from the first key until the 2xx, and gone after it", async () => {
    const { world, page } = opened();
    world.network.plan = [slow(1_000)];

    page.type("large");
    const typed = world.slot;
    await world.advance(400);
    const sent = world.slot;
    await world.advance(999);
    const waiting = world.slot;
    await world.advance(1);

    assert.deepEqual([typed.request, typed.answer, typed.version], [null, answer("large"), 1]);
    assert.deepEqual([sent.request.body.save_id, sent.request.version], [world.sent[0].saveId, 1]);
    assert.deepEqual([waiting, world.slot], [sent, null]);
  });

  test("it holds the unanswered request unchanged beside the newest answer", async () => {
    const { world, page } = opened();
    world.network.plan = [slow(1_000)];

    page.step("large");
    const request = world.slot.request;
    page.type("huge");

    assert.deepEqual(request.body.answer, answer("large"));
    assert.deepEqual([world.slot.request, world.slot.answer], [request, answer("huge")]);
  });

  test("a storage that throws is said, and saving goes on without it", async () => {
    const { world, server, page } = opened();
    world.storage.isBroken = true;
    world.network.plan = [LOST_RESPONSE];

    page.step("large");
    const hasFailed = page.saver.hasSlotFailed;
    await world.advance(1_000);

    assert.equal(hasFailed, true);
    assert.deepEqual([server.draft, page.saver.state], [answer("large"), "saved"]);
  });

  test("a storage that works again is used again", async () => {
    const { world, page } = opened();

    world.storage.isBroken = true;
    page.type("large");
    world.storage.isBroken = false;
    page.type("huge");

    assert.equal(page.saver.hasSlotFailed, false);
    assert.deepEqual(world.slot.answer, answer("huge"));
  });

  test("a page opens although the storage throws, or holds what is not a slot", () => {
    for (const text of [null, "{", "7", "null", '{"answer": "x", "version": 1}', '{"answer": {}}']) {
      const world = new World();
      if (text === null) world.storage.isBroken = true;
      else world.storage.items.set(world.slotKey, text);

      const { saver } = world.open();

      assert.deepEqual([saver.state, saver.newest, world.sent.length], ["saved", { marks: [] }, 0], text);
    }
  });
});

describe("reload", () => {
  const LOSSES = { "that never arrived": LOST_REQUEST, "that was stored but not answered": NEVER_ANSWERED };

  for (const [name, loss] of Object.entries(LOSSES)) {
    test(`a request ${name} is sent again first, unchanged, then the newer answer`, async () => {
      const { world, server, page } = opened();
      world.network.plan = [loss];
      page.step("large");
      await world.advance(0);
      page.type("huge");

      const later = world.reload(page);
      await world.advance(0);

      const [first, again, newer] = world.sent;
      assert.deepEqual([again.text, again.ifMatch], [first.text, first.ifMatch]);
      assert.deepEqual([newer.answer, newer.ifMatch], [answer("huge"), '"2"']);
      assert.deepEqual([server.draft, server.version, later.saver.state], [answer("huge"), 3, "saved"]);
      assert.equal(world.slot, null);
    });
  }

  test("the text on the page is the newest typed, not the one the server had", async () => {
    const { world, page } = opened();
    page.type("large");

    const later = world.reload(page);

    assert.deepEqual(later.saver.newest, answer("large"));
  });

  test("typed but unsent text is sent at once, on the version it was typed on", async () => {
    const { world, server, page } = opened();
    page.type("large");

    const later = world.reload(page);
    await world.advance(0);

    assert.equal(world.sent[0].ifMatch, '"1"');
    assert.deepEqual([server.draft, later.saver.state], [answer("large"), "saved"]);
  });

  test("typed but unsent text is a conflict where the server has moved on, and overwrites nothing", async () => {
    const { world, server, page } = opened();
    page.type("mine");
    server.saveElsewhere(answer("theirs"));

    const later = world.reload(page);
    await world.advance(60_000);

    assert.equal(world.sent[0].ifMatch, '"1"');
    assert.deepEqual([server.draft, later.saver.state], [answer("theirs"), "conflict"]);
    assert.deepEqual([later.saver.newest, later.saver.conflict.answer], [answer("mine"), answer("theirs")]);
    assert.deepEqual(world.slot.answer, answer("mine"));
  });

  test("a slot that says what the server has already is emptied, and nothing is sent", async () => {
    const { world, server, page } = opened();
    page.type("large");
    server.saveElsewhere(answer("large"));

    const later = world.reload(page);
    await world.advance(60_000);

    assert.deepEqual([world.slot, world.sent.length, later.saver.state], [null, 0, "saved"]);
  });

  test("a request that arrives late, after its repetition, changes nothing", async () => {
    const { world, server, page } = opened();
    world.network.plan = [{ arrives: 5_000 }];
    page.step("large");

    const later = world.reload(page);
    later.step("huge");
    await world.advance(10_000);

    assert.equal(server.received.length, 3);
    assert.deepEqual([server.draft, server.version, later.saver.state], [answer("huge"), 3, "saved"]);
  });

  test("a submit whose response is lost makes one submission, and the page learns that it is done", async () => {
    const { world, server, page } = opened();
    world.network.plan = [NEVER_ANSWERED];
    page.type("large");
    page.saver.act("submit");
    await world.advance(0);

    const later = world.reload(page);
    await world.advance(0);

    assert.deepEqual(server.submissions, [answer("large")]);
    assert.deepEqual([later.saver.finished, later.saver.serverState], [{ kind: "submit" }, "submitted"]);
    assert.equal(world.slot, null);
  });

  test("a submit that waited behind a save is carried out when the page comes back", async () => {
    const { world, server, page } = opened();
    world.network.plan = [LOST_REQUEST];
    page.step("large");
    await world.advance(0);
    page.saver.act("submit");

    const again = world.reload(page);
    await world.advance(0);

    assert.deepEqual([server.submissions, server.state, again.saver.finished, world.slot], [[answer("large")], "submitted", { kind: "submit" }, null]);
  });

  test("but not in a tab that takes the passage over to go on with it", async () => {
    const { world, server, page } = opened();
    world.network.plan = [LOST_REQUEST];
    page.step("large");
    await world.advance(0);
    page.saver.act("submit");

    page.saver.standDown();
    const other = world.load();
    other.saver.standDown();
    other.saver.begin();
    await world.advance(60_000);

    assert.deepEqual([server.state, server.draft, other.saver.state], ["started", answer("large"), "saved"]);
  });
});
