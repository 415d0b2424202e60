// Saving, the heart of it. One slot in local storage per person and assignment holds the request that has not been
// answered yet, unchanged, beside the newest answer and what is wanted next. At most one request is under way. After a
// loss the old request is sent again first, then the newer answer on the version that came back. The slot goes only
// after a 2xx, and "Saved" is said only then. No DOM in here: everything from outside comes in as `deps`.

import { canonical } from "../shared/canonical.js";
import { isEditable } from "./answer.js";

const DEBOUNCE = 400; // ms after the last key
const FIRST_PAUSE = 1000; // ms before the first new try; doubled each time
const LONGEST_PAUSE = 15000;
const LONGEST_WAIT = 20000; // ms for one response before the request counts as lost

const BACK = { submitted: "reopen", discarded: "undo-discard" }; // what makes a passage take saves again
// The states, of which only `saved` means saved: saved, unsaved, saving, retrying, signed-out, conflict, refused, gone,
// elsewhere.

export class Saver {
  /**
   * @param {object} start  {url, slotKey, about, version, state, answer}: what the server said when the page was
   *   made; `about` is kept in the slot, for finding it again
   * @param {object} deps   {fetch, storage, newId, takeActive, setTimeout, clearTimeout, csrf}
   * @param {function} onChange  called after every change of state with the saver
   */
  constructor(start, deps, onChange) {
    Object.assign(this, { url: start.url, slotKey: start.slotKey, about: start.about, version: start.version, deps, onChange });
    this.serverState = start.state;
    this.stored = start.answer;
    this.newest = start.answer;
    this.request = null; // the one not answered yet
    this.wanted = null; // {kind, fields}: submit, discard … to be sent once nothing is under way
    this.isUnderWay = false;
    this.isPaused = true; // until `begin`
    this.turn = 0; // counts takings over, so that an answer from an earlier turn is not taken for one of this
    this.state = "saved";
    this.message = "";
    this.conflict = null;
    this.refusal = null; // {kind, message, problems, isForNow} of the last act the server refused
    this.staysOver = ""; // why the passage cannot be taken back into work, once the server has said so
    this.triedToken = false;
    this.pause = FIRST_PAUSE;
    this.timer = null;
    this.finished = null; // {kind} of the last act the server carried out
    this.isReplaced = false; // the text is another than the page has shown, and nobody chose it
  }

  /** Take over the slot (this tab holds the lock now) and send what is still owed. */
  begin() {
    const slot = this.readSlot();
    const isTakenOver = this.state === "elsewhere";
    this.turn += 1;
    this.isPaused = false;
    this.isUnderWay = false;
    this.request = slot?.request ?? null;
    if (slot) {
      this.newest = slot.answer;
      if (!isTakenOver) this.wanted = slot.wanted ?? null; // else it was asked of a text that may be changed here now
      // Typed on this version: if the server has moved on since, that is a conflict to show, not to overwrite.
      if (this.request || !this.isClean()) this.version = this.request?.version ?? slot.version;
    }
    this.state = "unsaved"; // until there is nothing to send, or a 2xx says otherwise
    this.send();
  }

  /** Another tab has taken over: this one neither writes the slot nor sends any more. */
  standDown() {
    this.turn += 1;
    this.isPaused = true;
    this.wanted = null; // what was asked here was asked of a text that another tab may change now
    this.cancelTimer();
    this.set("elsewhere");
  }

  /** What the server has by now: another tab may have saved since this page was made. Only before `begin`. */
  refresh(page) {
    if (this.hasSlotFailed && !this.isClean()) return; // the text lives in this page only
    this.adopt(page);
    this.newest = page.answer;
  }

  /** A submit, discard … is wanted or on its way: what is typed now would be left behind by it. */
  get isActing() {
    return this.wanted !== null || (this.request !== null && this.request.kind !== "save");
  }

  /** The passage is one to work on, as far as this page knows. */
  get takesSaves() {
    return isEditable(this.serverState);
  }

  isClean() {
    return canonical(this.newest) === canonical(this.stored);
  }

  /** The person changed something. `now`: a whole step (chip, mark, undo), not one key of many. */
  change(answer, { now = false } = {}) {
    this.newest = answer;
    if (this.isPaused) return;
    this.writeSlot();
    if (this.state === "refused" && !this.takesSaves) return; // kept until the person has taken the passage back
    this.refusal = null;
    if (["conflict", "signed-out", "gone", "retrying"].includes(this.state)) return;
    if (!this.isUnderWay) {
      this.state = "unsaved";
      this.settle();
    }
    if (now) this.send();
    else this.schedule(DEBOUNCE);
  }

