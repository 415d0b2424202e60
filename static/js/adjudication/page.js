// The adjudicators' desk: wires the targets and lanes of a passage to the queue of acts, and goes from passage to passage.

import { deps, hasLetters, post } from "../shared/browser.js";
import { el } from "../shared/dom.js";
import { LogInDialog } from "../workbench/log-in-dialog.js";
import { ActQueue, versionsOf } from "./act-queue.js";
import { add, contentOf, drop, edit, join, keep, move, remove, retype, spoken } from "./content.js";
import { LanesView } from "./lanes.js";
import { Panels } from "./panels.js";
import { Picker } from "./picker.js";
import { TargetsView, place } from "./targets.js";

const STATES = { saved: "Saved", saving: "Saving …", retrying: "Not saved: no answer", "signed-out": "Not saved: signed out", conflict: "Not saved: decided elsewhere", gone: "Not saved: no access" };
const LETTERS = { k: "keep", x: "drop", t: "type", s: "span", n: "new", a: "add", e: "edit", j: "join", m: "move", r: "reason", y: "confirm", u: "unite", w: "same", l: "lanes", d: "discard", c: "discussion", g: "guidelines", h: "history", "?": "keys", "[": "back", "]": "on", "/": "search", " ": "tick" };
const FINDINGS_AFTER = 350; // ms after the last key
const SAME_PRESS = 700; // ms: a second Ctrl+Enter so soon was meant for the passage before

class AssayAdjudicate extends HTMLElement {
  connectedCallback() {
    this.find = (name) => this.querySelector(`[data-${name}]`);
    this.person = JSON.parse(document.getElementById("person-data").textContent);
    this.targets = new TargetsView(this.find("targets"), { chose: () => this.chose(), open: () => this.command("edit"), clicked: (target) => this.clickedMove(target) });
    this.lanes = new LanesView(this.find("lanes"), {
      chose: (span) => this.targets.choose(span),
      word: (column, event) => this.picker.isOpen && this.picker.clicked(column, event),
    });
    this.picker = new Picker({ show: (span) => this.lanes.light(this.targets.current, span), ended: () => this.focusList() });
    this.panels = new Panels({
      closed: () => document.activeElement === document.body && this.focusList(),
      notice: (text) => this.say(text),
      commented: () => this.showComments(),
    });
    this.logIn = new LogInDialog(document.getElementById("log-in"), (user) => this.signedIn(user));
    this.slots = `assay:acts:${this.person.user}:`;
    this.ahead = new Map();
    this.done = []; // acts that can be undone, the newest last
    this.undone = [];
    this.listen();
    this.load(JSON.parse(document.getElementById("page-data").textContent));
    this.focusList();
  }

  load(page) {
    this.page = page;
    this.moving = null;
    this.typedAs = null;
    this.closeEntry();
    this.queue = new ActQueue(
      { url: `/api/v1/projects/${page.project}/passages/${page.standing.uuid}`, slotKey: `${this.slots}${page.standing.uuid}`, by: this.person.is, versions: versionsOf(page.standing) },
      deps(),
      { change: () => this.showState(), stood: (passage) => this.stood(passage), refused: (message, act) => this.refused(message, act) },
    );
    this.panels.load(page);
    this.targets.load(page);
    this.lanes.load(page);
    this.show();
    this.targets.reveal(); // what stands above it has its height by now
    this.queue.begin();
    this.prepare();
  }

