// The card of one span: a field per type, substitutes as chips, a preview, findings. The separator or Enter makes a chip.
// What is typed but not yet a chip counts as the last substitute of its field, so it is saved like the rest.

import { el } from "../shared/dom.js";
import { chipButton, fieldRow } from "./card-fields.js";
import { cardTools } from "./card-tools.js";
import { added, edited, moved, ofType, sentOn, without } from "./chips.js";
import { isPlain } from "./keys.js";
import { findingRows, moveRow } from "./notes.js";
import { hasSeparator, key, lines, refusedSubstitutes, split, tidy } from "./rules.js";

/** The arrow that leads out of the beginning of what is typed. */
function backKey(input) {
  return getComputedStyle(input).direction === "rtl" ? "ArrowRight" : "ArrowLeft";
}

export class Card {
  /**
   * @param {HTMLElement} root
   * @param {object} page {change(substitutes, {now}), detail({note, unsure}), resize(step, isStart), remove(), copy(span),
   *   close(), notice(text), preview(text), fix(finding), hasLetters()}
   */
  constructor(root, page) {
    Object.assign(this, { root, page, span: null, chips: [], editing: null, asking: null, findings: [] });
    root.addEventListener("mousedown", (event) => {
      if (!event.target.closest("input, textarea, button, label")) event.preventDefault(); // the field keeps the focus
    });
  }

  open(span, mark, { rules, dir, alike, part, at = 0 }) {
    this.leaveOpen();
    Object.assign(this, { span, rules, dir, alike, part, editing: null, asking: null, findings: [], why: null, pasted: new Set() });
    this.chips = [...(mark?.substitutes ?? [])];
    this.detail = { note: mark?.note ?? "", unsure: mark?.unsure ?? false };
    this.draw();
    this.root.hidden = false;
    this.fields[Math.min(at, this.fields.length - 1)].input.focus({ preventScroll: true });
  }

  get types() {
    return this.rules.types;
  }

  close() {
    this.leaveOpen();
    this.span = null;
    this.root.hidden = true;
    this.root.replaceChildren();
  }

  // --- drawing -----------------------------------------------------------------------------------------------------

  draw() {
    this.fields = this.types.map((type, index) => this.drawField(type, index));
    this.preview = el("div", { class: "preview", hidden: true, dir: "auto" });
    this.notes = el("div", { class: "notes", hidden: true, role: "status" });
    this.root.setAttribute("aria-label", `Substitutes for “${this.span.quote}”`);
    this.root.replaceChildren(
      el("div", {}, ...this.fields.map((field) => field.row)),
      this.preview,
      this.notes,
      cardTools({ ...this, quote: this.span.quote, say: (...given) => this.say(...given) }),
    );
    this.drawChips();
  }

  drawField(type, index) {
    return fieldRow(type, index, this.dir, {
      input: (event) => this.typed(type, event),
      compositionend: (event) => this.typed(type, event),
      keydown: (event) => this.keyed(type, event),
      focus: () => this.showPreview(null),
      // Another window or a panel has the focus for a while: what is half typed stays half typed.
      blur: () => document.hasFocus() && !document.querySelector("dialog[open]") && this.makeChips(type),
      paste: (event) => this.paste(type, event),
    });
  }

  drawChips(focused = null) {
    for (const { type, chips, input } of this.fields) {
      const own = ofType(this.chips, type.key).filter((chip) => chip !== this.editing);
      input.placeholder = own.length ? "" : type.hint;
      chips.replaceChildren(...own.map((chip, index) => this.drawChip(chip, index, own.length)));
    }
    const copies = this.root.querySelector(".copies");
    if (copies) copies.hidden = this.chips.length === 0; // nothing to copy yet
    if (focused) this.chipNode(focused)?.focus({ preventScroll: true });
    this.showPreview(focused);
  }

