// One assignment on a server that keeps the protocol of ARCHITECTURE.md (Saving), written after
// `annotator/actions/assignments.py`: the order of its checks is the order there.

import { canonical } from "../../../static/js/shared/canonical.js";

const MAX_BODY = 60_000; // bytes, as `annotator/api/door.py`
const MOVES = {
  save: { assigned: "started", started: "started" },
  submit: { assigned: "submitted", started: "submitted" },
  reopen: { submitted: "started" },
  discard: { assigned: "discarded", started: "discarded", submitted: "discarded" },
  "undo-discard": { discarded: "started" },
};

export const KINDS = { open: "refine-usage", retired: "old-type", unknown: "no-such-type" };

/** An answer with one mark on “big”; `text` null: a mark without a substitute, legal as a draft only. */
export function answer(text, type = KINDS.open) {
  const substitutes = text === null ? [] : [{ text, type, via: "typed" }];
  return { marks: [{ start: 0, end: 3, quote: "big", note: "", unsure: false, substitutes }] };
}

/** One assignment on the server. */
export class FakeServer {
  version = 1;
  state = "started";
  draft = { marks: [] };
  lastSaveId = null;
  answers = new Map(); // by version, what was stored as it
  submissions = [];
  received = []; // save ids, in order of arrival
  isSignedIn = true;
  isOpen = true;
  isPausedAs = "project_paused"; // or member_paused: what a refusal is called meanwhile
  isBlind = true; // a new answer would be a blind one
  isGone = false;
  isDown = false;
  token = "token-1";

  /** What the page is made from. */
  page() {
    return structuredClone({ version: this.version, state: this.state, answer: this.draft });
  }

  /** Somebody saves from another browser. */
  saveElsewhere(draft) {
    Object.assign(this, { draft, version: this.version + 1, lastSaveId: `elsewhere-${this.version}` });
    this.answers.set(this.version, draft);
  }

  receive({ kind, ifMatch, token, text }) {
    if (this.isDown) return refusal(503, "The database cannot take this now.");
    if (!this.isSignedIn) return refusal(401, "Nobody is signed in.");
    if (token !== this.token) return refusal(403, "CSRF Failed");
    if (this.isGone) return refusal(404, "There is no such thing here.");
    if (new TextEncoder().encode(text).length > MAX_BODY) return refusal(413, "The body is too large.");
    const body = JSON.parse(text);
    this.received.push(body.save_id);
    const version = /^"(\d+)"$/.exec(ifMatch ?? "");
    if (!version) return refusal(428, "Say which version you have seen.");
    return this.problem(kind, body) ?? this.carryOut(kind, Number(version[1]), body);
  }

  problem(kind, body) {
    if (kind !== "save" && kind !== "submit") return null;
    const marks = body.answer.marks ?? [];
    const types = marks.flatMap((mark) => mark.substitutes.map((item) => item.type));
    if (types.includes(KINDS.unknown)) return invalid("type", "The project has no such type.");
    if (types.includes(KINDS.retired)) return refusal(409, "The type has been removed.");
    if (kind === "save" || body.answer.none) return null;
    if (marks.length === 0) return invalid("empty", "Nothing is marked.");
    const bare = marks.some((mark) => mark.substitutes.length === 0);
    return bare ? invalid("no_substitute", "“big” is marked but has no substitute.") : null;
  }

  carryOut(kind, version, body) {
    const isSame = !("answer" in body) || canonical(this.draft) === canonical(body.answer);
    const endsHere = Object.values(MOVES[kind]).includes(this.state);
    if (this.version !== version && this.lastSaveId === body.save_id && endsHere) {
      return isSame ? this.saved() : this.stale(version, body); // a lost response, answered again
    }
    if (!this.isOpen) return problem(409, this.isPausedAs, "Work is paused.");
    const state = MOVES[kind][this.state];
    if (!state) return problem(409, `passage_${this.state}`, `This passage is ${this.state}.`, { stored: this.stored(version, body) });
    if (this.version !== version) return this.stale(version, body);
    if (this.lastSaveId === body.save_id && !isSame) return invalid("save_id", "Used for another body.");
    if (kind === "save" && isSame) return this.saved();
    if (kind === "reopen" && !this.isBlind) return problem(409, "no_longer_blind", "It would not be blind.");
    if ("answer" in body) {
      this.draft = body.answer;
      this.answers.set(version + 1, body.answer);
    }
    if (kind === "submit") this.submissions.push(body.answer);
    Object.assign(this, { state, version: version + 1, lastSaveId: body.save_id });
    return this.saved();
  }

  saved() {
    const { version, state, submissions } = this;
    return json(200, { version, state, number: 1, submission: submissions.length });
  }

  stored(seen, { answer }) {
    const hasArrived = answer !== undefined && canonical(this.answers.get(seen + 1) ?? null) === canonical(answer);
    return { version: this.version, state: this.state, answer: this.draft, has_arrived: hasArrived };
  }

  stale(seen, body) {
    return problem(412, "stale", "Changed elsewhere.", { stored: this.stored(seen, body) });
  }
}

const json = (status, body) => ({ status, text: JSON.stringify(body) });
const problem = (status, code, detail, more = {}) => json(status, { type: `/api/problems#${code}`, title: code, status, detail, code, ...more });
const refusal = (status, message) => problem(status, "refused", message);
const invalid = (code, message) => problem(422, "invalid", message, { problems: [{ code, message, path: "" }] });
