// From passage to passage: settle and next, back, on; the next one is fetched while this one is decided.

import { post } from "../shared/browser.js";

const SAME_PRESS = 700; // ms: a second Ctrl+Enter so soon was meant for the passage before

export class Going {
  constructor(desk) {
    Object.assign(this, { desk, ahead: new Map(), isLeaving: false, arrived: 0, age: 0 });
  }

  get query() {
    return this.desk.page.query ? `?${this.desk.page.query}` : "";
  }

  get queueAddress() {
    return `/p/${this.desk.page.project}/adjudicate${this.query}`;
  }

  passageAddress(uuid) {
    return `/p/${this.desk.page.project}/adjudicate/${uuid}${this.query}`;
  }

  settle() {
    const { desk } = this;
    if (this.arrived && performance.now() - this.arrived < SAME_PRESS) return;
    const { decision, targets } = desk.page.standing;
    const verdict = decision?.content.verdict;
    const isToAgree = (about) => desk.deciding.isToAgree(about);
    const isOpen = decision?.looks_again || isToAgree(desk.page.standing) || targets.some(isToAgree);
    if (desk.entry.isOpen && !desk.entry.enter()) return; // what is typed there cannot be taken yet
    if (!verdict || isOpen) desk.deciding.decideAll({ verdict: verdict ?? "settled" });
    this.isLeaving = true;
    if (desk.queue.isClean) this.leave();
  }

  /** Once nothing is owed. */
  async leave() {
    const { desk } = this;
    this.isLeaving = false;
    if (desk.page.next === undefined) await this.look(desk.page.standing.uuid); // on its way still
    desk.querySelector(`[data-line="${desk.page.standing.uuid}"]`)?.classList.add("done");
    if (desk.page.next) this.go(desk.page.next);
    else window.location.assign(this.queueAddress);
  }

  /** The next one is here already, else it is loaded. */
  go(uuid, none = "") {
    const { desk } = this;
    if (!uuid || !desk.queue.isClean) {
      desk.say(uuid ? "Not saved yet: it is sent as soon as that works, then on." : none);
      return;
    }
    const page = this.ahead.get(uuid);
    if (page) this.enter(page);
    else window.location.assign(this.passageAddress(uuid));
  }

  /** Back to one that was left, to take back there what was done last. @returns {Promise<boolean>} whether one is there */
  async back(uuid) {
    const page = await this.fetched(`/api/v1/projects/${this.desk.page.project}/passages/${uuid}`);
    if (!page || !this.desk.queue.isClean) return false;
    this.enter(page);
    return true;
  }

  enter(page) {
    const { desk } = this;
    const left = desk.page;
    const { uuid } = page.standing;
    this.ahead.delete(uuid);
    window.history.pushState({}, "", this.passageAddress(uuid));
    desk.say(`${left.standing.id}: ${left.standing.decision?.content.verdict ?? "left open"}.`);
    this.arrived = performance.now();
    const shared = Object.fromEntries(["project", "time_zone", "query", "types", "causes", "separator", "lengths"].map((name) => [name, left[name]]));
    desk.load({ ...page, ...shared, next: undefined, before: left.standing.uuid, left: left.left });
    window.scrollTo(0, 0);
    desk.targets.reveal();
    desk.focusList();
    this.look(uuid);
  }

  /** What comes after this one, fetched ahead. */
  async prepare() {
    const { next, project } = this.desk.page;
    const { age } = this;
    if (!next || this.ahead.has(next)) return;
    const page = await this.fetched(`/api/v1/projects/${project}/passages/${next}`);
    if (page && age === this.age) this.ahead.set(next, page);
  }

  /** Something was decided elsewhere from here: what was fetched ahead may be of before, also what is on its way. */
  forget() {
    this.age += 1;
    this.ahead.clear();
    this.prepare();
  }

  /** What comes before and after this one by now, and how many are left. */
  async look(uuid) {
    const { desk } = this;
    const found = await this.fetched(`/p/${desk.page.project}/adjudicate/${uuid}/next${this.query}`);
    if (!found || desk.page.standing.uuid !== uuid) return;
    Object.assign(desk.page, found);
    desk.show();
    await this.prepare();
  }

  /** Null where there is no answer. */
  async fetched(url, body = null) {
    try {
      const response = body ? await post(url, body) : await fetch(url, { credentials: "same-origin", headers: { Accept: "application/json" } });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }
}
