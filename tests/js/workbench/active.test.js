import assert from "node:assert/strict";
import { test } from "node:test";

import { ActiveClock } from "../../../static/js/workbench/active.js";

/** A clock that reads what the test says; `at(ms)` is an input event at that time. */
function activeClock() {
  let now = 0;
  const clock = new ActiveClock(() => now);
  const at = (ms) => {
    now = ms;
    clock.tick();
  };
  return { clock, at };
}

test("the gaps between input events are counted", () => {
  const { clock, at } = activeClock();

  [0, 100, 350, 1350].forEach(at);

  assert.equal(clock.take(), 1350);
});

test("a single event is no time, whatever the clock read before it", () => {
  const { clock, at } = activeClock();

  at(987_654);

  assert.equal(clock.take(), 0);
});

test("a gap of a minute counts whole", () => {
  const { clock, at } = activeClock();

  [5_000, 65_000].forEach(at);

  assert.equal(clock.take(), 60_000);
});

test("a gap longer than a minute counts as a minute", () => {
  const { clock, at } = activeClock();

  [0, 3_600_000, 3_600_500].forEach(at);

  assert.equal(clock.take(), 60_500);
});

test("the time out of sight does not count, however short", () => {
  const { clock, at } = activeClock();

  [0, 1_000].forEach(at);
  clock.rest();
  [11_000, 11_200].forEach(at);

  assert.equal(clock.take(), 1_200);
});

test("what was taken is not given again, and the running gap goes on", () => {
  const { clock, at } = activeClock();

  [0, 1_000].forEach(at);
  const first = clock.take();
  const none = clock.take();
  at(1_700);

  assert.deepEqual([first, none, clock.take()], [1_000, 0, 700]);
});

test("a clock that goes backwards takes nothing away", () => {
  const { clock, at } = activeClock();

  [1_000, 2_000, 500, 600].forEach(at);

  assert.equal(clock.take(), 1_100);
});

test("the server gets whole milliseconds", () => {
  const { clock, at } = activeClock();

  [0.2, 10.9].forEach(at);

  assert.equal(clock.take(), 11);
});
