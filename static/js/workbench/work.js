// The work page: wires the editor of an answer to its saver, and goes from passage to passage. Around them stand the
// marks list, the panels and what is said about saving.

import { deps, hasLetters } from "../shared/browser.js";
import { canonical } from "../shared/canonical.js";
import { el, localStore } from "../shared/dom.js";
import { Drafts } from "../shared/drafts.js";
import { beginning, slotName } from "../shared/slots.js";
import { ActiveClock } from "./active.js";
import { isEditable, marksOf } from "./answer.js";
import { Discard, undoDiscard } from "./discard.js";
import { Editor } from "./editor.js";
import { NextPassage } from "./next.js";
import { Panels } from "./panels.js";
import { Saver } from "./saver.js";
import { SavingView } from "./saving-view.js";
import { Shortcuts } from "./shortcuts.js";
import { Side } from "./side.js";
import { TabLock } from "./tab-lock.js";
import { turnTo } from "./turn.js";

export class AssayWork extends HTMLElement {
  connectedCallback() {
    this.find = (name) => this.querySelector(`[data-${name}]`);
    this.person = JSON.parse(document.getElementById("person-data").textContent);
    this.drafts = new Drafts(localStore(), this.person.user);
    this.clock = new ActiveClock(() => performance.now());
    this.next = new NextPassage((...given) => fetch(...given));
    this.editor = new Editor(this.find("passage"), this.find("card"), {
      answer: () => this.saver.newest,
      isLocked: () => this.isLocked,
      keep: (answer, how) => this.saver.change(answer, how),
      show: () => this.show(),
      showFindings: () => this.showMarks(),
      notice: (...given) => this.notice(...given),
      say: (text) => {
        this.find("said").textContent = text; // for ears: what the eye sees happen in the passage
      },
      hasLetters,
    });
    this.panels = new Panels({
      // The browser gives the focus back by itself; what was opened meanwhile keeps it.
      closed: () => document.activeElement === document.body && this.editor.focus(),
      notice: (...given) => this.notice(...given),
      asked: () => this.side.showQuestions(),
    }, this.drafts);
    this.discard = new Discard(this.find("form-discard"), this.drafts);
    this.side = new Side(this.find, (span) => this.editor.openCard(span));
    this.savingView = new SavingView(this.find, {
      saver: () => this.saver,
      page: () => this.page,
      focus: () => this.editor.focus(),
      drop: () => this.drop(),
      continueHere: () => this.lock.ask({ steal: true }),
      chose: (answer, other) => this.chose(answer, other),
      signedIn: (user) => this.signedIn(user),
    });
    this.shortcuts = new Shortcuts(this, {
      submit: () => this.submit(),
      step: (which) => this.editor.step(which),
      escape: (form) => this.escape(form),
      command: (name) => this.command(name),
      toPassage: (event) => {
        this.editor.focus();
        this.editor.passage.keyed(event);
      },
      hasText: () => this.editor.card.hasText,
      isOpen: () => this.editor.open !== null,
      hasLetters,
    });
    this.listen();
    // The on-screen keyboard takes half of a phone: the field one types in stays in sight.
    window.visualViewport?.addEventListener("resize", () => this.editor.keepInSight());
    this.load(JSON.parse(document.getElementById("page-data").textContent));
    const hasKeyboard = window.matchMedia("(pointer: fine)").matches;
    if (document.activeElement === document.body && hasKeyboard) this.editor.focus();
  }

  /** A passage: the one the page came with, or the next, without leaving the page. */
  load(page) {
    this.page = page;
    this.asked = ""; // the answer for which a second Ctrl+Enter is waited for
    this.saver = this.makeSaver();
    this.editor.load(page, deps());
    this.panels.load(page);
    this.side.load(page);
    this.discard.load(page);
    this.lock = new TabLock(`assay:${page.uuid}`, () => this.takeUp(), () => this.standDown());
    this.lock.ask();
    this.next.prepare(page.following);
  }

  get answer() {
    return this.saver.newest;
  }

  get isLocked() {
    // Submitted or withdrawn elsewhere: what is typed here stays typed, and is kept, until the person decides.
    const takesText = this.saver.takesSaves || !this.saver.isClean();
    return this.saver.isPaused || this.saver.isActing || !takesText;
  }

  makeSaver() {
    const { uuid, project, number, passage } = this.page;
    const start = {
      url: `/api/v1/assignments/${uuid}`,
      slotKey: slotName(this.person.user, uuid),
      about: { project, number, begins: beginning(passage.text) },
      version: this.page.version,
      state: this.page.state,
      answer: this.page.answer,
    };
    const saver = new Saver(start, { ...deps(), takeActive: () => this.clock.take() }, () => this.saver === saver && this.show());
    return saver;
  }

