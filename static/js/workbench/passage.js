// The passage: a listbox of words with one tab stop. Words are chosen by click, drag, Shift-click, tap or keys; what a
// choice means is the page's business (`on`). How words look is words-view.js.

import { EMPTY, marksOf } from "./answer.js";
import { isPlain } from "./keys.js";
import { touching } from "./lanes.js";
import { WordSearch } from "./word-search.js";
import { WordsView } from "./words-view.js";
import { graphemeBorders, wordSpans } from "./words.js";

const DOUBLE = 450; // ms between the clicks of a double click

export class PassageView {
  /**
   * @param {HTMLElement} root
   * @param {object} on {open(span), remove(mark), say(text), notice(text), hasLetters()}
   */
  constructor(root, on) {
    Object.assign(this, { root, on, view: new WordsView(root), answer: EMPTY, openSpan: null, isLocked: true });
    this.search = new WordSearch(on.notice, (...given) => this.find(...given));
    root.addEventListener("keydown", (event) => this.keyed(event));
    root.addEventListener("pointerdown", (event) => this.pressed(event));
    root.addEventListener("pointermove", (event) => this.dragged(event));
    // Anywhere: the first click of two has opened a card, and the word may have moved from under the pointer.
    document.addEventListener("pointerup", (event) => this.released(event));
    root.addEventListener("pointercancel", () => this.drop());
    root.addEventListener("click", () => this.tapped());
  }

  /** Another passage. */
  load(passage, lineOf) {
    this.points = Array.from(passage.text);
    this.words = wordSpans(passage.text, passage.lang, passage.tokens);
    Object.assign(this, { lineOf, text: passage.text, answer: EMPTY, openSpan: null, active: 0, anchor: null });
    Object.assign(this, { press: null, first: null, atMark: null, free: null });
    this.search.end();
    this.view.load(this.points, this.words);
    Object.assign(this.root, { lang: passage.lang, dir: passage.dir });
    this.draw();
  }

  quote(start, end) {
    return this.view.quote(start, end);
  }

  span(start, end) {
    return { start, end, quote: this.quote(start, end) };
  }

  spanOf(first, last) {
    return this.span(this.words[Math.min(first, last)].start, this.words[Math.max(first, last)].end);
  }

  /** What is chosen: by letter, by words, or the word under the cursor. */
  get chosen() {
    if (this.free) {
      const [start, end] = [this.free.from, this.free.to].sort((a, b) => a - b).map((at) => this.borders[at]);
      return this.span(start, end);
    }
    return this.words.length ? this.spanOf(this.anchor ?? this.active, this.active) : this.span(0, 0);
  }

  get isExtended() {
    return this.free !== null || (this.anchor !== null && this.anchor !== this.active);
  }

  // --- drawing -----------------------------------------------------------------------------------------------------

  /** @returns {boolean} whether words were drawn anew, and the gap for the card must be too */
  show(answer, openSpan, isLocked) {
    Object.assign(this, { answer, openSpan, isLocked });
    this.root.setAttribute("aria-disabled", String(isLocked));
    return this.draw();
  }

  draw() {
    const marks = marksOf(this.answer).map((mark) => ({ start: mark.start, end: mark.end, line: this.lineOf(mark) }));
    const chosen = this.isExtended && (!this.openSpan || this.press?.hasMoved) ? this.chosen : null;
    return this.view.draw({ marks, openSpan: this.openSpan, chosen, isByLetter: this.isFree, active: this.active });
  }

  /** Lays the card into a gap under the open span. */
  place(card) {
    this.view.place(card);
  }

  closeGap() {
    this.view.closeGap();
  }

  // --- pointer -------------------------------------------------------------------------------------------------------

  pressed(event) {
    if (this.isLocked || event.button !== 0) return;
    if (this.isFree || this.search.isOn) this.letGo();
    const index = this.view.indexAt(event);
    if (index === null) return;
    if (event.pointerType !== "touch") event.preventDefault(); // no text selection; the field that loses focus keeps its text
    if (document.activeElement?.closest(".card")) document.activeElement.blur();
    this.press = { index, isShift: event.shiftKey, isTouch: event.pointerType === "touch", from: this.active };
  }

  dragged(event) {
    if (!this.press || this.press.isTouch || event.buttons === 0) return;
    const index = this.view.indexAt(event);
    if (index === null || (index === this.active && this.anchor === this.press.index)) return;
    if (index === this.press.index && !this.press.hasMoved) return;
    Object.assign(this, { anchor: this.press.index, active: index });
    this.press.hasMoved = true;
    this.draw(); // an open card stays where it is, so that no word moves under the pointer
  }

