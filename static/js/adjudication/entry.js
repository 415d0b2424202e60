// The line in which one types a suggestion or a reason; what is refused stands there again, to be mended. What is half
// typed is kept in this browser until it is taken or let be.

import { el, localStore } from "../shared/dom.js";
import { Drafts } from "../shared/drafts.js";

const FINDINGS_AFTER = 350; // ms after the last key

export class Entry {
  /** @param {HTMLFormElement} form  @param {object} desk {page, queue, fetched(url, body), focusList(), newest: the act done last} */
  constructor(form, desk) {
    Object.assign(this, { form, desk, asked: null, typedAs: null, about: null, cause: "", drafts: new Drafts(localStore(), desk.person.user) });
    this.find = (name) => form.querySelector(`[data-${name}]`);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter();
    });
    form.addEventListener("input", () => {
      this.keep(form.elements.text.value);
      this.lookAtText();
    });
    this.find("cancel").addEventListener("click", () => this.leave());
  }

  load() {
    this.typedAs = null;
    this.close();
  }

  get isOpen() {
    return !this.form.hidden;
  }

  get text() {
    return this.form.elements.text.value.trim().replace(/\s+/gu, " ");
  }

  /** @param {object} asked {label, value, take(text), most, mayBeEmpty, about: a target whose suggestion it is} */
  ask({ label, value = "", take, most = this.desk.page.lengths.suggestion, mayBeEmpty = false, about = null }) {
    this.asked = { label, take, most, mayBeEmpty, about };
    this.about = about;
    this.form.hidden = false;
    this.find("causes").hidden = true;
    this.find("entry-label").textContent = label;
    this.find("entry-error").textContent = "";
    this.find("entry-findings").replaceChildren();
    const field = this.form.elements.text;
    Object.assign(field, { value: this.kept || value, maxLength: most });
    field.focus();
    field.select();
  }

  /** Beside a reason: one of the causes may be chosen. */
  offerCauses(chosen) {
    this.cause = chosen;
    const node = this.find("causes");
    node.hidden = false;
    node.replaceChildren(...this.desk.page.causes.map(({ key, label }) => el("label", { class: "check" },
      el("input", { type: "radio", name: "cause", checked: key === chosen, on: { change: () => { this.cause = key; } } }), label)));
  }

  /** What an annotator would be told about such a text, after a pause in typing; without an answer nothing. */
  lookAtText() {
    window.clearTimeout(this.timer);
    const { text, about } = this;
    this.find("entry-findings").replaceChildren();
    if (!about || !text) return;
    this.timer = window.setTimeout(async () => {
      const found = await this.desk.fetched(`${this.desk.queue.url}/findings`, { start: about.start, end: about.end, text });
      if (!found || this.about !== about || this.text !== text) return;
      this.find("entry-findings").replaceChildren(...found.findings.map((finding) => el("p", { class: "finding" }, finding.message)));
    }, FINDINGS_AFTER);
  }

  /** @returns {boolean} whether it was taken */
  enter() {
    const { text, asked } = this;
    const before = this.desk.newest;
    if (!text && !asked.mayBeEmpty) {
      this.find("entry-error").textContent = "Type something, or press Escape.";
      return false;
    }
    this.leave();
    asked.take(text);
    const act = this.desk.newest;
    if (act !== before) this.typedAs = { ...asked, value: text, act };
    return true;
  }

  /** The server refused an act: if it was what was typed here, that stands here again. */
  refused(message, act) {
    if (this.isOpen || this.typedAs?.act !== act) return;
    this.ask(this.typedAs);
    this.keep(this.typedAs.value);
    this.find("entry-error").textContent = message;
  }

  /** Half typed, about this very thing. */
  get kept() {
    return this.drafts.read("desk", this.place);
  }

  keep(text) {
    this.drafts.write("desk", this.place, text);
  }

  get place() {
    return `${this.desk.page.standing.uuid}:${this.about ? `${this.about.start}-${this.about.end}:` : ""}${this.asked.label}`;
  }

  /** Taken, or let be. */
  leave() {
    this.keep("");
    return this.close();
  }

  close() {
    this.form.hidden = true;
    this.desk.focusList();
    return true;
  }
}
