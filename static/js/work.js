// The work page: wires passage, card, marks list, dialogs and the saver together.

import { ActiveClock } from "./active.js";
import { EMPTY, findMark, marksOf, withSpan, withSubstitutes, withoutMark } from "./answer.js";
import { Card } from "./card.js";
import { cookie, el } from "./dom.js";
import { LogInDialog } from "./log-in-dialog.js";
import { PassageView } from "./passage.js";
import { Saver } from "./saver.js";
import { TabLock } from "./tab-lock.js";

const STATE_WORDS = {
  saved: "Saved",
  unsaved: "Not saved yet",
  saving: "Saving …",
  retrying: "Not saved: no answer",
  "signed-out": "Not saved: signed out",
  conflict: "Not saved: changed elsewhere",
  refused: "Not saved",
  gone: "Not saved: no access",
  elsewhere: "Open in another tab",
};

const DONE_WORDS = { submitted: "Submitted", discarded: "Discarded", withdrawn: "Withdrawn" };

class AssayWork extends HTMLElement {
  connectedCallback() {
    this.page = JSON.parse(document.getElementById("page-data").textContent);
    this.find = (name) => this.querySelector(`[data-${name}]`);
    this.clock = new ActiveClock(() => performance.now());
    this.open = null;
    this.saver = this.makeSaver();
    this.passage = new PassageView(this.find("passage"), this.page.passage, (span) => this.openCard(span));
    this.card = new Card(this.find("card"), this.page.types, {
      separator: this.page.separator,
      change: (substitutes, how) => this.change(withSubstitutes(this.answer, this.open, substitutes), how),
      resize: (step) => this.resize(step),
      remove: () => this.removeMark(this.open),
      close: () => this.closeCard(),
      notice: (text) => this.notice(text),
    });
    this.logIn = new LogInDialog(document.getElementById("log-in"), (user) => this.signedIn(user));
    this.lock = new TabLock(
      `assay:${this.page.uuid}`,
      () => this.takeUp(),
      () => this.standDown(),
    );
    this.listen();
    this.lock.ask();
  }

  get answer() {
    return this.saver.newest;
  }

  get isLocked() {
    const isOpen = ["assigned", "started"].includes(this.saver.serverState);
    return this.saver.isPaused || this.saver.isActing || !isOpen;
  }

