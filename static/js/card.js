// The card of one span: a field per type, substitutes as chips. `;` or Enter makes a chip. What is typed but not yet
// a chip counts as the last substitute of its field, so it is saved like the rest.

import { el } from "./dom.js";
import { key, split, tidy } from "./answer.js";

export class Card {
  /**
   * @param {HTMLElement} root
   * @param {object[]} types {key, label, hint}
   * @param {object} page {change(substitutes, {now}), resize(step), remove(), close(), notice(text), separator}
   */
  constructor(root, types, page) {
    Object.assign(this, { root, types, page, span: null, chips: [] });
  }

  open(span, substitutes) {
    this.span = span;
    this.chips = [...substitutes];
    this.draw();
    this.root.hidden = false;
    this.fields[0].input.focus();
  }

  close() {
    this.span = null;
    this.root.hidden = true;
    this.root.replaceChildren();
  }

  draw() {
    this.fields = this.types.map((type, index) => this.drawField(type, index));
    const name = el("q", { class: "card-quote" }, this.span.quote);
    const button = (label, act) => el("button", { type: "button", class: "btn small quiet", on: { click: act } }, label);
    const tools = el(
      "div",
      { class: "card-tools" },
      name,
      el("span", { class: "grow" }),
      button("Shorter", () => this.page.resize(-1)),
      button("Longer", () => this.page.resize(1)),
      button("Remove", () => this.page.remove()),
    );
    this.root.replaceChildren(el("div", {}, ...this.fields.map((field) => field.row)), tools);
    this.drawChips();
  }

  drawField(type, index) {
    const chips = el("span", { class: "chips" });
    const input = el("input", {
      id: `field-${index}`,
      autocomplete: "off",
      spellcheck: true,
      on: {
        input: (event) => this.typed(type, event),
        compositionend: (event) => this.typed(type, event),
        keydown: (event) => this.keyed(type, event),
        blur: () => this.makeChips(type, "typed"),
        paste: () => {
          this.isPasting = true;
        },
      },
    });
    const line = el("i", { class: `line type-${index}` });
    const label = el("label", { htmlFor: input.id }, line, type.label);
    return { type, input, chips, row: el("div", { class: "field" }, label, el("div", { class: "input" }, chips, input)) };
  }

  drawChips() {
    for (const { type, chips, input } of this.fields) {
      const own = this.chips.filter((chip) => chip.type === type.key);
      input.placeholder = own.length ? "" : type.hint;
      chips.replaceChildren(...own.map((chip) => this.drawChip(chip)));
    }
  }

  drawChip(chip) {
    const remove = () => {
      this.chips = this.chips.filter((other) => other !== chip);
      this.drawChips();
      this.page.change(this.substitutes(), { now: true });
    };
    const label = `Remove ${chip.text}`;
    const button = el("button", { type: "button", "aria-label": label, title: label, on: { click: remove } }, "×");
    return el("span", { class: "chip" }, chip.text, button);
  }

  typed(type, event) {
    const { input } = this.fieldOf(type);
    if (event.isComposing) {
      // An input method is still choosing: its text is kept like any other, but makes no chip.
      this.page.change(this.substitutes(), { now: false });
      return;
    }
    const via = this.isPasting ? "pasted" : "typed";
    this.isPasting = false;
    if (this.page.separator === ";" && /[;；؛\u037e]/u.test(input.value)) this.makeChips(type, via);
    else this.page.change(this.substitutes(), { now: false });
  }

  keyed(type, event) {
    if (event.isComposing || event.keyCode === 229) return; // an input method is still choosing
    const { input } = this.fieldOf(type);
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (tidy(input.value) === "") this.page.close();
      else this.makeChips(type, "typed");
    } else if (event.key === "Escape") {
      this.makeChips(type, "typed");
      this.page.close();
    } else if (event.key === "Backspace" && input.value === "") {
      const own = this.chips.filter((chip) => chip.type === type.key);
      if (own.length === 0) return;
      event.preventDefault();
      const chip = own.at(-1);
      this.chips = this.chips.filter((other) => other !== chip);
      input.value = chip.text;
      this.drawChips();
      this.page.change(this.substitutes(), { now: false });
    }
  }

  makeChips(type, via) {
    const { input } = this.fieldOf(type);
    if (!this.span || input.value === "") return; // a field also loses focus when its card goes
    const known = new Set(this.chips.map((chip) => key(chip.text)));
    const doubles = [];
    for (const text of split(input.value, this.page.separator)) {
      if (known.has(key(text))) doubles.push(text);
      else this.chips.push({ text, type: type.key, via });
      known.add(key(text));
    }
    input.value = "";
    this.drawChips();
    this.page.change(this.substitutes(), { now: true });
    if (doubles.length) this.page.notice(`“${doubles.join("”, “")}” is there already.`);
  }

  /** Everything in the fields becomes chips: before submit, and before another span is opened. */
  commit() {
    if (this.span) this.fields.forEach(({ type }) => this.makeChips(type, "typed"));
  }

  /** Chips, then what is typed in a field and is not a chip yet (unless it is one already). */
  substitutes() {
    const known = new Set(this.chips.map((chip) => key(chip.text)));
    const pending = this.fields
      .map(({ type, input }) => ({ text: tidy(input.value), type: type.key, via: "typed" }))
      .filter(({ text }) => text !== "" && !known.has(key(text)));
    return [...this.chips, ...pending];
  }

  fieldOf(type) {
    return this.fields.find((field) => field.type === type);
  }
}