  /** submit, discard, reopen, undo-discard: after whatever is under way. */
  act(kind, fields = {}) {
    if (this.isPaused || this.state === "conflict") return;
    if (this.request?.kind !== kind) this.wanted = { kind, fields }; // asked twice is sent once
    if (this.request) this.writeSlot(); // it waits, maybe for longer than the page is there
    this.send();
  }

  /** Signed out, and not signing in just now: what was asked for is asked no longer, so that one can go on typing. */
  letBe() {
    if (this.state !== "signed-out" || !this.isActing) return;
    this.wanted = null;
    if (this.request?.kind !== "save") this.request = null; // a 401: it was not carried out
    this.writeSlot();
    this.onChange(this);
  }

  /** At once, for blur and page hide; `isLeaving` lets the request outlive the page. */
  flush({ isLeaving = false } = {}) {
    if (this.timer !== null || !this.isClean()) this.send({ isLeaving });
  }

  /** By hand, or because the network or the session is back. */
  retry() {
    if (this.isPaused || this.isUnderWay) return;
    this.pause = FIRST_PAUSE;
    this.state = "unsaved";
    this.send();
    this.settle();
  }

  /** Conflict: overwrite what stands there … */
  keepMine() {
    this.adopt(this.conflict);
    this.conflict = null;
    if (this.serverState in BACK) this.wanted = { kind: BACK[this.serverState], fields: {} }; // handed in elsewhere: first taken back
    this.writeSlot();
    this.retry();
  }

  /** … or take it and let go of mine. */
  takeTheirs() {
    this.adopt(this.conflict);
    this.newest = this.stored;
    this.conflict = null;
    this.dropSlot();
    this.set("saved");
  }

  /** Refused for good (submitted elsewhere, type removed): the person lets go of the unsaved text. */
  letGo() {
    this.newest = this.stored;
    this.request = null;
    this.wanted = null;
    this.dropSlot();
    this.set("saved");
  }

  // --- sending ---------------------------------------------------------------------------------------------------

  schedule(ms) {
    this.cancelTimer();
    this.timer = this.deps.setTimeout(() => {
      this.timer = null;
      this.send();
    }, ms);
  }

  cancelTimer() {
    if (this.timer !== null) this.deps.clearTimeout(this.timer);
    this.timer = null;
  }

  send({ isLeaving = false } = {}) {
    if (this.isPaused || this.isUnderWay) return;
    if (["conflict", "signed-out", "gone"].includes(this.state)) return;
    this.cancelTimer();
    this.request ??= this.nextRequest();
    if (!this.request) {
      this.settle();
      return;
    }
    this.writeSlot();
    this.isUnderWay = true;
    if (!["retrying", "refused"].includes(this.state)) this.set("saving"); // a new try says something when it has an answer
    this.deliver(this.request, isLeaving);
  }

  nextRequest() {
    const wanted = this.wanted;
    const carriesAnswer = !wanted || wanted.kind === "submit";
    if (wanted && !carriesAnswer && this.takesSaves && !this.isClean()) return this.makeRequest("save", this.answerFields());
    if (wanted) {
      this.wanted = null;
      return this.makeRequest(wanted.kind, wanted.kind === "submit" ? this.answerFields() : wanted.fields);
    }
    return this.isClean() ? null : this.makeRequest("save", this.answerFields());
  }

  answerFields() {
    return { active_ms: this.deps.takeActive(), answer: this.newest };
  }

  makeRequest(kind, fields) {
    return { kind, version: this.version, body: { save_id: this.deps.newId(), ...fields } };
  }

  async deliver(request, isLeaving) {
    const { turn } = this;
    const path = request.kind === "save" ? "answer" : request.kind;
    let status = 0;
    let body = {};
    try {
      const response = await this.deps.fetch(`${this.url}/${path}`, {
        method: request.kind === "save" ? "PUT" : "POST",
        headers: {
          "Content-Type": "application/json",
          "If-Match": `"${request.version}"`,
          "X-CSRFToken": this.deps.csrf(),
        },
        body: JSON.stringify(request.body),
        credentials: "same-origin",
        redirect: "error",
        keepalive: isLeaving,
        signal: this.deps.timeout?.(LONGEST_WAIT),
      });
      body = Object(await response.json());
      status = response.status;
    } catch {
      status = 0; // no network, no server, no answer in time, or not our answer at all
    }
    if (turn !== this.turn) return; // another tab has had the slot since
    this.isUnderWay = false;
    this.received(request, status, body);
  }

  received(request, status, body) {
    if (status === 200 && Number.isInteger(body.version)) this.acknowledged(request, body);
    else if (status === 401) this.set("signed-out", body.detail);
    else if (status === 412 && body.stored) this.disputed(request, body);
    else if (status === 404) this.set("gone", body.detail);
    else if (status === 403) this.forbidden(body);
    else if (status >= 400 && status < 500 && ![408, 412, 429].includes(status)) this.refused(request, body);
    else this.lost(body.detail);
  }

