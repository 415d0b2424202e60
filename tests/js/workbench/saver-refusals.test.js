// What the save machine does when the server says no; and submit, discard and reopen.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { KINDS, answer } from "./fake-server.js";
import { opened, slow } from "./fakes.js";

describe("signed out", () => {
  test("the slot is kept, and signing in sends the same request with the typing since (T13)", async () => {
    const { world, server, page } = opened();
    server.isSignedIn = false;

    page.step("large");
    await world.advance(0);
    page.step("huge");
    page.saver.flush();
    await world.advance(60_000);
    const during = { state: page.saver.state, sent: world.sent.length, slot: world.slot };
    server.isSignedIn = true;
    page.saver.retry();
    await world.advance(0);

    assert.deepEqual([during.state, during.sent, during.slot.answer], ["signed-out", 1, answer("huge")]);
    assert.equal(during.slot.request.body.save_id, world.sent[0].saveId);
    assert.equal(world.sent[1].text, world.sent[0].text);
    assert.deepEqual([server.draft, page.saver.state, world.slot], [answer("huge"), "saved", null]);
  });

  test("submit pressed while signed out is carried out after signing in", async () => {
    const { world, server, page } = opened();
    server.isSignedIn = false;

    page.step("large");
    await world.advance(0);
    page.saver.act("submit");
    server.isSignedIn = true;
    page.saver.retry();
    await world.advance(0);

    assert.deepEqual([server.submissions, server.state], [[answer("large")], "submitted"]);
  });

  test("a stale form token is tried once more with the fresh one", async () => {
    const { world, server, page } = opened();
    server.token = "token-2";

    page.step("large");
    world.cookie = "token-2";
    await world.advance(0);

    assert.deepEqual(world.sent.map(({ token }) => token), ["token-1", "token-2"]);
    assert.equal(world.sent[1].text, world.sent[0].text);
    assert.deepEqual([server.draft, page.saver.state], [answer("large"), "saved"]);
  });

  test("the next stale token, after a save that went well, is tried once more too", async () => {
    const { world, server, page } = opened();

    for (const token of ["token-2", "token-3"]) {
      server.token = token;
      page.step(token);
      world.cookie = token;
      await world.advance(0);
    }

    assert.deepEqual([world.sent.length, server.draft, page.saver.state], [4, answer("token-3"), "saved"]);
  });

  test("a 403 that stays is a refusal after the second try, with the text kept", async () => {
    const { world, server, page } = opened();
    server.token = "token-2";

    page.step("large");
    await world.advance(60_000);

    assert.deepEqual([world.sent.length, page.saver.state], [2, "refused"]);
    assert.deepEqual(world.slot.answer, answer("large"));
  });
});

describe("refusals keep the text", () => {
  // [why, what is so on the server, what is typed]
  const REFUSALS = [
    ["409, submitted elsewhere", { state: "submitted" }, answer("large")],
    ["409, type removed", {}, answer("large", KINDS.retired)],
    ["422, no such type", {}, answer("large", KINDS.unknown)],
    ["413, too large", {}, answer("x".repeat(60_000))],
  ];

  for (const [why, so, given] of REFUSALS) {
    test(`${why}: nothing is written, the request is dropped, the text stays, no more tries`, async () => {
      const { world, server, page } = opened();
      Object.assign(server, so);

      page.saver.change(given, { now: true });
      await world.advance(60_000);

      assert.deepEqual([world.sent.length, server.version, page.saver.state], [1, 1, "refused"]);
      assert.deepEqual([world.slot.request, world.slot.answer], [null, given]);
      assert.notEqual(page.saver.message, "");
      assert.deepEqual(world.reload(page).saver.newest, given);
    });
  }

  for (const code of ["project_paused", "member_paused"]) {
    test(`${code}: the text is kept and sent by itself when work goes on again, without flicker`, async () => {
      const { world, server, page } = opened();
      Object.assign(server, { isOpen: false, isPausedAs: code });
      page.step("large");
      await world.advance(0);
      const before = page.shown.length;
      await world.advance(60_000);
      assert.deepEqual([page.saver.state, server.version, world.slot.answer], ["refused", 1, answer("large")]);
      assert.deepEqual(new Set(page.shown.slice(before)), new Set(["refused"]));

      server.isOpen = true;
      await world.advance(15_000);

      assert.deepEqual([page.saver.state, page.saver.refusal, server.draft, world.slot], ["saved", null, answer("large"), null]);
    });
  }

  test("submitted elsewhere as it stood: the page knows it, and reopening saves what is typed", async () => {
    const { world, server, page } = opened();
    Object.assign(server, { state: "submitted", version: 5 });
    page.step("large");
    await world.advance(0);
    assert.deepEqual([page.saver.state, page.saver.serverState, page.saver.version], ["refused", "submitted", 5]);

    page.saver.act("reopen");
    await world.advance(0);

    assert.deepEqual([server.draft, server.state, page.saver.state, world.slot], [answer("large"), "started", "saved", null]);
  });

  test("submitted elsewhere, and nobody answers anew: reopening is refused, said, and offered no longer", async () => {
    const { world, server, page } = opened();
    Object.assign(server, { state: "submitted", version: 5, isBlind: false });
    page.step("large");
    await world.advance(0);
    assert.equal(page.saver.staysOver, "");

    page.saver.act("reopen");
    await world.advance(60_000);

    assert.deepEqual([server.state, page.saver.state, page.saver.staysOver], ["submitted", "refused", "It would not be blind."]);
    assert.deepEqual(world.slot.answer, answer("large"));
  });

  test("submitted elsewhere with another text: both are shown, and keeping mine takes it back first", async () => {
    const { world, server, page } = opened();
    Object.assign(server, { state: "submitted", version: 5, draft: answer("theirs") });
    page.step("large");
    await world.advance(0);
    assert.deepEqual([page.saver.state, page.saver.conflict.answer], ["conflict", answer("theirs")]);

    page.saver.keepMine();
    await world.advance(0);

    assert.deepEqual([server.draft, server.state, page.saver.state, world.slot], [answer("large"), "started", "saved", null]);
  });

  test("submitted elsewhere with the very text that is typed: nothing to say", async () => {
    const { world, server, page } = opened();
    Object.assign(server, { state: "submitted", version: 5, draft: answer("large") });
    page.step("large");
    await world.advance(0);

    assert.deepEqual([page.saver.state, page.saver.serverState, world.slot], ["saved", "submitted", null]);
  });

  test("the next edit after a refusal is saved with a save id of its own", async () => {
    const { world, server, page } = opened();
    page.saver.change(answer("large", KINDS.unknown), { now: true });
    await world.advance(0);

    page.step("huge");
    await world.advance(0);

    assert.notEqual(world.sent[1].saveId, world.sent[0].saveId);
    assert.deepEqual([server.draft, page.saver.state, page.saver.refusal], [answer("huge"), "saved", null]);
  });

  test("retry after the project is open again saves the text", async () => {
    const { world, server, page } = opened();
    server.isOpen = false;
    page.step("large");
    await world.advance(0);

    server.isOpen = true;
    page.saver.retry();
    await world.advance(0);

    assert.deepEqual([server.draft, page.saver.state, world.slot], [answer("large"), "saved", null]);
  });

  test("letting go of a refused text empties the slot and shows what is stored", async () => {
    const { world, server, page } = opened();
    server.isOpen = false;
    page.step("large");
    await world.advance(0);

    page.saver.letGo();

    assert.deepEqual([page.saver.newest, page.saver.state, world.slot], [{ marks: [] }, "saved", null]);
  });

  test("a passage that is gone keeps the text and asks no more", async () => {
    const { world, server, page } = opened();
    server.isGone = true;

    page.step("large");
    await world.advance(0);
    page.step("huge");
    page.saver.flush();
    await world.advance(60_000);

    assert.deepEqual([world.sent.length, page.saver.state], [1, "gone"]);
    assert.deepEqual(world.slot.answer, answer("huge"));
  });
});

