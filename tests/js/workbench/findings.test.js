import assert from "node:assert/strict";
import { test } from "node:test";

import { Findings } from "../../../static/js/workbench/findings.js";

const answer = (text) => ({ marks: [{ start: 0, end: 1, quote: "a", note: "", unsure: false, substitutes: [{ text, type: "R", via: "typed" }] }] });
const about = (message) => ({ code: "comma", severity: "warning", guideline: "A.3", message, path: "marks[0].substitutes[0]", fix: null });

/** A server whose answers are given by hand, and a clock that is moved by hand. */
function setup() {
  const calls = [];
  const timers = new Map();
  let count = 0;
  const deps = {
    csrf: () => "token",
    setTimeout: (act) => {
      count += 1;
      timers.set(count, act);
      return count;
    },
    clearTimeout: (id) => timers.delete(id),
    fetch: (url, given) => new Promise((resolve, reject) => {
      calls.push({ url, body: JSON.parse(given.body), answer: (findings) => resolve({ ok: true, json: async () => ({ findings }) }), fail: () => reject(new Error("gone")) });
    }),
  };
  const shown = [];
  const findings = new Findings("/api/v1/assignments/x", deps, (list) => shown.push(list.map((item) => item.message)));
  const tick = () => [...timers].forEach(([id, act]) => timers.delete(id) && act());
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { findings, calls, shown, tick, settle };
}

test("only the last of several quick changes is asked about", async () => {
  const { findings, calls, shown, tick, settle } = setup();
  for (const text of ["x", "xy", "xyz"]) findings.ask(answer(text));
  tick();
  assert.equal(calls.length, 1);
  assert.deepEqual(calls[0].body, { answer: answer("xyz") });

  calls[0].answer([about("one")]);
  await settle();

  assert.deepEqual(shown, [["one"]]);
  assert.equal(findings.of(answer("xyz").marks[0]).length, 1);
  assert.equal(findings.of(answer("other").marks[0]).length, 0);
  assert.equal(findings.warnings(answer("xyz")).length, 1);
  assert.equal(findings.warnings(answer("other")).length, 0);
});

test("an answer that comes late about an older text is not shown", async () => {
  const { findings, calls, shown, tick, settle } = setup();
  findings.ask(answer("old"));
  tick();
  findings.ask(answer("new"));
  tick();
  calls[1].answer([about("new")]);
  calls[0].answer([about("old")]);
  await settle();

  assert.deepEqual(shown, [["new"]]);
});

test("back at a text that was asked about, its findings are shown again without asking", async () => {
  const { findings, calls, shown, tick, settle } = setup();
  findings.ask(answer("a"));
  tick();
  calls[0].answer([about("a")]);
  await settle();
  findings.ask(answer("b"));
  findings.ask(answer("a"));
  tick();

  assert.equal(calls.length, 1);
  assert.deepEqual(shown, [["a"], ["a"]]);
});

test("no answer is no finding and no noise", async () => {
  const { findings, calls, shown, tick, settle } = setup();
  findings.ask(answer("a"));
  tick();
  calls[0].fail();
  await settle();

  assert.deepEqual(shown, []);
  assert.deepEqual(findings.warnings(answer("a")), []);
});

test("a warning about a mark that stands as it stood is known, whatever was typed elsewhere since", async () => {
  const { findings, calls, tick, settle } = setup();
  const old = answer("a, b");
  findings.ask(old);
  tick();
  calls[0].answer([about("comma"), { ...about("few"), path: "answer" }]);
  await settle();
  const more = { marks: [...old.marks, { ...old.marks[0], start: 5, end: 6 }] };

  assert.deepEqual(findings.warnings(more).map((finding) => finding.message), ["comma"]);
  assert.deepEqual(findings.warnings(old).map((finding) => finding.message), ["comma", "few"]);
  assert.deepEqual(findings.warnings(answer("a b")), []);
});