  released(event) {
    const { press } = this;
    if (press?.isTouch) return; // the click that follows is the tap: before it the browser moves the focus here
    this.press = null;
    if (this.isSecond(event)) {
      const { index } = this.first;
      this.first = null;
      this.on.open(this.spanOf(index, index));
      return;
    }
    if (!press || this.isLocked) return;
    // Where it was pressed: a card that grew meanwhile may have moved the word away.
    const index = press.hasMoved ? (this.view.indexAt(event) ?? this.active) : press.index;
    if (press.hasMoved) {
      const span = this.spanOf(press.index, index);
      Object.assign(this, { anchor: null, active: Math.min(press.index, index) });
      this.on.open(span);
    } else if (press.isShift) {
      const span = this.spanOf(press.from, index);
      this.anchor = null;
      this.on.open(span);
    } else {
      this.first = { index, at: event.timeStamp, x: event.clientX, y: event.clientY };
      this.pick(index);
    }
  }

  /** The second click of a double one: soon after the first and where it was, whatever lies there now. */
  isSecond(event) {
    if (!this.first || this.isLocked || this.isFree) return false;
    const isNear = Math.abs(event.clientX - this.first.x) + Math.abs(event.clientY - this.first.y) < 6;
    return isNear && event.timeStamp - this.first.at < DOUBLE;
  }

  tapped() {
    const { press } = this;
    this.press = null;
    if (press?.isTouch && !this.isLocked) this.pick(press.index);
  }

  drop() {
    this.press = null;
  }

  /** A click opens the shortest mark on the word, again the next longer one; where there is none, the word. */
  pick(index) {
    Object.assign(this, { active: index, anchor: null, atMark: null });
    const word = this.words[index];
    const around = touching(marksOf(this.answer), word);
    const at = around.findIndex((mark) => this.openSpan?.start === mark.start && this.openSpan?.end === mark.end);
    const mark = around[(at + 1) % Math.max(1, around.length)];
    this.on.open(mark ? this.span(mark.start, mark.end) : this.span(word.start, word.end));
  }

  // --- keys ----------------------------------------------------------------------------------------------------------

  get isRtl() {
    return getComputedStyle(this.root).direction === "rtl";
  }