describe("acts", () => {
  test("submit carries the newest answer in its own request, without a save before it", async () => {
    const { world, server, page } = opened();

    page.type("large");
    page.saver.act("submit");
    await world.advance(60_000);

    assert.deepEqual(world.sent.map(({ kind, method }) => [kind, method]), [["submit", "POST"]]);
    assert.deepEqual([server.submissions, page.saver.state], [[answer("large")], "saved"]);
    assert.equal(page.saver.serverState, "submitted");
  });

  test("submit waits for the save under way and goes on its version", async () => {
    const { world, server, page } = opened();
    world.network.plan = [slow(1_000)];

    page.step("large");
    page.saver.act("submit");
    await world.advance(1_000);

    assert.deepEqual(world.sent.map(({ kind, ifMatch }) => [kind, ifMatch]), [["save", '"1"'], ["submit", '"2"']]);
    assert.deepEqual([server.submissions, page.mostUnderWay], [[answer("large")], 1]);
  });

  test("a refused submit still saves the draft, and says why it was refused", async () => {
    const { world, server, page } = opened();

    page.saver.change(answer(null));
    page.saver.act("submit");
    await world.advance(60_000);

    assert.deepEqual(world.sent.map(({ kind }) => kind), ["submit", "save"]);
    assert.deepEqual([server.draft, server.submissions, page.saver.state], [answer(null), [], "saved"]);
    assert.deepEqual([page.saver.refusal.kind, page.saver.finished], ["submit", null]);
    assert.match(page.saver.refusal.message, /no substitute/);
  });

  test("a submit that waited behind a refused save is forgotten: mending the text only saves", async () => {
    const { world, server, page } = opened();
    page.saver.change(answer("large", KINDS.unknown), { now: true });
    page.saver.act("submit");
    await world.advance(0);

    page.step("huge");
    await world.advance(60_000);

    assert.deepEqual(world.sent.map(({ kind }) => kind), ["save", "save"]);
    assert.deepEqual([server.draft, server.state], [answer("huge"), "started"]);
  });

  test("submit pressed twice makes one submission (T10)", async () => {
    const { world, server, page } = opened();
    world.network.plan = [slow(500)];

    page.type("large");
    page.saver.act("submit");
    page.saver.act("submit");
    await world.advance(60_000);

    assert.deepEqual([server.submissions.length, server.state], [1, "submitted"]);
  });

  test("discard saves unsaved text first, then discards with its reason", async () => {
    const { world, server, page } = opened();

    page.type("large");
    page.saver.act("discard", { reason: "duplicate", remark: "" });
    await world.advance(0);

    assert.deepEqual(world.sent.map(({ kind }) => kind), ["save", "discard"]);
    assert.deepEqual(world.sent[1].parsed, { save_id: world.sent[1].saveId, reason: "duplicate", remark: "" });
    assert.deepEqual([server.draft, server.state], [answer("large"), "discarded"]);
  });

  test("reopen carries a save id and nothing else", async () => {
    const { world, server } = opened();
    server.state = "submitted";
    const page = world.open();

    page.saver.act("reopen");
    await world.advance(0);

    assert.deepEqual([world.sent[0].kind, Object.keys(world.sent[0].parsed)], ["reopen", ["save_id"]]);
    assert.deepEqual([server.state, page.saver.finished], ["started", { kind: "reopen" }]);
  });
});