  listen() {
    for (const type of ["keydown", "pointerdown", "pointermove", "input"]) {
      this.addEventListener(type, () => this.clock.tick(), { passive: true });
    }
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "hidden") return;
      this.clock.rest();
      this.saver.flush({ isLeaving: true });
    });
    window.addEventListener("pagehide", () => this.saver.flush({ isLeaving: true }));
    window.addEventListener("beforeunload", (event) => {
      if (this.saver.hasSlotFailed && !this.saver.isClean()) event.preventDefault();
    });
    window.addEventListener("online", () => this.saver.retry());
    window.addEventListener("popstate", () => window.location.reload());
    this.find("none").addEventListener("change", (event) => this.editor.sayNone(event.target.checked));
    this.find("submit").addEventListener("mousedown", (event) => event.preventDefault()); // one goes on where one was
    this.find("submit").addEventListener("click", () => this.shortcuts.isSamePress || this.submit());
    for (const node of document.querySelectorAll("[data-command]")) {
      node.addEventListener("mousedown", (event) => event.preventDefault()); // the field one is in keeps the focus
      node.addEventListener("click", (event) => {
        event.preventDefault();
        this.command(node.dataset.command);
      });
    }
    this.addEventListener("focusin", (event) => this.side.showHints(event.target));
    this.onForm("reopen", () => this.saver.act("reopen"));
    this.onForm("undo-discard", () => this.saver.act("undo-discard"));
    this.onForm("discard", (fields) => this.saver.act("discard", fields));
    // A click beside everything takes the focus from nowhere: it stays where it was.
    this.querySelector(".stage").addEventListener("mousedown", (event) => {
      if (!event.target.closest("p, input, textarea, button, label, a")) event.preventDefault();
    });
  }

  /** Out of the discard form, or of the card from wherever in it. */
  escape(form) {
    if (form) {
      this.discard.close();
      this.editor.focus();
    } else this.editor.closeCard();
  }

  command(name) {
    if (this.saver.isActing && ["none", "discard", "ask"].includes(name)) return; // the passage is on its way out
    const acts = {
      none: () => this.editor.sayNone(!this.answer.none),
      discard: () => this.isLocked || this.discard.open(),
      ask: () => this.panels.showQuestion(),
      guidelines: () => this.panels.showGuidelines(),
      keys: () => this.panels.showKeys(),
      undo: () => this.editor.step("undo"),
      redo: () => this.editor.step("redo"),
    };
    acts[name]();
  }

  /** This tab may edit: at once when the page is fresh, after a look at the server when another tab had it. */
  async takeUp() {
    const { saver } = this;
    const { turn } = saver;
    const isPrepared = this.page.isPrepared && saver.state !== "elsewhere";
    if (isPrepared) saver.begin(); // at once; whether it is still so is asked meanwhile
    if (isPrepared || saver.state === "elsewhere") {
      const page = await this.lookUp(saver.url);
      if (saver !== this.saver) return;
      if (page && isPrepared) this.refreshPrepared(page);
      else if (page && turn === saver.turn) saver.refresh(page);
    }
    if (!isPrepared && saver === this.saver && turn === saver.turn) saver.begin(); // else a third tab has taken over
  }

  /** What the server has; null without an answer: what this page has is kept, and the version check guards the rest. */
  async lookUp(url) {
    try {
      const response = await fetch(url, { credentials: "same-origin", signal: AbortSignal.timeout(5000) });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }

  /** A passage that was fetched ahead may have been worked on elsewhere since; untouched here, it is brought up to date. */
  refreshPrepared(page) {
    Object.assign(this.page, { following: page.following, guidelines: page.guidelines });
    this.next.prepare(page.following);
    this.panels.showNews();
    const isUntouched = this.saver.isClean() && !this.saver.request && !this.editor.open;
    if (page.version === this.saver.version || !isUntouched) return;
    if (!isEditable(page.state)) {
      window.location.reload();
      return;
    }
    this.saver.refresh(page);
    this.editor.forget(page.answer);
    this.show();
  }

  /** An open card would hold chips that the other tab may change. */
  standDown() {
    this.editor.shutCard();
    this.saver.standDown();
  }

  /** A plain form that works without this script; with it, the act goes the same way as the saves. */
  onForm(name, act) {
    this.find(`form-${name}`)?.addEventListener("submit", (event) => {
      event.preventDefault();
      const { reason, remark } = Object.fromEntries(new FormData(event.target));
      if (this.saver.isPaused || this.saver.state === "conflict") {
        this.notice("Not from this tab just now: see the message above.");
        return;
      }
      this.editor.closeCard();
      act(name === "discard" ? { reason: reason ?? "", remark: remark ?? "" } : {});
    });
  }

  // --- what the person does ----------------------------------------------------------------------------------------

  submit() {
    if (this.saver.state === "conflict") this.notice("First choose one of the two versions above.");
    if (this.isLocked || this.saver.state === "conflict") return;
    if (!this.saver.takesSaves) {
      this.notice("Not from here just now: see the message above.");
      return;
    }
    this.editor.card.commit();
    const warnings = this.warnings();
    if (warnings.length && this.asked !== canonical(this.answer)) {
      this.asked = canonical(this.answer);
      const [{ message, about }] = warnings;
      const more = warnings.length > 1 ? ` And ${warnings.length - 1} more.` : "";
      this.show();
      const { start, end, quote } = about ?? {};
      const look = about ? { label: "Show", act: () => this.editor.openCard({ start, end, quote }) } : null;
      this.notice(`${message}${more} Submit again to hand it in like this.`, { button: look });
      return;
    }
    this.editor.closeCard();
    this.notice("");
    this.saver.act("submit");
    this.show();
  }

  /** What is on the screen by now: hints, and how many marks are asked for. */
  warnings() {
    const known = this.editor.findings.warnings(this.answer).filter((finding) => finding.code !== "few_marks");
    const { length } = marksOf(this.answer);
    const least = this.page.rules.warn_below_marks;
    const few = length > 0 && length < least ? [{ message: `${length} marked: at least ${least} are asked for.` }] : [];
    const { card } = this.editor;
    const open = card.asking ? [{ message: card.question }] : [];
    return [...open, ...few, ...known];
  }

  signedIn(user) {
    if (user === this.person.user) {
      this.saver.retry();
      if (document.activeElement === document.body) this.editor.focus();
      return;
    }
    // Somebody else: their session must never carry this text. It stays in this browser for its owner.
    this.standDown();
    this.notice(`You signed in as somebody else. The unsaved text of ${this.person.name} stays in this browser.`);
    window.setTimeout(() => window.location.assign("/"), 4000);
  }

  // --- what the page shows -----------------------------------------------------------------------------------------

  show() {
    const { saver } = this;
    if (saver.finished && saver.isClean()) {
      const isBack = ["reopen", "undo-discard"].includes(saver.finished.kind) && this.find("form-discard");
      if (!isBack) {
        this.moveOn(saver.finished.kind);
        return;
      }
      saver.finished = null; // the page was made for work, and goes on as it is
    }
    if (saver.isReplaced) this.replaced();
    this.editor.show();
    this.find("none").checked = Boolean(this.answer.none);
    this.find("none").disabled = this.isLocked;
    this.find("submit").disabled = this.isLocked;
    this.find("undo").disabled = this.isLocked || !this.editor.canStep("undo");
    this.find("redo").disabled = this.isLocked || !this.editor.canStep("redo");
    this.showMarks();
    this.savingView.show();
  }

  /** What stood here was stored, and changed elsewhere since: the newer text is here now. */
  replaced() {
    this.saver.isReplaced = false;
    this.editor.card.span = null; // its chips are the old ones
    this.editor.shutCard();
    this.editor.forget(this.answer);
    if (!this.saver.takesSaves && this.find("form-discard")) window.location.reload(); // it is over, and the page was made for work
  }

  /** After submit or discard the next passage, which is here already; else the page is loaded. */
  moveOn(kind) {
    const { project, number } = this.page;
    const isOver = kind === "submit" || kind === "discard";
    // A page that came for a finished passage has no form to discard the next one with: it is loaded anew.
    const page = isOver && this.find("form-discard") ? this.next.take() : null;
    if (!page) {
      // After the last test passage the list says how it went; else on to the next.
      const next = this.page.kind === "test" ? `/p/${project}/work` : `/p/${project}/work/next?after=${number}&over`;
      window.location.assign(isOver ? next : `/p/${project}/work/${number}`);
      return;
    }
    const { url, version } = this.saver;
    this.discard.forget();
    this.saver.finished = null;
    this.shortcuts.arrive();
    this.lock.end();
    this.querySelectorAll("[data-was]").forEach((node) => node.remove()); // what the server said of the passage before
    turnTo(this.find, page);
    this.load({ ...page, isPrepared: true });
    this.editor.focus();
    window.scrollTo(0, 0);
    const back = () => window.location.assign(`/p/${project}/work/${number}`);
    const look = { label: "Look at it again", act: back };
    const undo = { label: "Undo", act: () => undoDiscard(url, version).finally(back) };
    this.notice(`Passage ${number} is ${kind === "submit" ? "submitted" : "discarded"}.`, { isGood: true, button: kind === "submit" ? look : undo });
  }

  showMarks() {
    this.side.showMarks(this.answer, this.editor.open, this.isLocked, this.editor.findings);
  }

  drop() {
    if (!window.confirm("Drop everything that is not saved? It cannot be brought back.")) return;
    this.editor.shutCard();
    this.saver.letGo();
    window.location.reload();
  }

  /** Of two versions in conflict. */
  chose(answer, other) {
    this.editor.shutCard();
    this.editor.chose(answer, other);
    this.show();
    if (this.isLocked && !this.saver.isActing) window.location.reload(); // the one taken is over
    else this.editor.focus();
  }

  /** One line above the bar at the bottom, in sight wherever one is in a long passage. */
  notice(text, { isGood = false, button = null } = {}) {
    const node = this.find("notice");
    node.classList.toggle("good", isGood);
    const made = button && el("button", { type: "button", class: "link", on: { click: button.act } }, button.label);
    node.replaceChildren(...[text, made && " ", made].filter(Boolean));
  }
}

customElements.define("assay-work", AssayWork);