  drawChip(chip, index, count) {
    const tools = [
      index > 0 ? ["‹", "Earlier: best first", () => this.store(moved(this.chips, chip, -1), chip), "x turn"] : null,
      this.types.length > 1 ? ["⇄", "To the other type", () => this.sendOn(chip), "x turn"] : null,
      ["×", `Remove ${chip.text}`, () => this.removeChip(chip), "x"],
    ];
    const node = chipButton(chip.text, `${index + 1} of ${count}`, tools.filter(Boolean), {
      mousedown: (event) => event.preventDefault(), // its tools show with the focus: not before the button is released again
      click: () => {
        this.commit(); // what is half typed becomes a chip, and the chips are drawn anew
        this.chipNode(chip)?.focus({ preventScroll: true });
      },
      dblclick: () => this.edit(chip),
      focus: () => this.showPreview(chip),
      keydown: (event) => this.keyedChip(chip, event),
    });
    node.chip = chip;
    return node;
  }

  chipNode(chip) {
    return [...this.root.querySelectorAll(".chip")].find((node) => node.chip === chip);
  }

  /** The sentence with this chip in place; without one, with what is being typed, else with the last of this field. */
  showPreview(chip) {
    if (!this.span || !this.preview) return;
    const { type } = this.fields[this.focusedField];
    const first = this.fields.toSorted((a, b) => (b.type === type) - (a.type === type)); // the field one is in, then the others
    const typing = first.map((field) => tidy(field.input.value, this.rules)).find((text) => text !== "");
    const chips = this.chips.filter((other) => other !== this.editing);
    const text = chip?.text ?? typing ?? (ofType(chips, type.key).at(-1) ?? chips.at(-1))?.text;
    const found = text === undefined ? null : this.page.preview(this.span, text);
    this.preview.hidden = found === null;
    if (found) this.preview.replaceChildren(found.before, el("ins", {}, found.text), found.after);
  }

  /** Hints about this mark, and the question whether to move what stands under another type. */
  showNotes(findings = this.findings) {
    if (!this.span) return;
    this.findings = findings;
    const rows = findingRows(findings, { why: this.why, showWhy: (finding) => this.showWhy(finding), fix: this.page.fix, hasKey: !this.asking });
    if (this.asking) rows.unshift(moveRow(this.question, { move: () => this.moveHere(), leave: () => this.leaveThere() }));
    this.notes.hidden = rows.length === 0;
    this.notes.replaceChildren(...rows);
  }

  /** What was typed stands under another type already. */
  get question() {
    const { label } = this.types.find((type) => type.key === this.asking.chips[0].type);
    const texts = this.asking.chips.map((chip) => chip.text);
    return `“${texts.join("”, “")}” ${texts.length > 1 ? "are" : "is"} under ${label}.`;
  }

  showWhy(finding) {
    this.why = this.why === finding.code ? null : finding.code;
    this.showNotes();
  }

  // --- typing ------------------------------------------------------------------------------------------------------

  typed(type, event) {
    const field = this.fieldOf(type);
    const { input } = field;
    if (event.isComposing) {
      // An input method is still choosing: its text is kept like any other, but makes no chip.
      if (!this.refusal(this.substitutes())) this.page.change(this.substitutes(), { now: false });
      return;
    }
    if (input.value === "") this.pasted.delete(type.key);
    if (hasSeparator(input.value, this.rules)) this.makeChips(type);
    else if (!this.refuses(this.substitutes(), field)) {
      field.fit = input.value;
      this.page.change(this.substitutes(), { now: false });
    }
    this.showPreview(null);
  }

  /** Why the rules do not take these substitutes; "" where they do. */
  refusal(substitutes) {
    return refusedSubstitutes(substitutes, this.chips, this.rules);
  }

  /** Says why, and the field has again what it had before: nothing stands in it that could not be saved. */
  refuses(substitutes, { type, input, fit }) {
    const refusal = this.refusal(substitutes);
    if (!refusal) return false;
    const at = Math.max(0, input.selectionStart - Math.max(0, input.value.length - fit.length));
    if (input.value !== fit) input.value = fit;
    input.setSelectionRange(at, at);
    if (fit === "") this.pasted.delete(type.key);
    this.page.notice(refusal);
    return true;
  }

