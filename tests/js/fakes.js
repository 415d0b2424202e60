// A world for the saver without a browser: a clock that only moves when told, a storage, a network that loses things,
// and a server that keeps the protocol of `annotator/actions/assignments.py`.

import { canonical } from "../../static/js/answer.js";
import { Saver } from "../../static/js/saver.js";

const UUID = "11111111-2222-4333-8444-555555555555";
const MAX_BODY = 60_000; // bytes, as `annotator/api/door.py`
const MOVES = {
  save: { assigned: "started", started: "started" },
  submit: { assigned: "submitted", started: "submitted" },
  reopen: { submitted: "started" },
  discard: { assigned: "discarded", started: "discarded", submitted: "discarded" },
  "undo-discard": { discarded: "started" },
};

/** Things the network can do to one request; `arrives` and `answers` are ms on the way there and back. */
export const LOST_REQUEST = { loses: "request" };
export const LOST_RESPONSE = { loses: "response" };
export const NEVER_ANSWERED = { answers: Infinity };
export const slow = (ms) => ({ answers: ms });
/** An answer that is not the server's: a proxy's page, a hotel's log-in. */
export const stray = (status, text) => ({ reply: { status, text } });

export const KINDS = { open: "refine-usage", retired: "old-type", unknown: "no-such-type" };

/** An answer with one mark on “big”; `text` null: a mark without a substitute, legal as a draft only. */
export function answer(text, type = KINDS.open) {
  const substitutes = text === null ? [] : [{ text, type, via: "typed" }];
  return { marks: [{ start: 0, end: 3, quote: "big", note: "", unsure: false, substitutes }] };
}

/** Until every promise that can go on has gone on. */
function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}

export class FakeClock {
  now = 0;
  timers = new Map();
  made = 0;

  setTimeout(act, ms) {
    this.made += 1;
    this.timers.set(this.made, { at: this.now + ms, act });
    return this.made;
  }

  clearTimeout(timer) {
    this.timers.delete(timer);
  }

  wait(ms = 0) {
    return ms === 0 ? Promise.resolve() : new Promise((resolve) => this.setTimeout(resolve, ms));
  }

  async advance(ms) {
    const end = this.now + ms;
    await settled();
    for (let next = this.next(end); next; next = this.next(end)) {
      const [timer, { at, act }] = next;
      this.now = at;
      this.timers.delete(timer);
      act();
      await settled();
    }
    this.now = end;
  }

  next(end) {
    const due = [...this.timers].filter(([, { at }]) => at <= end);
    return due.reduce((first, one) => (first && first[1].at <= one[1].at ? first : one), null);
  }
}

export class FakeStorage {
  items = new Map();
  isBroken = false;

  getItem(key) {
    this.check();
    return this.items.get(key) ?? null;
  }

  setItem(key, value) {
    this.check();
    this.items.set(key, String(value));
  }

  removeItem(key) {
    this.check();
    this.items.delete(key);
  }

  check() {
    if (this.isBroken) throw new DOMException("No room", "QuotaExceededError");
  }
}

/** One assignment on the server. */
export class FakeServer {
  version = 1;
  state = "started";
  draft = { marks: [] };
  lastSaveId = null;
  submissions = [];
  received = []; // save ids, in order of arrival
  isSignedIn = true;
  isOpen = true;
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
      return isSame ? this.saved() : this.stale(); // a lost response, answered again
    }
    if (!this.isOpen) return refusal(409, "The project is paused.");
    const state = MOVES[kind][this.state];
    if (!state) return refusal(409, `This passage is ${this.state}.`);
    if (this.version !== version) return this.stale();
    if (this.lastSaveId === body.save_id && !isSame) return invalid("save_id", "Used for another body.");
    if (kind === "save" && isSame) return this.saved();
    if ("answer" in body) this.draft = body.answer;
    if (kind === "submit") this.submissions.push(body.answer);
    Object.assign(this, { state, version: version + 1, lastSaveId: body.save_id });
    return this.saved();
  }

  saved() {
    const { version, state, submissions } = this;
    return json(200, { version, state, number: 1, submission: submissions.length });
  }

  stale() {
    const stored = { version: this.version, state: this.state, answer: this.draft };
    return json(412, { error: { code: "stale", message: "Changed elsewhere." }, stored });
  }
}

