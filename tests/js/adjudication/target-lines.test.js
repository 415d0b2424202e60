import assert from "node:assert/strict";
import { test } from "node:test";

import { verdictOf } from "../../../static/js/adjudication/standing-view.js";
import { askingLines, besideLines, changeLines, fateOf, tieOf, voiceLine, votesLine, whyLine } from "../../../static/js/adjudication/target-lines.js";

const plain = (text) => text.replaceAll(/[\u2068\u2069]/gu, ""); // without what keeps scripts apart
const TYPES = [{ key: "r", label: "Refine" }, { key: "d", label: "Diversify" }];
const target = (more = {}) => ({ start: 1, end: 5, annotators: 2, voters: ["A01", "A02"], variants: [], type_tie: false, type: "r", offered: [{ text: "large", voters: ["A01"] }], decision: null, ...more });
const asking = (found, { laid = { type: found.type }, content = {}, isToAgree = false } = {}) => askingLines(found, laid, content, { types: TYPES, isToAgree });

test("the votes: who, which types, whose the chip is", () => {
  const page = { types: TYPES, type_votes: [{ start: 1, end: 5, types: { "": 1, d: 2, gone: 1 } }] };

  assert.equal(plain(votesLine(target(), { text: "large", voters: ["A02"] }, page)), "Marked by A01, A02. Types: 1 both alike, 2 say Diversify, 1 say gone. “large” by A02.");
  assert.equal(votesLine(target({ annotators: 0, start: 9 }), { text: "new", voters: [] }, page), "Nobody marked it.");
});

test("the same word elsewhere: what became of it", () => {
  const row = (more) => ({ is_kept: true, is_decided: false, is_moved: false, is_in_discarded: false, ...more });

  assert.equal(fateOf(row()), "kept");
  assert.equal(fateOf(row({ is_kept: false, is_decided: true })), "dropped, decided");
  assert.equal(fateOf(row({ is_kept: false, is_decided: true, is_moved: true })), "moved");
  assert.equal(fateOf(row({ is_kept: false, is_moved: true, is_in_discarded: true })), "passage discarded");
});

test("nothing asks of a plain target", () => {
  assert.deepEqual(asking(target()), []);
});

test("a tie of types asks until a type is chosen", () => {
  assert.match(asking(target({ type_tie: true }))[0], /^The types tie: it stands as Refine until/u);
  assert.deepEqual(asking(target({ type_tie: true }), { content: { type: "d" } }), []);
});

test("a decision to be looked at again shows both evidences", () => {
  const decision = { looks_again: true, snapshot: { suggestions: [{ text: "big", voters: ["A01", "A02"] }] } };
  assert.deepEqual(asking(target({ decision })).map(plain), ["Look again. When it was decided: big 2. Now: large 1. Y: still right."]);
  const added = { looks_again: true, snapshot: {} };
  assert.match(asking(target({ decision: added }))[0], /decided: nothing\. Now/u);
});

test("what people said beside their substitutes, and how long they took, of this very target", () => {
  const mark = (more = {}) => ({ start: 1, end: 5, note: "", unsure: false, type: "r", substitutes: [{ text: "large" }], ...more });
  const lanes = [
    { name: "A01", seconds: 34, marks: [mark({ note: "or “big”?", unsure: true })] },
    { name: "A02", seconds: 0, marks: [mark({ note: "see the guide" })] },
    { name: "A03", seconds: 12, marks: [mark({ unsure: true })] },
    { name: "A04", seconds: 99, marks: [mark({ start: 2, note: "another span" })] },
    { name: "A05", seconds: 7, marks: [mark()] },
  ];

  assert.deepEqual(besideLines(target(), lanes).map(plain), ["A01 is unsure, and notes: “or “big”?”", "A02 notes: “see the guide”", "A03 is unsure.", "Seconds over the passage: A01 34, A03 12, A05 7."]);
  assert.deepEqual(besideLines(target({ start: 9 }), lanes), []);
});

