// Acts on one passage, in the order they were done, until the server has answered each. They stand in one slot of local
// storage per person and passage, so a reload, a crash or a log-out loses none. At most one request is under way; after a
// loss the same request is sent again, with the same id. "Saved" is said only when nothing is left. No DOM in here.

import { deliver, isDoneWith, versionsOf } from "./deliver.js";
import { readSlot, writeSlot } from "./slots.js";

const FIRST_PAUSE = 1000; // ms before the first new try; doubled each time
const LONGEST_PAUSE = 15000;

// The states: saved, saving, retrying, signed-out, conflict, refused, gone.
export class ActQueue {
  /**
   * @param {object} start {url, slotKey, name, by, versions}: what the passage is called; who decides; by place ("5-10",
   * "passage") the version seen
   * @param {object} deps {fetch, storage, newId, setTimeout, clearTimeout, csrf, timeout}
   * @param {object} on {change(queue), stood(passage): what the server says stands there, once nothing is owed}
   */
  constructor(start, deps, on) {
    Object.assign(this, { url: start.url, slotKey: start.slotKey, name: start.name, by: start.by, versions: { ...start.versions }, deps, on });
    this.owed = readSlot(deps.storage, this.slotKey).owed;
    this.isUnderWay = false;
    this.state = "saved";
    this.message = "";
    this.conflict = null;
    this.pause = FIRST_PAUSE;
    this.timer = null;
    this.triedToken = false;
    this.latest = null;
  }

  begin() {
    this.send();
    if (!this.owed.length) this.set("saved");
  }

  get isClean() {
    return this.owed.length === 0;
  }

  /** @returns {string} the act's id, by which it is undone */
  decide(place, content, { reason = "", cause = "" } = {}) {
    return this.push({ kind: "decide", place, body: { content, reason, cause } });
  }

  undo(act) {
    return this.push({ kind: "undo", place: "undo", body: { undoes: act } });
  }

  /** Of a passage that two settled: what both say, or all that one says (a pseudonym). */
  unite(take) {
    return this.push({ kind: "unite", place: "unite", body: { take } });
  }

  push(request) {
    const act = this.deps.newId();
    this.owed.push({ ...request, body: { act, by: this.by, ...request.body } });
    this.writeSlot();
    this.send();
    return act;
  }

  /** By hand, or because the network or the session is back. */
  retry() {
    if (this.isUnderWay || this.state === "conflict") return;
    this.pause = FIRST_PAUSE;
    this.state = "saving";
    this.send();
  }

  /** Conflict: mine over what stands there … */
  keepMine() {
    const [first] = this.owed;
    first.version = this.conflict.version;
    first.body.act = this.deps.newId();
    this.versions[first.place] = this.conflict.version;
    this.conflict = null;
    this.writeSlot();
    this.state = "saving";
    this.send();
  }

  /** … or theirs, and mine is let go of: also what was done to the same thing after it. */
  letGo() {
    const [first] = this.owed;
    this.owed = first.kind === "undo" ? this.owed.slice(1) : this.owed.filter((request) => request.place !== first.place);
    this.conflict = null;
    this.writeSlot();
    this.state = "saving";
    if (this.owed.length) this.send();
    else this.settled(null);
  }

  send() {
    if (this.isUnderWay || ["conflict", "signed-out", "gone", "refused"].includes(this.state)) return;
    this.cancelTimer();
    const [request] = this.owed;
    if (!request) return;
    request.version ??= this.versions[request.place] ?? 0;
    this.writeSlot();
    this.isUnderWay = true;
    if (this.state !== "retrying") this.set("saving");
    this.deliver(request);
  }

  async deliver(request) {
    const { status, body } = await deliver(this.url, request, request.version, this.deps);
    this.isUnderWay = false;
    this.received(request, status, body);
  }

  received(request, status, body) {
    if (status === 200 && body.passage) this.acknowledged(body);
    else if (status === 401 || body.code === "somebody_else") this.set("signed-out", body.detail);
    else if (status === 412 && body.stored) this.disputed(request, body);
    else if (status === 404) this.set("gone", body.detail);
    else if (status === 403 && !this.triedToken) this.freshToken();
    else if (status >= 400 && status < 500 && ![408, 412, 429].includes(status)) this.refused(body);
    else this.lost(body.detail);
  }

  acknowledged(body) {
    this.owed.shift();
    this.pause = FIRST_PAUSE;
    this.triedToken = false;
    this.learn(body.passage);
    this.writeSlot();
    this.state = "saving";
    if (this.owed.length) this.send();
    else this.settled(body.passage);
  }

  /** The versions of everything on the passage, as it stands. */
  learn(passage) {
    this.latest = passage;
    this.versions = versionsOf(passage);
  }

  settled(passage) {
    this.set("saved");
    this.on.stood(passage);
  }

  disputed(request, { stored, detail }) {
    if (isDoneWith(request, { stored })) {
      this.owed.shift();
      this.writeSlot();
      this.settled(null);
      return;
    }
    this.conflict = { ...stored, request };
    this.set("conflict", detail);
  }

  freshToken() {
    this.triedToken = true;
    this.send();
  }

  /** For good: it is taken out, what was done after it goes on, and the page shows what stands there. */
  refused(body) {
    const problems = Array.isArray(body.problems) ? body.problems : [];
    const message = problems.map((problem) => problem.message).join(" ") || body.detail || "The server refused this.";
    const [{ body: { act } }] = this.owed;
    this.owed.shift();
    this.writeSlot();
    this.refusal = message;
    this.state = "saving";
    if (this.owed.length) this.send();
    else this.settled(this.latest);
    this.on.refused?.(message, act);
  }

  lost(message = "The server does not answer.") {
    this.set("retrying", message);
    this.cancelTimer();
    this.timer = this.deps.setTimeout(() => this.send(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
  }

  signedIn() {
    if (this.state === "signed-out") this.state = "saving";
    this.send();
  }

  cancelTimer() {
    if (this.timer !== null) this.deps.clearTimeout(this.timer);
    this.timer = null;
  }

  writeSlot() {
    try {
      writeSlot(this.deps.storage, this.slotKey, { owed: this.owed, url: this.url, name: this.name });
      this.hasSlotFailed = false;
    } catch {
      this.hasSlotFailed = true; // private mode or full: what is owed lives in this page only, and the page says so
    }
  }

  set(state, message = "") {
    this.state = state;
    this.message = message ?? "";
    this.on.change(this);
  }
}
