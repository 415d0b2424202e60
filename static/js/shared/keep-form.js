// A form whose text outlives a session that ran out: kept in this browser, for its writer alone, until the server says
// that it has it.

import { el, localStore } from "./dom.js";
import { Drafts } from "./drafts.js";
import { isSame, parseKept, toldOf } from "./kept.js";

/** Stands inside the form; outside of one, on the page that comes after, it only hears what the server says. */
class AssayKeepForm extends HTMLElement {
  connectedCallback() {
    const { person, about } = this.dataset;
    this.drafts = new Drafts(localStore(), person);
    if ([...document.querySelectorAll(".message")].some((node) => node.classList.contains(`sent:${about}`))) this.drop();
    this.form = this.closest("form");
    if (!this.form) return;
    this.fields = [...this.form.querySelectorAll("textarea")];
    this.form.addEventListener("input", () => {
      this.keep();
      this.label();
    });
    this.form.addEventListener("submit", () => this.keep({ always: this.hasAttribute("data-refused") }));
    this.form.querySelector("[data-drop]")?.addEventListener("click", () => this.drop());
    if (this.hasAttribute("data-refused")) this.keep({ always: true }); // the page shows it, and says why
    else this.putBack();
  }

  /** As the server sent them, whatever the browser has put there. */
  get shown() {
    return this.values("defaultValue");
  }

  values(which) {
    const version = this.form.querySelector("input[name$=version]")?.defaultValue ?? "";
    return { version, fields: Object.fromEntries(this.fields.map((field) => [field.name, field[which]])) };
  }

  keep({ always = false } = {}) {
    const typed = this.values("value");
    if (always || !isSame(typed.fields, this.shown.fields)) this.drafts.write("form", this.dataset.about, JSON.stringify(typed));
    else this.drop();
  }

  drop() {
    this.drafts.write("form", this.dataset.about, "");
  }

  /** What else follows the text, such as a preview, hears of it as `put-back`, once all of the page listens. */
  fill(texts) {
    for (const field of this.fields) field.value = texts[field.name] ?? field.defaultValue;
    this.label();
    const tell = () => this.form.dispatchEvent(new Event("put-back"));
    if (document.readyState === "complete") tell();
    else addEventListener("load", tell, { once: true });
  }

  /** A button that also saves says so while there is something to save (`data-unsaved`). */
  label() {
    const isSaved = isSame(this.values("value").fields, this.shown.fields);
    for (const button of [...this.form.elements].filter((node) => node.dataset.unsaved)) {
      button.dataset.saved ??= button.textContent;
      button.textContent = isSaved ? button.dataset.saved : button.dataset.unsaved;
    }
  }

  putBack() {
    const kept = parseKept(this.drafts.read("form", this.dataset.about));
    if (!kept) return;
    if (isSame(kept.fields, this.shown.fields)) {
      this.drop(); // it has arrived, though the page that said so was not seen
      return;
    }
    this.fill(kept.fields);
    const leave = () => {
      this.fill({});
      this.drop();
      this.replaceChildren();
    };
    const button = el("button", { type: "button", class: "btn small", on: { click: leave } }, "Drop it and show what is saved");
    this.replaceChildren(el("div", { class: "message warning", role: "status" }, el("p", {}, toldOf(kept, this.shown)), button));
  }
}

customElements.define("assay-keep-form", AssayKeepForm);