const json = (status, body) => ({ status, text: JSON.stringify(body) });
const refusal = (status, message) => json(status, { error: { code: "refused", message } });
const invalid = (code, message) => json(422, { error: { code, message, problems: [{ code, message, path: "" }] } });

/** Carries requests to the server, one `plan` entry for each; without an entry it carries them at once. */
export class FakeNetwork {
  plan = [];
  sent = [];

  constructor(server, clock) {
    Object.assign(this, { server, clock });
  }

  async fetch(url, { method, headers, body, keepalive, signal }) {
    const path = url.split("/").at(-1);
    const kind = path === "answer" ? "save" : path;
    const parsed = JSON.parse(body);
    const request = { kind, method, url, ifMatch: headers["If-Match"], token: headers["X-CSRFToken"], text: body };
    this.sent.push({ ...request, saveId: parsed.save_id, answer: parsed.answer, parsed, keepalive, at: this.clock.now });
    return Promise.race([this.carry(request, this.plan.shift() ?? {}), aborted(signal)]);
  }

  async carry(request, { arrives, answers, loses, reply }) {
    await this.clock.wait(arrives);
    if (loses === "request") throw new TypeError("Failed to fetch");
    const { status, text } = reply ?? this.server.receive(request);
    await this.clock.wait(answers);
    if (loses === "response") throw new TypeError("Failed to fetch");
    return { status, json: async () => JSON.parse(text) };
  }
}

function aborted(signal) {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

/** A tab with the work page in it. Once closed, its timers and the responses to it come to nothing. */
export class Page {
  shown = []; // every state the saver has told, in order
  underWay = 0;
  mostUnderWay = 0;
  isClosed = false;

  constructor(world) {
    this.world = world;
    const { clock, storage, server } = world;
    const deps = {
      storage,
      fetch: (...given) => this.fetch(...given),
      newId: () => world.newId(),
      takeActive: () => world.takeActive(),
      setTimeout: (act, ms) => clock.setTimeout(() => this.isClosed || act(), ms),
      clearTimeout: (timer) => clock.clearTimeout(timer),
      timeout: (ms) => {
        const controller = new AbortController();
        clock.setTimeout(() => controller.abort(), ms);
        return controller.signal;
      },
      csrf: () => world.cookie,
    };
    const start = { url: `/api/v1/assignments/${UUID}`, slotKey: world.slotKey, ...server.page() };
    this.saver = new Saver(start, deps, ({ state }) => this.shown.push(state));
  }

  async fetch(...given) {
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    try {
      return await this.world.network.fetch(...given);
    } finally {
      this.underWay -= 1;
      if (this.isClosed) await new Promise(() => {});
    }
  }

  type(text) {
    this.saver.change(answer(text));
  }

  /** A whole step: a chip, a mark, an undo. */
  step(text) {
    this.saver.change(answer(text), { now: true });
  }

  close() {
    this.isClosed = true;
  }
}

export class World {
  clock = new FakeClock();
  storage = new FakeStorage();
  server = new FakeServer();
  network = new FakeNetwork(this.server, this.clock);
  slotKey = `assay:slot:somebody:${UUID}`;
  cookie = "token-1";
  ids = 0;
  active = 0;

  newId() {
    this.ids += 1;
    return `00000000-0000-4000-8000-${String(this.ids).padStart(12, "0")}`;
  }

  takeActive() {
    const taken = this.active;
    this.active = 0;
    return taken;
  }

  /** The page loads and gets the lock. */
  open() {
    const page = new Page(this);
    page.saver.begin();
    return page;
  }

  reload(page) {
    page.close();
    return this.open();
  }

  advance(ms) {
    return this.clock.advance(ms);
  }

  get sent() {
    return this.network.sent;
  }

  get slot() {
    return JSON.parse(this.storage.items.get(this.slotKey) ?? "null");
  }
}
