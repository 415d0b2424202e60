// When the save machine sends, and what it does about losses.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { answer } from "./fake-server.js";
import { ABOUT, LOST_REQUEST, LOST_RESPONSE, NEVER_ANSWERED, opened, slow } from "./fakes.js";

describe("when to send", () => {
  test("typing is sent 400 ms after the last key, once, with the last text", async () => {
    const { world, page } = opened();

    for (const text of ["l", "la", "lar"]) {
      page.type(text);
      await world.advance(399);
    }
    const before = world.sent.length;
    await world.advance(1);

    assert.equal(before, 0);
    assert.deepEqual(world.sent.map((request) => request.answer), [answer("lar")]);
  });

  test("a whole step is sent at once and leaves nothing to send later", async () => {
    const { world, page } = opened();

    page.type("lar");
    page.step("large");
    const atOnce = world.sent.length;
    await world.advance(60_000);

    assert.equal(atOnce, 1);
    assert.equal(world.sent.length, 1);
  });

  test("blur sends at once what is waiting, and only if something is", async () => {
    const { world, page } = opened();

    page.saver.flush();
    page.type("large");
    page.saver.flush();
    await world.advance(60_000);
    page.saver.flush();

    assert.deepEqual(world.sent.map(({ at, keepalive }) => [at, keepalive]), [[0, false]]);
  });

  test("leaving the page sends with keepalive, so that the request outlives it", async () => {
    const { world, server, page } = opened();

    page.type("large");
    page.saver.flush({ isLeaving: true });
    page.close();
    await world.advance(0);

    assert.equal(world.sent[0].keepalive, true);
    assert.deepEqual(server.draft, answer("large"));
  });

  test("opening a page with nothing owed sends nothing and says saved", async () => {
    const { world, page } = opened();

    await world.advance(60_000);

    assert.deepEqual([world.sent.length, page.saver.state], [0, "saved"]);
  });

  test("text typed back to what is stored needs no request", async () => {
    const { world, page } = opened();

    page.type("x");
    page.saver.change({ marks: [] });
    await world.advance(60_000);

    assert.deepEqual([world.sent.length, page.saver.state], [0, "saved"]);
  });

  test("a save carries version, form token, a new save id and the active time since the last", async () => {
    const { world, server, page } = opened();
    Object.assign(server, { version: 7 });
    const later = world.reload(page);
    world.active = 250;

    later.step("large");
    await world.advance(0);
    later.step("huge");

    const [first, second] = world.sent;
    assert.deepEqual([first.method, first.url.split("/").at(-1)], ["PUT", "answer"]);
    assert.deepEqual([first.ifMatch, first.token, first.parsed.active_ms], ['"7"', "token-1", 250]);
    assert.deepEqual([second.ifMatch, second.parsed.active_ms], ['"8"', 0]);
    assert.notEqual(first.saveId, second.saveId);
  });
});

describe("one request at a time", () => {
  test("typing during a slow save is sent afterwards, on the version that came back (T7)", async () => {
    const { world, server, page } = opened();
    world.network.plan = [slow(3_000)];

    page.step("large");
    await world.advance(1_000);
    page.type("huge");
    await world.advance(1_999);
    const sentMeanwhile = world.sent.length;
    await world.advance(1);

    assert.equal(sentMeanwhile, 1);
    assert.equal(page.mostUnderWay, 1);
    assert.deepEqual(world.sent.map(({ ifMatch }) => ifMatch), ['"1"', '"2"']);
    assert.deepEqual([server.draft, page.saver.state], [answer("huge"), "saved"]);
  });

  test("whoever is still typing when a save comes back is waited for", async () => {
    const { world, page } = opened();
    world.network.plan = [slow(1_000)];

    page.step("large");
    await world.advance(900);
    page.type("huge");
    await world.advance(399);

    assert.deepEqual([world.sent.length, page.saver.state], [1, "unsaved"]);
    await world.advance(1);
    assert.equal(world.sent.length, 2);
  });

  test("a response to an older save never replaces newer typing (T8)", async () => {
    const { world, page } = opened();
    world.network.plan = [slow(1_000)];

    page.step("large");
    await world.advance(999);
    page.type("huge");
    await world.advance(1);

    assert.deepEqual(page.saver.newest, answer("huge"));
    assert.equal(page.saver.state, "unsaved");
    assert.deepEqual(world.slot, { about: ABOUT, request: null, wanted: null, answer: answer("huge"), version: 2 });
  });

  test("many steps during one slow save become one request with the last of them", async () => {
    const { world, server, page } = opened();
    world.network.plan = [slow(2_000)];

    ["a", "b", "c", "d"].forEach((text) => page.step(text));
    await world.advance(2_000);

    assert.deepEqual(world.sent.map((request) => request.answer), [answer("a"), answer("d")]);
    assert.deepEqual([server.version, page.mostUnderWay], [3, 1]);
  });
});