  keyed(event) {
    if (event.isComposing || event.keyCode === 229) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.move(this.isRtl ? -step : step, event.shiftKey);
    } else if (isPlain(event) && this.act(event)) event.preventDefault();
  }

  /** @returns {boolean} whether the key meant something here */
  act(event) {
    const { key } = event;
    if (this.search.isOn && key.length === 1 && key !== "/") return this.search.add(key);
    if (this.search.isOn && key === "Backspace") return this.search.takeBack();
    if (this.search.isOn && key !== "Shift" && key !== "Escape") {
      this.search.end();
      this.on.notice("");
    }
    const acts = {
      ArrowDown: () => this.moveLine(1, event.shiftKey),
      ArrowUp: () => this.moveLine(-1, event.shiftKey),
      Home: () => (this.free ? this.moveFree(-this.borders.length, event.shiftKey) : this.goTo(0, event.shiftKey)),
      End: () => (this.free ? this.moveFree(this.borders.length, event.shiftKey) : this.goTo(this.words.length - 1, event.shiftKey)),
      Enter: () => this.enter(event.shiftKey),
      Delete: () => this.removeHere(),
      Backspace: () => this.removeHere(),
    };
    if (key === "Escape") return this.letGo();
    const letters = {
      "/": () => this.search.begin(),
      n: () => this.goToMark(1),
      p: () => this.goToMark(-1),
      f: () => this.toggleFree(),
    };
    const act = acts[key] ?? (this.on.hasLetters() ? letters[key.toLowerCase()] : undefined);
    if (act) act();
    return Boolean(act);
  }

  move(step, isExtending) {
    if (this.free) this.moveFree(step, isExtending);
    else this.goTo(this.active + step, isExtending);
  }

  goTo(index, isExtending = false) {
    const to = Math.max(0, Math.min(this.words.length - 1, index));
    this.anchor = isExtending ? (this.anchor ?? this.active) : null;
    Object.assign(this, { active: to, atMark: null });
    this.draw();
    this.view.scrollTo(to);
    if (isExtending && this.isExtended) this.on.say(this.chosen.quote);
  }

  moveLine(step, isExtending) {
    const from = this.free ? this.wordAt(this.borders[this.free.to]) : this.active;
    const index = this.view.inNextLine(from, step);
    if (index === null) return;
    if (this.free) this.moveFree(this.borders.indexOf(this.words[index].start) - this.free.to, isExtending);
    else this.goTo(index, isExtending);
  }

  enter(isNew) {
    const hasSome = this.words.length > 0 || this.isFree; // there may be nothing but signs in it
    if (this.isLocked || !hasSome) return;
    if (isNew || this.isExtended) {
      const span = this.chosen;
      this.letGo();
      if (span.end > span.start) this.on.open(span);
    } else if (this.atMark) this.on.open(this.span(this.atMark.start, this.atMark.end));
    else this.pick(this.active);
  }

  removeHere() {
    const [mark] = this.atMark ? [this.atMark] : touching(marksOf(this.answer), this.words[this.active] ?? { start: 0, end: 0 });
    this.atMark = null;
    if (mark && !this.isLocked) this.on.remove(this.span(mark.start, mark.end));
  }

  /** @returns {boolean} whether there was anything to let go of */
  letGo() {
    const isHeld = this.isExtended || this.search.isOn;
    if (this.free || this.search.isOn) this.on.notice("");
    this.search.end();
    Object.assign(this, { anchor: null, free: null });
    this.root.classList.remove("free");
    this.draw();
    return isHeld;
  }

  goToMark(step) {
    const marks = touching(marksOf(this.answer), { start: 0, end: this.points.length });
    const byStart = [...new Map(marks.toReversed().map((mark) => [mark.start, mark])).values()].sort((a, b) => a.start - b.start);
    if (byStart.length === 0) {
      this.on.say("Nothing is marked.");
      return;
    }
    const here = this.atMark?.start ?? this.words[this.active]?.start ?? 0;
    const on = byStart.find((mark) => mark.start > here) ?? byStart[0];
    const back = byStart.findLast((mark) => mark.start < here) ?? byStart.at(-1);
    const mark = step > 0 ? on : back;
    this.goTo(this.wordAt(mark.start));
    this.atMark = mark; // also one on signs between words, which no word leads to
  }

  /** The word at or after this place; the last one where there is none. */
  wordAt(point) {
    const found = this.words.findIndex((word) => word.end > point);
    return found < 0 ? Math.max(0, this.words.length - 1) : found;
  }

  /** The next word that begins so: the first letter leads on, further ones narrow. */
  find(wanted, isFirst) {
    const from = this.active + (isFirst ? 1 : 0);
    const order = this.words.map((_, index) => (from + index) % this.words.length);
    const found = order.find((index) => this.quote(this.words[index].start, this.words[index].end).toLowerCase().startsWith(wanted));
    if (found !== undefined) this.goTo(found);
    return found !== undefined;
  }

  // --- free selection --------------------------------------------------------------------------------------------------

  get isFree() {
    return this.free !== null;
  }

  toggleFree() {
    if (this.isFree) {
      this.letGo();
      return;
    }
    const { start } = this.words[this.active] ?? { start: 0 };
    this.borders = graphemeBorders(this.text);
    const at = Math.max(0, this.borders.indexOf(start));
    this.free = { from: at, to: at + 1 };
    this.root.classList.add("free");
    this.draw();
    this.on.notice("Free selection: arrows move letter by letter, Shift extends, Enter opens, Escape ends.");
  }

  /** `free` counts borders: extending moves one end, moving takes one character further on. */
  moveFree(step, isExtending) {
    const last = this.borders.length - 1;
    const clamp = (value, most) => Math.max(0, Math.min(most, value));
    if (isExtending) this.free = { ...this.free, to: clamp(this.free.to + step, last) };
    else {
      const from = clamp(Math.min(this.free.from, this.free.to) + step, last - 1);
      this.free = { from, to: from + 1 };
    }
    this.draw();
    this.on.say(this.chosen.quote);
  }

  // --- for the card ------------------------------------------------------------------------------------------------

  /** Back to the first word of a span, for somebody who works without a mouse. */
  focus(span) {
    if (span) Object.assign(this, { active: this.wordAt(span.start), atMark: null });
    this.draw();
    this.root.focus({ preventScroll: true });
  }

  /** The span with its end (or start) one word further or nearer; null where there is none. */
  resized(span, step, isStart = false) {
    let first = this.words.findIndex((word) => word.end > span.start);
    let last = this.words.findLastIndex((word) => word.start < span.end);
    if (isStart) first += step;
    else last += step;
    return first < 0 || last < first || last >= this.words.length ? null : this.spanOf(first, last);
  }

  /** The word under the cursor, where the span holds more than it. */
  wordInside(span) {
    const word = this.words[this.active];
    const isPart = word && span.start <= word.start && word.end <= span.end && word.end - word.start < span.end - span.start;
    return isPart ? this.span(word.start, word.end) : null;
  }

  /** Other places where the very same words stand, as spans of words. */
  alike(span) {
    const first = this.words.findIndex((word) => word.end > span.start);
    const count = this.words.findLastIndex((word) => word.start < span.end) - first;
    if (first < 0 || count < 0) return []; // a span between words
    return this.words.flatMap((_, index) => {
      if (index + count >= this.words.length) return [];
      const other = this.spanOf(index, index + count);
      const near = this.quote(other.start, this.words[index + count + 1]?.end ?? other.end); // tells one from the other
      return other.start !== span.start && other.quote === span.quote ? [{ ...other, near }] : [];
    });
  }
}
