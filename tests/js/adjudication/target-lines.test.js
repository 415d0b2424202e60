import assert from "node:assert/strict";
import { test } from "node:test";

import { verdictOf } from "../../../static/js/adjudication/standing-view.js";
import { askingLines, votesLine, whyLine } from "../../../static/js/adjudication/target-lines.js";

const TYPES = [{ key: "r", label: "Refine" }, { key: "d", label: "Diversify" }];
const target = (more = {}) => ({ start: 1, end: 5, annotators: 2, voters: ["A01", "A02"], variants: [], type_tie: false, type: "r", offered: [{ text: "large", voters: ["A01"] }], decision: null, ...more });
const asking = (found, { laid = { type: found.type }, content = {}, isToAgree = false } = {}) => askingLines(found, laid, content, { types: TYPES, isToAgree });

test("the votes: who, which types, whose the chip is", () => {
  const page = { types: TYPES, type_votes: [{ start: 1, end: 5, types: { "": 1, d: 2, gone: 1 } }] };

  assert.equal(votesLine(target(), { text: "large", voters: ["A02"] }, page), "Marked by A01, A02. Types: 1 both alike, 2 say Diversify, 1 say gone. “large” by A02.");
  assert.equal(votesLine(target({ annotators: 0, start: 9 }), { text: "new", voters: [] }, page), "Nobody marked it.");
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
  assert.deepEqual(asking(target({ decision })), ["Look again. When it was decided: big 2. Now: large 1. Y: still right."]);
  const added = { looks_again: true, snapshot: {} };
  assert.match(asking(target({ decision: added }))[0], /decided: nothing\. Now/u);
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