  acknowledged(request, body) {
    this.request = null;
    this.version = body.version;
    this.serverState = body.state;
    this.pause = FIRST_PAUSE;
    this.triedToken = false;
    if (this.refusal?.kind === request.kind) this.refusal = null;
    if ("answer" in request.body) this.stored = request.body.answer;
    if (request.kind !== "save") this.finished = { kind: request.kind };
    if (this.isClean() && !this.wanted) {
      this.dropSlot();
      this.set("saved");
      return;
    }
    this.writeSlot();
    this.state = "unsaved";
    if (this.timer === null) this.send(); // else the person is still typing, and the timer will see to it
    else this.settle();
  }

  /** This very text was stored, the response lost, and it was changed elsewhere since: what stands there is the newer. */
  isOvertaken(request, stored) {
    return Boolean(stored?.has_arrived) && canonical(request.body.answer) === canonical(this.newest);
  }

  /** Another text stands there than the one this page knew. */
  disputed(request, { stored, detail }) {
    this.request = null;
    this.wanted = null;
    if (this.isOvertaken(request, stored)) {
      this.adopt(stored);
      this.newest = stored.answer;
      this.isReplaced = true;
      this.dropSlot();
      this.set("saved");
      return;
    }
    const isSame = canonical(stored.answer) === canonical(this.newest);
    if (isSame && (request.kind === "save" || stored.state === "submitted")) {
      this.adopt(stored); // both say the same: nothing to choose
      this.dropSlot();
      this.set("saved");
      return;
    }
    this.conflict = stored;
    this.writeSlot();
    this.set("conflict", detail);
  }

  /** What stands on the server. */
  adopt({ version, state, answer }) {
    Object.assign(this, { version, serverState: state, stored: answer });
  }

  /** A stale form token after a new log-in in another tab; `deps.csrf` reads the fresh one from the cookie. */
  forbidden(body) {
    if (this.triedToken) return this.refused(this.request, body);
    this.triedToken = true;
    this.schedule(0);
    return undefined;
  }

  refused(request, body) {
    const isOther = body.stored && canonical(body.stored.answer) !== canonical(this.stored);
    if (isOther || this.isOvertaken(request, body.stored)) {
      this.disputed(request, body);
      return;
    }
    if (body.stored) this.adopt(body.stored); // the same text in another state: submitted elsewhere, withdrawn
    const problems = Array.isArray(body.problems) ? body.problems : [];
    const message = problems.map((problem) => problem.message).join(" ") || body.detail || "The server refused this.";
    this.request = null;
    this.wanted = null;
    const isForNow = body.code === "project_paused" || body.code === "member_paused";
    if (body.code === "no_longer_blind") this.staysOver = message;
    this.refusal = { kind: request.kind, message, problems, isForNow };
    this.writeSlot();
    if (request.kind === "save" && canonical(request.body.answer) === canonical(this.newest)) {
      this.set("refused", message);
      if (isForNow) this.schedule(LONGEST_PAUSE);
      return;
    }
    // An act was refused, not the text, or an older text than this: what is not stored yet is saved as a draft.
    this.state = "unsaved";
    this.send();
  }

  lost(message = "The server does not answer.") {
    this.set("retrying", message);
    this.schedule(this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
  }

  // --- the slot --------------------------------------------------------------------------------------------------

  readSlot() {
    if (this.hasSlotFailed) return null; // what stands there, if anything, is older than this page's text
    try {
      const slot = JSON.parse(this.deps.storage.getItem(this.slotKey));
      return slot && typeof slot.answer === "object" && Number.isInteger(slot.version) ? slot : null;
    } catch {
      return null;
    }
  }

  writeSlot() {
    const { about, request, wanted, newest: answer, version } = this;
    const slot = { about, request, wanted, answer, version };
    try {
      this.deps.storage.setItem(this.slotKey, JSON.stringify(slot));
      this.hasSlotFailed = false;
    } catch {
      this.hasSlotFailed = true; // private mode or full: the text lives in this page only, and the page says so
      this.dropSlot(); // an older text must not come back for a newer one
    }
  }

  dropSlot() {
    try {
      this.deps.storage.removeItem(this.slotKey);
    } catch {
      // nothing was kept
    }
  }

  settle() {
    if (this.isPaused || this.isUnderWay) this.onChange(this);
    else if (!this.request && this.isClean() && ["saved", "unsaved", "saving"].includes(this.state)) {
      this.dropSlot(); // nothing is owed
      this.set("saved");
    } else this.onChange(this);
  }

  set(state, message = "") {
    this.state = state;
    this.message = message ?? "";
    this.onChange(this);
  }
}