  makeSaver() {
    const start = {
      url: `/api/v1/assignments/${this.page.uuid}`,
      slotKey: `assay:slot:${this.page.user}:${this.page.uuid}`,
      version: this.page.version,
      state: this.page.state,
      answer: this.page.answer,
    };
    const deps = {
      fetch: (...given) => fetch(...given),
      storage: window.localStorage,
      newId: () => crypto.randomUUID?.() ?? uuidFromBytes(),
      takeActive: () => this.clock.take(),
      setTimeout: (...given) => window.setTimeout(...given),
      clearTimeout: (timer) => window.clearTimeout(timer),
      timeout: (ms) => AbortSignal.timeout(ms),
      csrf: () => cookie("assay_csrf"),
    };
    return new Saver(start, deps, () => this.show());
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
    document.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
        event.preventDefault();
        this.submit();
      }
    });
    this.find("none").addEventListener("change", (event) => this.sayNone(event.target.checked));
    this.find("submit").addEventListener("click", () => this.submit());
    this.onForm("reopen", () => this.saver.act("reopen"));
    this.onForm("undo-discard", () => this.saver.act("undo-discard"));
    this.onForm("discard", (fields) => this.saver.act("discard", fields));
    document.querySelector("#log-in [data-cancel]").addEventListener("click", () => this.logIn.dialog.close());
  }

  /** This tab may edit: at once when the page is fresh, after a look at the server when another tab had it. */
  async takeUp() {
    const { turn } = this.saver;
    if (this.saver.state === "elsewhere") {
      try {
        const response = await fetch(this.saver.url, { credentials: "same-origin", signal: AbortSignal.timeout(5000) });
        const page = await response.json();
        if (response.ok && turn === this.saver.turn) this.saver.refresh(page);
      } catch {
        // No answer: what this page has is kept, and the version check guards the rest.
      }
    }
    if (turn === this.saver.turn) this.saver.begin(); // else a third tab has taken over meanwhile
  }

  /** An open card would hold chips that the other tab may change. */
  standDown() {
    this.card.close();
    this.open = null;
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
      this.closeCard();
      act(name === "discard" ? { reason: reason ?? "", remark: remark ?? "" } : {});
    });
  }

  // --- what the person does ----------------------------------------------------------------------------------------

  change(answer, how = { now: true }) {
    if (this.isLocked) return;
    this.notice("");
    this.saver.change(answer, how);
    this.show();
  }

  openCard(span) {
    if (this.isLocked) return;
    this.card.commit();
    const mark = marksOf(this.answer)[findMark(this.answer, span.start, span.end)];
    this.open = span;
    this.card.open(span, mark?.substitutes ?? []);
    this.show();
  }

  /** Focus goes back to the word, so that work goes on from there. */
  closeCard() {
    const span = this.open;
    this.card.commit();
    this.card.close();
    this.open = null;
    this.show();
    if (span) this.passage.focus(span);
  }

  resize(step) {
    const to = this.passage.resized(this.open, step);
    if (!to) return;
    this.card.commit();
    const answer = withSpan(this.answer, this.open, to);
    const isMarked = findMark(this.answer, this.open.start, this.open.end) >= 0;
    if (isMarked && answer === this.answer) {
      this.notice(`“${to.quote}” is marked already.`);
      return;
    }
    this.open = to;
    if (isMarked) this.change(answer);
    this.openCard(to);
  }

  removeMark(span) {
    this.card.close();
    this.open = null;
    this.change(withoutMark(this.answer, span));
    this.passage.focus(span);
  }

  sayNone(isNone) {
    if (isNone && marksOf(this.answer).length > 0) {
      this.find("none").checked = false;
      this.notice("There are marks. Remove them first, then say that there is nothing to improve.");
      return;
    }
    this.change(isNone ? { none: true } : EMPTY);
  }

  submit() {
    if (this.isLocked || this.saver.state === "conflict") return;
    this.closeCard();
    this.notice("");
    this.saver.act("submit");
    this.show();
  }

  signedIn(user) {
    if (user === this.page.user) {
      this.saver.retry();
      return;
    }
    // Somebody else: their session must never carry this text. It stays in this browser for its owner.
    this.standDown();
    this.notice(`You signed in as somebody else. The unsaved text of ${this.page.user_name} stays in this browser.`);
    window.setTimeout(() => window.location.assign("/"), 4000);
  }

  // --- what the page shows -----------------------------------------------------------------------------------------

  show() {
    const { saver } = this;
    if (!this.passage) return;
    if (saver.finished && saver.isClean()) {
      this.moveOn(saver.finished.kind);
      return;
    }
    const state = this.closest("body").querySelector("[data-save-state]");
    state.dataset.saveState = saver.state;
    state.dataset.version = saver.version;
    state.textContent = (saver.state === "saved" && DONE_WORDS[saver.serverState]) || STATE_WORDS[saver.state];
    this.passage.show(this.answer, this.open, this.isLocked);
    this.find("none").checked = Boolean(this.answer.none);
    this.find("none").disabled = this.isLocked;
    this.find("submit").disabled = this.isLocked;
    this.showMarks();
    this.showBanner();
    if (saver.state === "signed-out") this.logIn.open();
  }

  moveOn(kind) {
    const { project, number } = this.page;
    const next = `/p/${project}/work/next?after=${number}`;
    window.location.assign(kind === "submit" || kind === "discard" ? next : `/p/${project}/work/${number}`);
  }

  showMarks() {
    const labels = new Map(this.page.types.map((type) => [type.key, type.label]));
    const marks = [...marksOf(this.answer)].sort((a, b) => a.start - b.start || a.end - b.end);
    const rows = marks.map((mark) => {
      const isCurrent = this.open && this.open.start === mark.start && this.open.end === mark.end;
      const chips = mark.substitutes.map((item) => el("span", { class: "chip" }, item.text));
      const types = [...new Set(mark.substitutes.map((item) => labels.get(item.type)))].join(" · ");
      const open = () => this.openCard({ start: mark.start, end: mark.end, quote: mark.quote });
      const button = el("button", { type: "button", class: "quote", disabled: this.isLocked, on: { click: open } }, mark.quote);
      return el("li", { class: isCurrent ? "mk cur" : "mk" }, button, el("span", {}, ...chips), el("small", {}, types));
    });
    this.find("marks").replaceChildren(...rows);
    this.find("count").textContent = this.answer.none ? "nothing to improve" : String(marks.length);
  }

  showBanner() {
    const { saver } = this;
    const say = {
      retrying: [saver.message, ["Try now", () => saver.retry()]],
      "signed-out": [
        "You are signed out. Your text is kept in this browser.",
        ["Sign in", () => this.logIn.open()],
        ["Try now", () => saver.retry()],
      ],
      refused: [saver.message, ...this.waysOn(), this.download(), ["Drop my unsaved text", () => this.drop()]],
      gone: [
        "This passage is out of reach: you were removed from the project, or are signed in as somebody else in this browser. Your unsaved text is kept here.",
        ["Try again", () => saver.retry()],
        this.download(),
      ],
      elsewhere: ["This passage is open in another tab.", ["Continue here", () => this.lock.ask({ steal: true })]],
    }[saver.state];
    const banner = this.find("banner");
    banner.hidden = !say && !saver.refusal && !saver.hasSlotFailed;
    this.find("conflict").hidden = saver.state !== "conflict";
    if (saver.state === "conflict") this.showConflict();
    if (banner.hidden) return;
    const storage = "This browser keeps nothing (private window, or its storage is full): stay on this page until it says Saved.";
    const [text, ...buttons] = say ?? [saver.refusal?.message ?? storage];
    const made = buttons.map(([label, act]) => el("button", { type: "button", class: "btn small", on: { click: act } }, label));
    const isNew = banner.textContent.indexOf(text) < 0;
    banner.replaceChildren(el("p", {}, text), el("p", { class: "row" }, ...made));
    if (isNew) banner.scrollIntoView({ block: "nearest" });
  }

  /** After a lost submit, newer text is refused until the passage is open again. */
  waysOn() {
    if (this.saver.serverState === "submitted") return [["Reopen and save", () => this.saver.act("reopen")]];
    return [["Try again", () => this.saver.retry()]];
  }

  drop() {
    this.card.close();
    this.open = null;
    this.saver.letGo();
    window.location.reload();
  }

  download() {
    return ["Download my text", () => {
      const data = { passage: this.page.passage.text, version: this.saver.version, answer: this.answer };
      const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
      el("a", { href: url, download: `passage-${this.page.number}.json` }).click();
      URL.revokeObjectURL(url);
    }];
  }

  showConflict() {
    const fill = (name, answer) => {
      const lines = answer.none ? [el("li", {}, "Nothing to improve")] : marksOf(answer).map((mark) =>
        el("li", {}, el("q", {}, mark.quote), ` → ${mark.substitutes.map((item) => item.text).join("; ") || "–"}`));
      this.find(name).replaceChildren(...(lines.length ? lines : [el("li", {}, "Nothing marked")]));
    };
    fill("mine", this.answer);
    fill("theirs", this.saver.conflict.answer);
    this.find("keep-mine").onclick = () => this.saver.keepMine();
    this.find("take-theirs").onclick = () => {
      this.card.close();
      this.open = null;
      this.saver.takeTheirs();
      if (this.isLocked) window.location.reload();
    };
  }

  notice(text) {
    this.find("notice").textContent = text;
  }
}

function uuidFromBytes() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
}

customElements.define("assay-work", AssayWork);