  /** Lines and cells, as a column of a table has them, are substitutes of their own. */
  paste(type, event) {
    this.pasted.add(type.key);
    const [first, ...more] = lines(event.clipboardData?.getData("text/plain") ?? "", this.rules);
    if (more.length === 0) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = this.fieldOf(type).input;
    const last = more.pop() + value.slice(selectionEnd);
    this.makeChips(type, [value.slice(0, selectionStart) + first, ...more, last].flatMap((line) => split(line, this.rules)));
  }

  keyed(type, event) {
    if (event.isComposing || event.keyCode === 229) return; // an input method is still choosing
    const { input } = this.fieldOf(type);
    if (event.altKey) {
      this.keyedAlt(event);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (tidy(input.value, this.rules) === "" && this.editing?.type !== type.key) this.page.close();
      else this.makeChips(type);
    } else if (event.key === "Escape") {
      event.preventDefault();
      const asked = this.asking;
      this.makeChips(type);
      if (this.asking === asked) this.page.close(); // else there is a question to read first
    } else if (event.key === backKey(input) && !event.shiftKey && input.selectionStart === 0 && input.selectionEnd === 0) {
      const chip = ofType(this.chips, type.key).at(-1);
      if (!chip) return;
      event.preventDefault();
      this.makeChips(type);
      this.chipNode(chip)?.focus();
    } else if (event.key === "Backspace" && input.value === "") {
      const chip = ofType(this.chips, type.key).at(-1);
      if (!chip) return;
      event.preventDefault();
      this.edit(chip);
    }
  }

  keyedAlt(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.page.resize(step, event.shiftKey);
    else if (event.key === "Enter") this.takeFirst();
    else if (event.code === "KeyG") this.findings[0] && this.showWhy(this.findings[0]);
    else return;
    event.preventDefault();
  }

