// What was once wrong and must not come back: each test is a way of losing or overwriting text that was found.
import assert from "node:assert/strict";
import { test } from "node:test";

import { withSubstitutes } from "../../../static/js/workbench/answer.js";
import { answer, KINDS } from "./fake-server.js";
import { LOST_REQUEST, LOST_RESPONSE, opened, slow, stray } from "./fakes.js";

/** Reloaded with an unanswered request while another browser has saved. */
async function overtakenRequest() {
  const { world, server, page } = opened();
  world.network.plan = [LOST_REQUEST];
  page.step("mine");
  await world.advance(0);
  server.saveElsewhere(answer("theirs"));
  return { world, server, page };
}

test("a conflict found after a reload is still a conflict after the next reload", async () => {
  const { world, server, page } = await overtakenRequest();
  const later = world.reload(page);
  await world.advance(0);
  assert.equal(later.saver.state, "conflict");

  const last = world.reload(later);
  await world.advance(0);

  assert.deepEqual(server.draft, answer("theirs"));
  assert.equal(last.saver.state, "conflict");
});

test("the network coming back during a conflict (retry) overwrites nothing", async () => {
  const { world, server, page } = await overtakenRequest();
  const later = world.reload(page);
  await world.advance(0);

  later.saver.retry();
  await world.advance(0);

  assert.deepEqual(server.draft, answer("theirs"));
  assert.equal(later.saver.state, "conflict");
});

test("a request refused after a reload, then retried, overwrites nothing", async () => {
  const { world, server, page } = await overtakenRequest();
  server.isOpen = false;
  const later = world.reload(page);
  await world.advance(0);

  server.isOpen = true;
  later.saver.retry();
  await world.advance(0);

  assert.deepEqual(server.draft, answer("theirs"));
  assert.equal(later.saver.state, "conflict");
});

test("text typed and taken back before it was sent leaves no slot", async () => {
  const { world, page } = opened();
  page.type("x");
  page.saver.change({ marks: [] });
  await world.advance(60_000);

  assert.equal(page.saver.state, "saved");
  assert.equal(world.slot, null);
});

test("a refused submit of a text that is saved already leaves no slot", async () => {
  const { world, page } = opened();
  page.saver.change(answer(null), { now: true });
  await world.advance(0);
  page.saver.act("submit");
  await world.advance(0);

  assert.equal(page.saver.state, "saved");
  assert.equal(world.slot, null);
});

test("after typing and taking back here and work elsewhere, opening the page is no conflict", async () => {
  const { world, server, page } = opened();
  page.type("x");
  page.saver.change({ marks: [] });
  await world.advance(60_000);
  server.saveElsewhere(answer("evening work on the other computer"));

  const later = world.reload(page);
  await world.advance(0);

  assert.deepEqual([later.saver.state, later.saver.newest], ["saved", answer("evening work on the other computer")]);
});

test("a slot that says what the server says leaves the page on the server's version", async () => {
  const { world, server, page } = opened();
  page.type("same");
  server.saveElsewhere(answer("same"));

  const later = world.reload(page);
  later.step("next");
  await world.advance(0);

  assert.deepEqual([later.saver.state, server.draft], ["saved", answer("next")]);
});

test("a reload with unsent text never tells saved before its 2xx", async () => {
  const { world, page } = opened();
  page.type("large");
  const later = world.reload(page);
  const shown = [...later.shown];
  assert.ok(!shown.includes("saved"), shown.join());
});

test("a tab that gets the lock back stops saying that another tab has it", async () => {
  const { page } = opened();
  page.saver.standDown();
  page.saver.begin();
  assert.equal(page.saver.state, "saved");
});

test("continuing here after work in the other tab is no conflict", async () => {
  const { world, server, page } = opened();
  page.saver.standDown();
  const other = world.open();
  other.step("written in the other tab");
  await world.advance(0);
  other.saver.standDown();

  page.saver.refresh({ version: server.version, state: server.state, answer: server.draft });
  page.saver.begin();
  page.step("and on");
  await world.advance(0);

  assert.equal(page.saver.state, "saved");
  assert.deepEqual(server.draft, answer("and on"));
});