test("one person's voice in full", () => {
  const labels = new Map([["r", "Refine"]]);
  const mark = { note: "why not", unsure: true, type: "r", substitutes: [{ text: "a very long substitute that no lane has room for" }, { text: "b" }] };

  assert.equal(plain(voiceLine({ name: "A01", seconds: 34 }, mark, labels)), "A01: a very long substitute that no lane has room for; b · Refine · unsure · 34 s · note: why not");
  assert.equal(voiceLine({ name: "A01", seconds: 0 }, { note: "", unsure: false, type: "", substitutes: [] }, labels), "A01: nothing · both alike");
});

test("of a settled passage what is said otherwise by now stands beside what was said", () => {
  const said = (...suggestions) => ({ voters: ["A01", "A02"], type: "r", suggestions });
  const targets = [
    { quote: "big", then: said({ text: "large", voters: ["A01", "A02"] }), now: said({ text: "large", voters: ["A01"] }, { text: "huge", voters: ["A02"] }) },
    { quote: "house", then: null, now: said({ text: "home", voters: ["A01"] }) },
    { quote: "year", then: said(), now: null },
  ];

  assert.deepEqual(changeLines({ of: [2, 3], discards: [0, 1], targets }).map(plain), [
    "Answers then: 2. Now: 3.", "Discards then: 0. Now: 1.",
    "“big” then: large 2 (A01, A02). Now: large 1, huge 1 (A01, A02).",
    "“house” then: nobody. Now: home 1 (A01, A02).", "“year” then: nothing (A01, A02). Now: nobody.",
  ]);
  assert.match(changeLines({ of: [2, 2], discards: [0, 0], targets: [] })[0], /^The votes are the same/u);
});

test("a word of another script turns nothing round beside it", () => {
  const now = { voters: ["A01"], type: "r", suggestions: [{ text: "المنزل", voters: ["A01"] }] };

  assert.deepEqual(changeLines({ of: [1, 1], discards: [0, 0], targets: [{ quote: "البيت", then: null, now }] }), ["“\u2068البيت\u2069” then: nobody. Now: \u2068المنزل\u2069 1 (A01)."]);
});

test("how a tie of types stands", () => {
  const votes = [{ start: 1, end: 5, types: { "": 1, d: 2, r: 2 } }, { start: 9, end: 12, types: { r: 3 } }];

  assert.equal(tieOf(target(), votes), "2–2");
  assert.equal(tieOf(target({ start: 9, end: 12 }), votes), "");
  assert.equal(tieOf(target({ start: 20, end: 22 }), votes), "");
});

test("a proposal says whose turn it is", () => {
  const decision = { is_proposal: true, by: "A09", content: { verdict: "drop", suggestions: [], removed: [] } };
  assert.match(asking(target({ decision }), { isToAgree: true })[0], /^A09 proposes: drop\. Y agrees/u);
  assert.match(asking(target({ decision }))[0], /^You propose: drop\. Somebody else/u);
});

test("why: cause and reason, either, or none", () => {
  const causes = [{ key: "slip", label: "slip" }];
  assert.equal(whyLine({ cause: "slip", reason: "typo" }, causes), "slip – typo");
  assert.equal(whyLine({ cause: "", reason: "typo" }, causes), "typo");
  assert.equal(whyLine({ cause: "", reason: "" }, causes), "");
});

test("how the passage stands", () => {
  const decided = (verdict, more = {}) => ({ verdict: "merged", decision: { by: "A09", reason: "spam", content: { verdict }, ...more } });

  assert.equal(verdictOf({ verdict: "merged", decision: null }, "A01"), "");
  assert.equal(verdictOf(decided("settled"), "A01"), "Settled by A09.");
  assert.equal(verdictOf(decided("discard"), "A01"), "Discarded by A09: spam");
  assert.match(verdictOf({ verdict: "discarded", decision: null }, "A01"), /^More people discarded/u);
  assert.match(verdictOf({ verdict: "too few answers", decision: null }, "A01"), /^Too few people/u);
  assert.equal(verdictOf(decided(null), "A01"), "");
  assert.match(verdictOf(decided("settled", { is_proposal: true, reason: "" }), "A09"), /^You propose to settle this passage as it stands\. Somebody else/u);
  assert.match(verdictOf(decided("discard", { is_proposal: true }), "A01"), /^A09 proposes to discard this passage: spam\. Ctrl Enter agrees/u);
});