describe("losses", () => {
  test("after a lost response the same request gets 200, and typing in between is kept and sent (T11)", async () => {
    const { world, server, page } = opened();
    world.network.plan = [LOST_RESPONSE];

    page.step("large");
    await world.advance(100);
    page.type("huge");
    await world.advance(900);

    const [first, again, newer] = world.sent;
    assert.deepEqual([again.text, again.ifMatch], [first.text, first.ifMatch]);
    assert.deepEqual([newer.answer, newer.ifMatch], [answer("huge"), '"2"']);
    assert.deepEqual([server.draft, server.version, page.saver.state], [answer("huge"), 3, "saved"]);
  });

  test("a lost request is sent again unchanged", async () => {
    const { world, server, page } = opened();
    world.network.plan = [LOST_REQUEST];
    world.active = 70;

    page.step("large");
    await world.advance(1_000);

    assert.equal(world.sent[1].text, world.sent[0].text);
    assert.deepEqual([server.draft, server.version], [answer("large"), 2]);
  });

  test("the pause between tries doubles from one second and never exceeds 15", async () => {
    const { world, server, page } = opened();
    server.isDown = true;

    page.step("large");
    await world.advance(65_000);

    const pauses = world.sent.slice(1).map(({ at }, n) => at - world.sent[n].at);
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    assert.equal(page.saver.state, "retrying");
  });

  test("after a success the pauses begin at one second again", async () => {
    const { world, page } = opened();
    world.network.plan = [LOST_REQUEST, LOST_REQUEST, {}, LOST_REQUEST];

    page.step("large");
    await world.advance(3_000);
    page.step("huge");
    await world.advance(1_000);

    assert.deepEqual(world.sent.map(({ at }) => at), [0, 1_000, 3_000, 3_000, 4_000]);
  });

  test("typing while the server is silent waits for the next try instead of knocking at every key", async () => {
    const { world, page } = opened();
    world.network.plan = [LOST_REQUEST, LOST_REQUEST];

    page.step("large");
    await world.advance(1_500);
    page.type("huge");
    page.step("huge!");
    await world.advance(1_400);

    assert.deepEqual([world.sent.length, page.saver.state], [2, "retrying"]);
    assert.deepEqual(world.slot.answer, answer("huge!"));
  });

  test("a try by hand does not wait for the pause", async () => {
    const { world, server, page } = opened();
    world.network.plan = [LOST_REQUEST, LOST_REQUEST, LOST_REQUEST];

    page.step("large");
    await world.advance(3_500);
    page.saver.retry();
    await world.advance(0);

    assert.deepEqual([world.sent.at(-1).at, server.draft], [3_500, answer("large")]);
  });

  test("a try by hand that fails too begins the pauses at one second again", async () => {
    const { world, page } = opened();
    world.network.plan = [LOST_REQUEST, LOST_REQUEST, LOST_REQUEST, LOST_REQUEST];

    page.step("large");
    await world.advance(3_500);
    page.saver.retry();
    await world.advance(1_000);

    assert.deepEqual(world.sent.map(({ at }) => at), [0, 1_000, 3_000, 3_500, 4_500]);
  });

  test("the page keeps saying that the server is silent while it tries again", async () => {
    const { world, page } = opened();
    world.network.plan = [LOST_REQUEST, slow(500)];

    page.step("large");
    await world.advance(1_250);

    assert.deepEqual([world.sent.length, page.saver.state], [2, "retrying"]);
  });

  test("a request without an answer for 20 s counts as lost", async () => {
    const { world, server, page } = opened();
    world.network.plan = [NEVER_ANSWERED];

    page.step("large");
    await world.advance(19_999);
    const before = page.saver.state;
    await world.advance(1_001);

    assert.equal(before, "saving");
    assert.deepEqual([world.sent.length, server.version, page.saver.state], [2, 2, "saved"]);
  });
});