test("text typed while a submit was lost can be saved after reopening", async () => {
  const { world, server, page } = opened();
  world.network.plan = [LOST_RESPONSE];
  page.type("submitted");
  page.saver.act("submit");
  await world.advance(0);
  page.type("typed while the server was silent");
  await world.advance(1_000);
  assert.equal(server.state, "submitted");

  const later = world.reload(page);
  await world.advance(0);
  later.saver.act("reopen");
  await world.advance(0);

  assert.equal(server.state, "started");
  assert.deepEqual(server.draft, answer("typed while the server was silent"));
});

test("newer typing is sent when an older save is refused", async () => {
  const { world, server, page } = opened();
  world.network.plan = [slow(2_000)];
  page.saver.change(answer("bad", KINDS.unknown), { now: true });
  await world.advance(1_000);
  page.type("mended");
  await world.advance(60_000);

  assert.deepEqual([server.draft, page.saver.state], [answer("mended"), "saved"]);
});

test("an act asked for during a conflict is not carried out unasked later", async () => {
  const { world, server, page } = opened();
  server.saveElsewhere(answer("theirs"));
  page.step("mine");
  await world.advance(0);
  page.saver.act("discard", { reason: "duplicate", remark: "" });
  page.saver.takeTheirs();
  assert.equal(page.saver.state, "saved");

  page.step("theirs, mended");
  await world.advance(0);

  assert.equal(server.state, "started");
});

for (const [name, trouble] of Object.entries({
  "200 null": stray(200, "null"),
  "412 without stored": stray(412, '{"detail": "Precondition Failed"}'),
})) {
  test(`${name}: JSON that is not our server's counts as lost and is tried again`, async () => {
    const { world, server, page } = opened();
    world.network.plan = [trouble];
    page.step("large");
    await world.advance(60_000);
    assert.deepEqual([server.draft, page.saver.state], [answer("large"), "saved"]);
  });
}

test("a refusal that is not our server's is shown, and the text is kept", async () => {
  const { world, page } = opened();
  world.network.plan = [stray(422, '{"problems": "many", "detail": "Not today."}')];
  page.step("large");
  await world.advance(0);
  assert.deepEqual([page.saver.state, page.saver.message, world.slot.answer], ["refused", "Not today.", answer("large")]);
});

test("submit pressed twice sends one submit", async () => {
  const { world, page } = opened();
  world.network.plan = [slow(500)];
  page.type("large");
  page.saver.act("submit");
  page.saver.act("submit");
  await world.advance(60_000);
  assert.equal(world.sent.length, 1);
});

test("nothing added to an answer of nothing to improve leaves it so", () => {
  assert.deepEqual(withSubstitutes({ none: true }, { start: 0, end: 3, quote: "big" }, []), { none: true });
});

test("a response to a request from before standing down does not drop the other tab's request", async () => {
  const { world, server, page } = opened();
  world.network.plan = [{ answers: 15_000 }];
  page.step("a");
  await world.advance(0);
  page.saver.standDown();
  const other = world.open(); // sends a again, 200
  await world.advance(0);
  world.network.plan = [LOST_RESPONSE];
  other.step("b");
  await world.advance(0);
  other.type("c");
  other.saver.standDown();

  page.saver.begin();
  await world.advance(60_000);

  assert.deepEqual([server.draft, page.saver.state], [answer("c"), "saved"]);
});

test("a submit still waiting when another tab takes over is not carried out when this tab continues", async () => {
  const { world, server, page } = opened();
  world.network.plan = [slow(1_000)];
  page.step("a");
  page.saver.act("submit");
  page.saver.standDown();
  const other = world.load();
  other.saver.standDown(); // it was read-only until “Continue here” was pressed in it
  other.saver.begin();
  await world.advance(2_000);
  other.step("half-finished in the other tab");
  await world.advance(0);
  other.saver.standDown();

  page.saver.refresh(server.page());
  page.saver.begin();
  await world.advance(0);

  assert.deepEqual([server.state, server.submissions], ["started", []]);
});

test("without a working storage, continuing here keeps the text that lives only in this page", async () => {
  const { world, server, page } = opened();
  world.storage.isBroken = true;
  server.isDown = true;
  page.step("only here");
  await world.advance(0);
  page.saver.standDown();
  server.isDown = false;

  page.saver.refresh(server.page());
  page.saver.begin();
  await world.advance(60_000);

  assert.deepEqual(server.draft, answer("only here"));
});
