// A world for the saver without a browser: a clock that only moves when told, a storage, a network that loses things.

import { Saver } from "../../../static/js/workbench/saver.js";
import { FakeServer, answer } from "./fake-server.js";

const UUID = "11111111-2222-4333-8444-555555555555";
export const ABOUT = { project: "essays", number: 3, begins: "They had a large lunch." };

/** Things the network can do to one request; `arrives` and `answers` are ms on the way there and back. */
export const LOST_REQUEST = { loses: "request" };
export const LOST_RESPONSE = { loses: "response" };
export const NEVER_ANSWERED = { answers: Infinity };
export const slow = (ms) => ({ answers: ms });
/** An answer that is not the server's: a proxy's page, a hotel's log-in. */
export const stray = (status, text) => ({ reply: { status, text } });

/** Until every promise that can go on has gone on. */
function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}

class FakeClock {
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
    if (ms === 0) return Promise.resolve();
    return new Promise((resolve) => (ms === Infinity ? undefined : this.setTimeout(resolve, ms)));
  }

  async advance(ms) {
    const end = this.now + ms;
    await settled();
    for (let timer = this.next(end); timer !== null; timer = this.next(end)) {
      const { at, act } = this.timers.get(timer);
      this.now = at;
      this.timers.delete(timer);
      act();
      await settled();
    }
    this.now = end;
  }

  /** The timer to run next, the older one of two at the same time; null where none is due. */
  next(end) {
    let first = null;
    for (const [timer, { at }] of this.timers) {
      if (at <= end && (first === null || at < this.timers.get(first).at)) first = timer;
    }
    return first;
  }
}

class FakeStorage {
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

/** Carries requests to the server, one `plan` entry for each; without an entry it carries them at once. */
class FakeNetwork {
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
    const { save_id: saveId, answer: given } = parsed;
    this.sent.push({ ...request, saveId, answer: given, parsed, keepalive, at: this.clock.now });
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
class Page {
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
        clock.setTimeout(() => controller.abort("no answer in time"), ms);
        return controller.signal;
      },
      csrf: () => world.cookie,
    };
    const start = { url: `/api/v1/assignments/${UUID}`, slotKey: world.slotKey, about: ABOUT, ...server.page() };
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

  /** The page loads; it does nothing until it has the lock. */
  load() {
    return new Page(this);
  }

  /** The page loads and gets the lock. */
  open() {
    const page = this.load();
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

/** A world with its page open. */
export function opened() {
  const world = new World();
  return { world, server: world.server, page: world.open() };
}