  keyedChip(chip, event) {
    if (event.altKey) {
      this.keyedAlt(event);
      return;
    }
    if (!isPlain(event)) return;
    const own = ofType(this.chips, chip.type);
    const at = own.indexOf(chip);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] * (this.dir === "rtl" ? -1 : 1);
    const { input } = this.fields.find((field) => field.type.key === chip.type);
    if (step && event.shiftKey) this.store(moved(this.chips, chip, step), chip);
    else if (step) (own[at + step] ? this.chipNode(own[at + step]) : at + step < 0 ? null : input)?.focus();
    else if (event.key === "Enter") this.edit(chip);
    else if (event.key === "Delete" || event.key === "Backspace") this.removeChip(chip, own[at + 1] ?? own[at - 1]);
    else if (event.key === "Escape") input.focus();
    else if (event.key.toLowerCase() === "t" && this.page.hasLetters()) this.sendOn(chip);
    else return;
    event.preventDefault();
  }

  sendOn(chip) {
    const place = this.chips.indexOf(chip);
    const next = sentOn(this.chips, chip, this.types);
    this.store(next, next[place]);
  }

  removeChip(chip, focused = null) {
    const { input } = this.fields.find((field) => field.type.key === chip.type);
    this.store(without(this.chips, chip), focused);
    if (!focused) input.focus({ preventScroll: true });
  }

  edit(chip) {
    if (!this.chips.includes(chip)) return; // removed by the first of two clicks
    const field = this.fields.find(({ type }) => type.key === chip.type);
    const { input } = field;
    this.makeChips(field.type);
    this.editing = this.chips.find((other) => other === chip) ?? null;
    this.fill(field, chip.text);
    this.drawChips();
    input.focus({ preventScroll: true });
    input.select();
    this.page.change(this.substitutes(), { now: false });
  }

  store(chips, focused = null) {
    this.chips = chips;
    if (!this.asking?.chips.every((chip) => chips.includes(chip))) this.asking = null; // there is nothing to ask any more
    this.drawChips(focused);
    this.page.change(this.substitutes(), { now: true });
  }

  fill(field, text) {
    field.input.value = text;
    field.fit = text;
  }

  makeChips(type, pasted = null) {
    const field = this.fieldOf(type);
    const via = this.viaOf(type);
    const isEditing = this.editing?.type === type.key;
    if (!this.span || (field.input.value === "" && !pasted && !isEditing)) return; // a field also loses focus when its card goes
    const texts = pasted ?? split(field.input.value, this.rules);
    const others = isEditing ? without(this.chips, this.editing) : this.chips;
    const { chips, doubles, elsewhere } = added(others, texts, type.key, via, this.rules);
    const next = isEditing ? edited(this.chips, this.editing, texts, via, this.rules) : chips;
    if (this.refuses(next, field)) return;
    this.chips = next;
    this.fill(field, "");
    this.pasted.delete(type.key);
    if (isEditing) this.editing = null;
    if (elsewhere.length) this.askAbout(elsewhere, type);
    this.drawChips();
    this.page.change(this.substitutes(), { now: true });
    if (doubles.length) this.page.notice(`“${doubles.join("”, “")}” is there already.`);
    this.showNotes();
  }

  /** Chips that stand under another type, with those that were asked about before and have had no answer. */
  askAbout(elsewhere, type) {
    const from = elsewhere[0].type;
    const before = this.asking?.type === type.key ? this.asking.chips.filter((chip) => this.chips.includes(chip)) : [];
    const chips = new Set([...before, ...elsewhere].filter((chip) => chip.type === from));
    this.asking = { chips: [...chips], type: type.key };
  }

  moveHere() {
    const { chips, type } = this.asking;
    this.asking = null;
    this.store(this.chips.map((chip) => (chips.includes(chip) ? { ...chip, type } : chip)));
    this.showNotes();
  }

  /** Whoever goes away without an answer is told that what they typed is not here. */
  leaveOpen() {
    if (this.span && this.asking) this.page.notice(`${this.question} Nothing was moved.`);
    this.asking = null;
  }

  leaveThere() {
    this.asking = null;
    this.showNotes();
  }

  takeFirst() {
    if (this.asking) {
      this.moveHere();
      return;
    }
    const first = this.findings.find((finding) => finding.fix);
    if (first) this.page.fix(first);
  }

  say(detail, now = true) {
    if (!this.span) return; // the card has gone, and its note with it
    this.detail = { ...this.detail, ...detail };
    this.page.detail(this.detail, { now });
  }

  /** Everything in the fields becomes chips: before submit, and before another span is opened. */
  commit() {
    if (this.span) this.fields.forEach(({ type }) => this.makeChips(type));
  }

  viaOf(type) {
    return this.pasted.has(type.key) ? "pasted" : "typed";
  }

  /** What is half typed, by field: a card drawn anew gets it back as it was. */
  get halfTyped() {
    return this.fields.map(({ input }) => ({ text: tidy(input.value, this.rules), at: input.selectionStart }));
  }

  takeBack(halfTyped) {
    halfTyped.forEach(({ text, at }, index) => {
      const field = this.fields[index];
      const isSame = (other) => other.type === field.type.key && key(other.text, this.rules) === key(text, this.rules);
      const chip = text && this.chips.findLast(isSame);
      if (!chip) return;
      this.editing = chip;
      this.fill(field, text);
      field.input.setSelectionRange(at, at);
    });
    this.drawChips();
  }

  /** Something was typed that is no chip yet; a chip taken up for editing and left as it was is none such. */
  get hasText() {
    const isTyped = ({ type, input }) => input.value !== "" && !(this.editing?.type === type.key && this.editing.text === input.value);
    return this.span !== null && this.fields.some(isTyped);
  }

  /** Chips, then what is typed in a field and is not a chip yet (unless it is one already). */
  substitutes() {
    let chips = this.chips;
    for (const { type, input } of this.fields) {
      const via = this.viaOf(type);
      const texts = [tidy(input.value, this.rules)].filter((text) => text !== "");
      const isEditing = this.editing?.type === type.key;
      chips = isEditing ? edited(chips, this.editing, texts, via, this.rules) : added(chips, texts, type.key, via, this.rules).chips;
    }
    return chips;
  }

  /** Which field the person is in, so that a card drawn anew has the focus there too. */
  get focusedField() {
    return Math.max(0, this.fields.findIndex(({ row }) => row.contains(document.activeElement)));
  }

  fieldOf(type) {
    return this.fields.find((field) => field.type === type);
  }
}