  listen() {
    document.addEventListener("keydown", (event) => this.keyed(event));
    for (const node of document.querySelectorAll("[data-command]")) {
      node.addEventListener("mousedown", (event) => event.preventDefault()); // the list keeps the focus
      node.addEventListener("click", (event) => {
        event.preventDefault();
        this.command(node.dataset.command);
      });
    }
    this.find("entry").addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter();
    });
    this.find("entry").addEventListener("input", () => this.lookAtText());
    this.find("cancel").addEventListener("click", () => this.closeEntry());
    this.find("keep-mine").addEventListener("click", () => this.queue.keepMine());
    this.find("take-theirs").addEventListener("click", () => this.queue.letGo());
    window.addEventListener("online", () => this.queue.retry());
    window.addEventListener("popstate", () => window.location.reload());
    window.addEventListener("beforeunload", (event) => {
      if (this.queue.hasSlotFailed && !this.queue.isClean) event.preventDefault();
    });
    const { dialog } = this.logIn;
    dialog.querySelector("[data-cancel]").addEventListener("click", () => dialog.close());
    dialog.querySelector("[data-try]")?.addEventListener("click", () => {
      dialog.close();
      this.queue.signedIn();
    });
  }

  // --- keys ---------------------------------------------------------------------------------------------------------

  keyed(event) {
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (this.meant(event)) event.preventDefault();
  }

  meant(event) {
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    const isTyping = event.target.closest?.("input, textarea, select");
    if (isCommand && key === "enter") return !event.repeat && this.settle();
    if (isCommand && key === "z" && !isTyping) return this.step(event.shiftKey ? "redo" : "undo");
    if (event.key === "Escape" && !this.find("entry").hidden) return this.closeEntry();
    if (isTyping || isCommand || event.altKey) return false;
    if (this.picker.isOpen) return this.picker.keyed(event);
    if (this.moving) return this.keyedMove(event);
    const onList = event.target === document.body || event.target.matches?.("[data-targets], .lanes-panel");
    if (!onList) return false;
    const arrows = { arrowup: () => this.targets.step(-1), arrowdown: () => this.targets.step(1), arrowleft: () => this.targets.stepChip(-1), arrowright: () => this.targets.stepChip(1), home: () => this.targets.step(-1000), end: () => this.targets.step(1000), delete: () => this.command("remove") };
    if (arrows[key]) {
      arrows[key]();
      return true;
    }
    if (!hasLetters()) return false;
    if (/^[1-5]$/u.test(key)) return this.cause(Number(key) - 1);
    return LETTERS[key] ? this.command(LETTERS[key]) : false;
  }

  command(name) {
    const { targets } = this;
    const target = targets.current;
    const content = target && targets.content();
    const isWaiting = this.queue.state === "conflict";
    if (isWaiting && !["keys", "guidelines", "history", "discussion"].includes(name)) {
      this.say("First choose one of the two above.");
      return true;
    }
    const acts = {
      keep: () => target && this.decide(target, keep(content, target)),
      drop: () => target && this.decide(target, drop(target, content, this.page.standing.keep_at)),
      type: () => target && this.decide(target, retype(target, content, this.page.types)),
      confirm: () => this.confirm(target),
      unite: () => this.unite("both"),
      remove: () => targets.currentChip && this.decide(target, remove(content, targets.currentChip)),
      tick: () => targets.tick(),
      join: () => this.join(target, content),
      add: () => target && this.askSuggestion(`Add a suggestion for “${target.quote}”`, "", target, (text) => this.decide(target, add(targets.content(target), text))),
      edit: () => this.edit(target),
      span: () => target && this.pick([target.start, target.end], (span) => this.moveTo(target, span), `New span for “${target.quote}”: arrows, Shift, Enter`),
      new: () => this.pick(target ? [target.start, target.end] : [0, 1], (span) => this.make(span), "New target: arrows, Shift, Enter"),
      move: () => this.beginMove(target),
      reason: () => this.askReason(target),
      same: () => target && this.panels.same(target),
      lanes: () => this.lanes.toggle(),
      discard: () => this.discard(),
      discussion: () => this.panels.discussion(target),
      history: () => this.panels.history(),
      guidelines: () => this.panels.guidelines(),
      keys: () => this.panels.open("keys"),
      back: () => this.go(this.page.before, "There is none before this one."),
      on: () => this.go(this.page.next, "This is the last one."),
      search: () => window.location.assign(`/p/${this.page.project}/adjudicate${this.page.query ? `?${this.page.query}` : ""}#search`),
      undo: () => this.step("undo"),
      redo: () => this.step("redo"),
      settle: () => this.settle(),
    };
    acts[name]();
    return true;
  }

  // --- deciding -----------------------------------------------------------------------------------------------------

  /** Shown at once, sent at once; the reason and cause that stand there stay. */
  decide(chosen, content, words = {}) {
    const target = this.targets.now(chosen); // while somebody typed, the server may have answered
    const why = { ...this.targets.words(target), ...words };
    this.done.push(this.queue.decide(place(target), content, why));
    this.undone = [];
    this.targets.draft(target, content, why);
    this.saySoon(target, content);
    this.show();
  }

  saySoon(target, content) {
    this.say(`“${target.quote}”: ${spoken(content, this.page.types)}.`);
  }

  confirm(target) {
    if (target?.decision?.looks_again || this.isToAgree(target)) this.decide(target, contentOf(target));
    else if (this.page.standing.decision?.looks_again) this.decideAll(this.page.standing.decision.content);
    else this.say(target?.decision?.is_proposal ? "You propose this yourself: somebody else has to agree." : "Nothing here has changed since it was decided.");
  }

  /** Somebody else proposes it, and nobody has agreed yet. */
  isToAgree(about) {
    return Boolean(about?.decision?.is_proposal && about.decision.by !== this.person.is);
  }

  unite(take) {
    if (!this.page.standing.double?.is_done) {
      this.say("This passage was not settled by two.");
      return;
    }
    this.done.push(this.queue.unite(take));
    this.undone = [];
    this.say(take === "both" ? "What both say is taken." : `All that ${take} decided is taken.`);
  }

  join(target, content) {
    const chips = target ? this.targets.toJoin() : [];
    if (chips.length < 2) {
      this.say("Tick two or more suggestions with Space, then join them.");
      return;
    }
    this.decide(target, join(content, chips));
  }

  edit(target) {
    const chip = this.targets.currentChip;
    if (!chip || chip.isRemoved) return;
    this.askSuggestion(`Edit “${chip.text}”`, chip.text, target, (text) => text !== chip.text && this.decide(target, edit(this.targets.content(target), chip, text)));
  }

  pick(span, take, said) {
    this.say(said);
    this.find("lanes").scrollIntoView({ block: "nearest" });
    this.picker.open(this.lanes.cols, span, take);
  }

  moveTo(target, span) {
    if (span[0] === target.start && span[1] === target.end) return;
    this.after = span; // where it stands from now on
    this.decide(target, move(span));
  }

  make(span) {
    const there = this.targets.targets.find((target) => target.start === span[0] && target.end === span[1]);
    if (there) {
      this.targets.choose(span);
      this.say("This is a target already.");
      return;
    }
    const quote = this.targets.quote(span);
    const made = { start: span[0], end: span[1], quote, decision: null };
    this.askSuggestion(`First suggestion for “${quote}”`, "", made, (text) => {
      this.after = span;
      this.decide(made, { verdict: "keep", suggestions: [{ text, from: [] }], removed: [] });
    });
  }

  beginMove(target) {
    if (this.moving) {
      this.moving = null;
      this.say("Not moved.");
      return;
    }
    if (!target || this.targets.targets.length < 2) return;
    this.moving = target;
    this.say(`Move “${target.quote}”: choose where with the arrows, then Enter; or click the target. Move again or Escape lets it be.`);
  }

  /** By mouse or finger: whether that ended a move. */
  clickedMove(target) {
    const from = this.moving;
    if (!from || from === target) return false;
    this.moving = null;
    this.after = [target.start, target.end];
    this.decide(from, move([target.start, target.end]));
    return true;
  }

  keyedMove(event) {
    if (event.key === "ArrowUp") this.targets.step(-1);
    else if (event.key === "ArrowDown") this.targets.step(1);
    else if (event.key === "Escape") {
      this.moving = null;
      this.say("Not moved.");
    } else if (event.key === "Enter") {
      const [from, to] = [this.moving, this.targets.current];
      this.moving = null;
      if (from !== to) this.decide(from, move([to.start, to.end]));
    } else return false;
    return true;
  }

  decideAll(content, words = {}) {
    const { reason = this.page.standing.decision?.reason ?? "", cause = "" } = words;
    this.done.push(this.queue.decide("passage", content, { reason, cause }));
    this.undone = [];
    this.show();
  }

  discard() {
    const { verdict, decision } = this.page.standing;
    const stands = decision?.content.verdict;
    if (stands === "discard") this.decideAll({ verdict: null }, { reason: "" });
    else if (verdict === "discarded" && stands !== "keep") this.decideAll({ verdict: "keep" });
    else this.ask("Discard this passage: why?", "", (reason) => this.decideAll({ verdict: "discard" }, { reason }), this.page.lengths.reason);
  }

  askReason(target) {
    if (!target) return;
    const { reason, cause } = this.targets.words(target);
    this.ask(`Why “${target.quote}”?`, reason, (text) => this.decide(target, this.targets.content(target), { reason: text, cause: this.chosenCause }), this.page.lengths.reason, true);
    this.drawCauses(cause);
  }

  drawCauses(chosen) {
    this.chosenCause = chosen;
    const node = this.find("causes");
    node.hidden = false;
    node.replaceChildren(...this.page.causes.map((cause) => el("label", { class: "check" },
      el("input", { type: "radio", name: "cause", checked: cause.key === chosen, on: { change: () => { this.chosenCause = cause.key; } } }), cause.label)));
  }

  cause(index) {
    const target = this.targets.current;
    if (!target) return false;
    this.decide(target, this.targets.content(), { cause: this.page.causes[index].key });
    this.say(`Cause: ${this.page.causes[index].label}.`);
    return true;
  }

  step(which) {
    const [from, to] = which === "undo" ? [this.done, this.undone] : [this.undone, this.done];
    const act = from.pop();
    if (!act) {
      this.say(which === "undo" ? "Nothing to undo on this page." : "Nothing to do again.");
      return true;
    }
    to.push(this.queue.undo(act));
    this.say(which === "undo" ? "Taken back." : "Done again.");
    return true;
  }

  // --- the entry line -----------------------------------------------------------------------------------------------

  ask(label, value, take, most = this.page.lengths.suggestion, mayBeEmpty = false) {
    const form = this.find("entry");
    form.hidden = false;
    this.find("causes").hidden = true;
    this.find("entry-label").textContent = label;
    this.find("entry-error").textContent = "";
    this.find("entry-findings").replaceChildren();
    this.about = null;
    const field = form.elements.text;
    Object.assign(field, { value, maxLength: most });
    this.take = { take, label, most, mayBeEmpty };
    field.focus();
    field.select();
  }

  /** The same, with what an annotator would be told about such a text beneath it. */
  askSuggestion(label, value, target, take) {
    this.ask(label, value, take);
    this.about = target;
  }

  /** After a pause in typing; without an answer there are simply none. */
  lookAtText() {
    window.clearTimeout(this.lookTimer);
    const text = this.typed();
    const { about } = this;
    this.find("entry-findings").replaceChildren();
    if (!about || !text) return;
    this.lookTimer = window.setTimeout(async () => {
      const found = await this.fetched(`${this.queue.url}/findings`, { start: about.start, end: about.end, text });
      if (!found || this.about !== about || this.typed() !== text) return;
      this.find("entry-findings").replaceChildren(...found.findings.map((finding) => el("p", { class: "finding" }, finding.message)));
    }, FINDINGS_AFTER);
  }

  typed() {
    return this.find("entry").elements.text.value.trim().replace(/\s+/gu, " ");
  }

  enter() {
    const text = this.typed();
    if (!text && !this.take.mayBeEmpty) {
      this.find("entry-error").textContent = "Type something, or press Escape.";
      return;
    }
    const { take, label, most, mayBeEmpty } = this.take;
    const { about } = this;
    this.closeEntry();
    take(text);
    this.typedAs = { act: this.done.at(-1), text, label, take, most, mayBeEmpty, about };
  }

  /** What was typed and refused stands there again. */
  askAgain(message) {
    const { label, text, take, most, mayBeEmpty, about } = this.typedAs;
    this.ask(label, text, take, most, mayBeEmpty);
    this.about = about;
    this.find("entry-error").textContent = message;
  }

  closeEntry() {
    this.find("entry").hidden = true;
    this.focusList();
    return true;
  }

  // --- passages -----------------------------------------------------------------------------------------------------

  settle() {
    if (this.queue.state === "conflict") {
      this.say("First choose one of the two above.");
      return true;
    }
    if (this.arrived && performance.now() - this.arrived < SAME_PRESS) return true;
    const { decision, targets } = this.page.standing;
    const verdict = decision?.content.verdict;
    const isOpen = decision?.looks_again || this.isToAgree(this.page.standing) || targets.some((target) => this.isToAgree(target));
    if (!this.find("entry").hidden) this.enter();
    if (!this.find("entry").hidden) return true; // what is typed there cannot be taken yet
    if (!verdict || isOpen) this.decideAll({ verdict: verdict ?? "settled" });
    this.isLeaving = true;
    if (this.queue.isClean) this.leave();
    return true;
  }

  async leave() {
    this.isLeaving = false;
    if (this.page.next === undefined) await this.look(this.page.standing.uuid); // on its way still
    const settled = this.page.standing.uuid;
    const line = this.querySelector(`[data-line="${settled}"]`);
    line?.classList.add("done");
    if (this.page.next) this.go(this.page.next);
    else window.location.assign(`/p/${this.page.project}/adjudicate${this.page.query ? `?${this.page.query}` : ""}`);
  }

  /** The next one is here already, else it is loaded. */
  async go(uuid, none = "") {
    if (!uuid || !this.queue.isClean) {
      this.say(uuid ? "Not saved yet: it is sent as soon as that works, then on." : none);
      return;
    }
    const address = `/p/${this.page.project}/adjudicate/${uuid}${this.page.query ? `?${this.page.query}` : ""}`;
    const page = this.ahead.get(uuid);
    if (!page) {
      window.location.assign(address);
      return;
    }
    this.ahead.delete(uuid);
    this.done = [];
    this.undone = [];
    window.history.pushState({}, "", address);
    this.say(`${this.page.standing.id}: ${this.page.standing.decision?.content.verdict ?? "left open"}.`);
    this.arrived = performance.now();
    const shared = Object.fromEntries(["project", "query", "types", "causes", "separator", "lengths"].map((name) => [name, this.page[name]]));
    this.load({ ...page, ...shared, next: undefined, before: this.page.standing.uuid, left: this.page.left });
    window.scrollTo(0, 0);
    this.targets.reveal();
    this.focusList();
    this.look(uuid);
  }

  /** What comes after this one, and that one itself. */
  async prepare() {
    const { next } = this.page;
    if (next && !this.ahead.has(next)) {
      const page = await this.fetched(`/api/v1/projects/${this.page.project}/passages/${next}`);
      if (page) this.ahead.set(next, page);
    }
  }

  async look(uuid) {
    const found = await this.fetched(`/p/${this.page.project}/adjudicate/${uuid}/next${this.page.query ? `?${this.page.query}` : ""}`);
    if (!found || this.page.standing.uuid !== uuid) return;
    Object.assign(this.page, found);
    this.show();
    await this.prepare();
  }

  async fetched(url, body = null) {
    try {
      const response = body ? await post(url, body) : await fetch(url, { credentials: "same-origin", headers: { Accept: "application/json" } });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }

  // --- what the server says -----------------------------------------------------------------------------------------

  /** Nothing is owed: the page shows what stands there. */
  async stood(passage) {
    if (!passage) {
      const page = await this.fetched(this.queue.url);
      if (!page || !this.queue.isClean || page.standing.uuid !== this.page.standing.uuid) return;
      Object.assign(this.page, page);
    } else this.page.standing = passage;
    this.targets.load(this.page, { keepsPlace: true });
    if (this.after) {
      this.targets.choose(this.after);
      this.after = null;
    }
    this.show();
    if (this.isLeaving) this.leave();
  }

  refused(message, act) {
    this.isLeaving = false;
    [this.done, this.undone] = [this.done, this.undone].map((acts) => acts.filter((other) => other !== act));
    if (this.typedAs?.act === act && this.find("entry").hidden) this.askAgain(message);
    const banner = this.find("banner");
    banner.hidden = false;
    banner.replaceChildren(el("p", {}, message));
    this.say(message);
  }

  signedIn(user) {
    if (user === this.person.user) {
      this.queue.signedIn();
      this.focusList();
      return;
    }
    // Somebody else: their session must never carry these acts. They stay in this browser for whoever did them.
    this.say(`You signed in as somebody else. What ${this.person.name} decided stays in this browser.`);
    window.setTimeout(() => window.location.assign("/"), 4000);
  }

  // --- what the page shows ------------------------------------------------------------------------------------------

  show() {
    const { standing, lanes, discards } = this.page;
    this.find("heading").textContent = standing.id;
    document.title = `Adjudicate ${standing.id} · Assay`;
    const pa = standing.pa_det === null ? "" : ` · PA_det ${Math.round(standing.pa_det / 10)} % here`;
    this.find("facts").textContent = `${lanes.length} answer${lanes.length === 1 ? "" : "s"}${standing.discards ? `, ${standing.discards} discarded it` : ""}${pa}`;
    this.find("discards").replaceChildren(...discards.map((row) => el("p", { class: "dim" }, `${row.name} discarded it: ${row.reason}${row.remark ? ` – “${row.remark}”` : ""}`)));
    this.find("left").textContent = this.page.left;
    for (const line of this.querySelectorAll("[data-line]")) {
      if (line.dataset.line === standing.uuid) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
    this.showVerdict();
    this.showOwed();
    this.showComments();
    this.showState();
    this.chose();
  }

  showVerdict() {
    const { decision, verdict } = this.page.standing;
    const stands = decision?.content.verdict;
    const said = decision?.is_proposal ? this.proposed(decision) : {
      discard: `Discarded by ${decision?.by}: ${decision?.reason}`,
      keep: `Kept against the discards, by ${decision?.by}.`,
      settled: `Settled by ${decision?.by}.`,
    }[stands] ?? (verdict === "discarded" ? "More people discarded this passage than answered it: it is not in the gold." : verdict === "too few answers" ? "Too few people answered this passage: it is not in the gold." : "");
    const node = this.find("verdict");
    node.hidden = !said;
    const again = decision?.looks_again ? " What people said has changed since: look again, Y confirms." : "";
    const reopen = el("button", { type: "button", class: "btn small quiet", on: { click: () => this.decideAll({ verdict: null }, { reason: "" }) } }, "Open again");
    node.replaceChildren(said + again, " ", stands ? reopen : "");
    this.showDouble();
    this.find("settle-word").textContent = this.isToAgree(this.page.standing) ? "Agree" : this.page.standing.needs_consensus ? "Propose" : "Settle";
    this.find("discard-word").textContent = stands === "discard" ? "Take back" : verdict === "discarded" && stands !== "keep" ? "Keep passage" : "Discard";
  }

  proposed({ content, reason, by }) {
    const what = { settled: "to settle this passage as it stands", discard: "to discard this passage", keep: "to keep this passage against the discards" }[content.verdict] ?? "to open this passage again";
    const who = by === this.person.is ? "You propose" : `${by} proposes`;
    const then = by === this.person.is ? "Somebody else has to agree." : "Ctrl Enter agrees, and to all that is proposed below.";
    return `${who} ${what}${reason ? `: ${reason}` : ""}. ${then}`;
  }

  /** What two decided who settled it blind to each other; before both have, only that the other one is awaited. */
  showDouble() {
    const { double } = this.page.standing;
    const node = this.find("double");
    node.hidden = !double;
    if (!double) return;
    if (!double.is_done) {
      node.replaceChildren("You have settled this passage. Somebody else settles it, too, blind to you; then both are shown to be united.");
      return;
    }
    const button = (label, take) => el("button", { type: "button", class: "btn small", on: { click: () => this.unite(take) } }, label);
    const verdict = (side) => `${side.by}: ${side.verdict ?? "open"}${side.reason ? ` – “${side.reason}”` : ""}`;
    node.replaceChildren(
      el("p", {}, `Settled by two, blind to each other. ${double.sides.map(verdict).join(" · ")}. What each decided stands under the target that is chosen.`),
      el("p", { class: "row" }, button("Take what both say (U)", "both"), ...double.sides.map((side) => button(`Take all of ${side.by}`, side.by))),
    );
  }

  /** Of the chosen target what each of the two decided. */
  sides(target) {
    const { double } = this.page.standing;
    const there = (side) => side.decisions.find((row) => row.start === target.start && row.end === target.end);
    return (double?.sides ?? []).map((side) => {
      const found = there(side);
      const take = el("button", { type: "button", class: "btn small quiet", on: { click: () => this.decide(target, found.content, { reason: found.reason, cause: found.cause }) } }, "Take this");
      return el("p", {}, el("b", {}, `${side.by}: `), found ? spoken(found.content, this.page.types) : "as merged", found?.reason ? ` – “${found.reason}” ` : " ", found ? take : "");
    });
  }

  /** Acts on other passages that this browser still owes: opening them sends them. */
  showOwed() {
    const storage = deps().storage;
    const names = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage.key(index));
    const others = names.filter((name) => name.startsWith(this.slots) && name !== this.queue.slotKey).map((name) => name.slice(this.slots.length));
    const node = this.find("owed");
    node.hidden = !others.length;
    node.replaceChildren("Decisions on other passages were not sent yet. Open them to send: ", ...others.flatMap((uuid, index) => [el("a", { href: `/p/${this.page.project}/adjudicate/${uuid}` }, `passage ${index + 1}`), " "]));
  }

  showComments() {
    const open = this.page.comments.filter((row) => !row.resolved_at).length;
    this.find("comments").textContent = open ? `(${open})` : "";
  }

  showState() {
    const { queue } = this;
    const state = document.querySelector("[data-save-state]");
    state.dataset.saveState = queue.state;
    state.textContent = STATES[queue.state] ?? "Not saved";
    const kept = queue.hasSlotFailed ? "This browser keeps nothing: stay on this page until it says Saved." : "What you did is kept in this browser.";
    const again = ["Try now", () => (queue.state === "signed-out" ? queue.signedIn() : queue.retry())];
    const say = {
      retrying: [`${queue.message} ${kept} It is sent as soon as that works.`, again],
      "signed-out": [`You are signed out. ${kept}`, ["Sign in", () => this.logIn.open()], again],
      gone: [`This passage is out of reach. ${kept}`, again],
    }[queue.state];
    const banner = this.find("banner");
    if (say || !queue.refusal) banner.hidden = !say;
    if (say) {
      const [text, ...buttons] = say;
      banner.replaceChildren(el("p", {}, text), el("p", { class: "row" }, ...buttons.map(([label, act]) => el("button", { type: "button", class: "btn small", on: { click: act } }, label))));
    }
    queue.refusal = null;
    this.find("conflict").hidden = queue.state !== "conflict";
    if (queue.state === "conflict") this.showConflict(queue.conflict);
    if (queue.state !== "saving" && queue.state !== "saved") this.isLeaving = false;
  }

  showConflict({ request, content, reason, by }) {
    const said = (document_, why) => `${request.place === "passage" ? document_.verdict ?? "open" : spoken(document_, this.page.types)}${why ? ` – “${why}”` : ""}`;
    this.find("conflict-said").textContent = `${by || "Somebody"} decided this since you looked. Choose which one stands.`;
    this.find("mine").textContent = request.kind === "undo" ? "taken back" : request.kind === "unite" ? "united" : said(request.body.content, request.body.reason);
    this.find("theirs").textContent = said(content, reason);
    this.find("keep-mine").hidden = request.kind !== "decide";
  }

  /** The chosen target: lit in the lanes, in the sentence, and what is to be said of it. */
  chose() {
    const target = this.targets.current;
    if (!this.picker.isOpen) this.lanes.light(target);
    const lines = [];
    if (target) {
      const laid = this.targets.laid();
      const chip = this.targets.currentChip;
      if (chip && !chip.isRemoved) lines.push(this.sentence(target, chip));
      const votes = this.page.type_votes.find((row) => row.start === target.start && row.end === target.end)?.types ?? {};
      const labels = new Map(this.page.types.map((type) => [type.key, type.label]));
      const types = Object.entries(votes).map(([key, times]) => `${times} ${key ? `say ${labels.get(key) ?? key}` : "both alike"}`).join(", ");
      lines.push(el("p", { class: "dim" }, `${target.annotators ? `Marked by ${target.voters.join(", ")}.` : "Nobody marked it."}${types ? ` Types: ${types}.` : ""}${chip?.voters.length ? ` “${chip.text}” by ${chip.voters.join(", ")}.` : ""}`));
      if (target.type_tie && !this.targets.content().type) lines.push(el("p", { class: "finding" }, `The types tie: it stands as ${labels.get(laid.type) ?? laid.type} until somebody decides: K keeps it so, T gives the next.`));
      if (target.variants.length) lines.push(el("p", { class: "finding" }, `Nearly the same: ${target.variants.map((group) => group.join(", ")).join("; ")}. J joins them.`));
      if (target.decision?.looks_again) lines.push(this.evidence(target));
      if (target.decision?.is_proposal) lines.push(el("p", { class: "finding" }, this.isToAgree(target) ? `${target.decision.by} proposes: ${spoken(contentOf(target), this.page.types)}. Y agrees; anything else is a proposal of your own.` : `You propose: ${spoken(contentOf(target), this.page.types)}. Somebody else has to agree.`));
      lines.push(...this.sides(target));
      const why = this.targets.words();
      if (why.reason || why.cause) lines.push(el("p", {}, el("b", {}, "Why: "), [this.page.causes.find((cause) => cause.key === why.cause)?.label, why.reason].filter(Boolean).join(" – ")));
    }
    this.find("now").replaceChildren(...lines);
    this.find("confirm").hidden = !(target?.decision?.looks_again || this.isToAgree(target) || this.page.standing.decision?.looks_again);
    this.find("confirm-word").textContent = this.isToAgree(target) ? "Agree" : "Still right";
    const isKept = target && this.targets.laid().isKept;
    this.find("drop-word").textContent = target && !isKept ? "Restore" : "Drop";
  }

  sentence(target, chip) {
    const letters = Array.from(this.page.text);
    const [before, after] = [letters.slice(0, target.start).join(""), letters.slice(target.end).join("")];
    return el("p", { class: "sentence", dir: this.page.dir, lang: this.page.lang }, before, el("ins", {}, chip.text), after);
  }

  evidence(target) {
    const said = (suggestions) => suggestions.map((item) => `${item.text} ${item.voters.length}`).join(", ") || "nothing";
    const before = target.decision.snapshot.suggestions ?? [];
    return el("p", { class: "finding" }, `Look again. When it was decided: ${said(before)}. Now: ${said(target.offered)}. Y: still right.`);
  }

  say(text) {
    this.find("said").textContent = text;
    const note = this.find("note") ?? this.find("tools").parentNode.insertBefore(el("span", { class: "dim note", data: { note: "" } }), this.find("tools").nextSibling);
    note.textContent = text;
  }

  focusList() {
    this.find("targets").focus({ preventScroll: true });
    return true;
  }
}

customElements.define("assay-adjudicate", AssayAdjudicate);
