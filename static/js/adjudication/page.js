// The adjudicators' desk: wires the targets and lanes of a passage to the queue of acts, and goes from passage to passage.

import { deps, hasLetters, tabStore } from "../shared/browser.js";
import { LogInDialog } from "../workbench/log-in-dialog.js";
import { ActQueue } from "./act-queue.js";
import { commandsOf, isAllowed } from "./commands.js";
import { Deciding } from "./deciding.js";
import { versionsOf } from "./deliver.js";
import { Entry } from "./entry.js";
import { Going } from "./going.js";
import { commandOf } from "./keyboard.js";
import { LanesView } from "./lanes.js";
import { Moving } from "./moving.js";
import { Offer } from "./offer.js";
import { holding } from "./owed-line.js";
import { Panels } from "./panels.js";
import { Picker } from "./picker.js";
import { SavingView } from "./saving-view.js";
import { slotName } from "./slots.js";
import { StandingView } from "./standing-view.js";
import { TargetView } from "./target-view.js";
import { TargetsView } from "./targets.js";
import { Trail } from "./trail.js";

class AssayAdjudicate extends HTMLElement {
  connectedCallback() {
    this.find = (name) => this.querySelector(`[data-${name}]`);
    this.person = JSON.parse(document.getElementById("person-data").textContent);
    const page = JSON.parse(document.getElementById("page-data").textContent);
    this.going = new Going(this);
    this.deciding = new Deciding(this, new Trail(tabStore(), `assay:trail:${this.person.user}:${page.project}`));
    this.moving = new Moving(this);
    this.entry = new Entry(this.find("entry"), this);
    this.saving = new SavingView(this, { signIn: () => this.logIn.open() });
    this.standing = new StandingView(this);
    this.targetView = new TargetView(this);
    this.offer = new Offer(this.find("offer"), this);
    this.targets = new TargetsView(this.find("targets"), { chose: () => this.chose(), open: () => this.command("edit"), clicked: (target) => this.moving.clicked(target) });
    this.lanes = new LanesView(this.find("lanes"), {
      chose: (span) => this.targets.choose(span),
      word: (column, event) => this.picker.isOpen && this.picker.clicked(column, event),
      voice: (text) => (text ? this.targetView.hear(text) : this.chose()),
      left: () => this.focusList(),
    });
    this.picker = new Picker({ show: (span) => this.lanes.light(this.targets.current, span), ended: () => this.focusList() });
    this.panels = new Panels(this.person, {
      closed: () => document.activeElement === document.body && this.focusList(),
      notice: (text) => this.say(text),
      commented: () => this.showComments(),
      elsewhere: () => this.going.forget(),
      answered: () => this.queue.isClean && this.stood(null), // whoever went on meanwhile may be at one of them
      signIn: () => this.logIn.open(),
    });
    this.logIn = new LogInDialog(document.getElementById("log-in"), (user) => this.signedIn(user));
    this.commands = commandsOf(this);
    this.listen();
    this.load(page);
    this.focusList();
  }

  load(page) {
    const { uuid, id } = page.standing;
    const slotKey = slotName(this.person.user, uuid);
    this.page = page;
    this.letGoOfSlot?.();
    this.letGoOfSlot = holding(slotKey);
    this.moving.load();
    this.offer.withdraw();
    this.entry.load();
    this.queue = new ActQueue(
      { url: `/api/v1/projects/${page.project}/passages/${uuid}`, slotKey, name: id, by: this.person.is, versions: versionsOf(page.standing) },
      deps(),
      { change: () => this.showState(), stood: (passage) => this.stood(passage), refused: (message, act) => this.refused(message, act) },
    );
    this.panels.load(page);
    this.targets.load(page);
    this.lanes.load(page);
    this.show();
    this.targets.reveal(); // what stands above it has its height by now
    this.queue.begin();
    this.find("owed").look({ person: this.person.user, project: page.project, but: slotKey });
    this.going.prepare();
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
    window.addEventListener("online", () => this.queue.retry());
    window.addEventListener("popstate", () => window.location.reload());
    window.addEventListener("beforeunload", (event) => {
      if ((this.queue.hasSlotFailed && !this.queue.isClean) || this.panels.isAsking) event.preventDefault();
    });
    const { dialog } = this.logIn;
    dialog.querySelector("[data-cancel]").addEventListener("click", () => dialog.close());
    dialog.querySelector("[data-try]")?.addEventListener("click", () => {
      dialog.close();
      this.queue.signedIn();
      this.panels.signedIn();
    });
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  keyed(event) {
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (this.meant(event)) event.preventDefault();
  }

  meant(event) {
    const isTyping = Boolean(event.target.closest?.("input, textarea, select"));
    const isPlain = !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Escape" && this.entry.isOpen) return this.entry.leave();
    if (isPlain && this.lanes.keyed(event)) return true;
    if (isPlain && this.picker.isOpen) return this.picker.keyed(event);
    if (isPlain && this.moving.isUnderWay) return this.moving.keyed(event);
    const isOnList = event.target === document.body || Boolean(event.target.matches?.("[data-targets], .lanes-panel, .lm"));
    const name = commandOf(event, { isTyping, isOnList, hasLetters: hasLetters() });
    if (name === "settle" && event.repeat) return false;
    return name !== "" && this.command(name);
  }

  command(name) {
    if (name !== "undo") this.offer.withdraw();
    if (isAllowed(name, this.queue.state)) this.commands[name](this.targets.current);
    else this.say("First choose one of the two above.");
    return true;
  }

  get newest() {
    return this.deciding.newest;
  }

  fetched(url, body) {
    return this.going.fetched(url, body);
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
    if (this.going.isLeaving) this.going.leave();
  }

  refused(message, act) {
    this.going.isLeaving = false;
    this.deciding.trail.forget(act);
    this.entry.refused(message, act);
    this.saving.refused(message);
    this.say(message);
  }

  signedIn(user) {
    if (user === this.person.user) {
      this.queue.signedIn();
      this.panels.signedIn();
      this.focusList();
      return;
    }
    // Somebody else: their session must never carry these acts. They stay in this browser for whoever did them.
    this.say(`You signed in as somebody else. What ${this.person.name} decided stays in this browser.`);
    window.setTimeout(() => window.location.assign("/"), 4000);
  }

  // --- what the page shows ------------------------------------------------------------------------------------------

  show() {
    this.standing.draw();
    this.showComments();
    this.showState();
    this.chose();
  }

  showComments() {
    const open = this.page.comments.filter((row) => !row.resolved_at).length;
    this.find("comments").textContent = open ? `(${open})` : "";
  }

  showState() {
    this.saving.draw();
    if (!["saving", "saved"].includes(this.queue.state)) this.going.isLeaving = false;
  }

  /** The chosen target: lit in the lanes, in the sentence, and what is to be said of it. */
  chose() {
    const target = this.targets.current;
    this.targetView.voice = "";
    if (!this.picker.isOpen) this.lanes.light(target);
    this.targetView.draw(target);
  }

  say(text) {
    this.find("said").textContent = text;
    Object.assign(this.find("note"), { textContent: text, title: text });
  }

  focusList() {
    this.find("targets").focus({ preventScroll: true });
    return true;
  }
}

customElements.define("assay-adjudicate", AssayAdjudicate);
