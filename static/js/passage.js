// The passage as words to click. Marks are drawn on the words; what a click means is the page's business.

import { el } from "./dom.js";
import { EMPTY, marksOf } from "./answer.js";
import { wordSpans } from "./words.js";

export class PassageView {
  /** @param {HTMLElement} root a paragraph that holds the passage's text  @param {function} onPick (first, last) */
  constructor(root, passage, onPick) {
    this.root = root;
    this.points = Array.from(passage.text);
    this.words = wordSpans(passage.text, passage.lang, passage.tokens);
    this.last = null;
    this.answer = EMPTY;
    this.onPick = onPick;
    this.draw();
  }

  quote(start, end) {
    return this.points.slice(start, end).join("");
  }

  draw() {
    const parts = [];
    let at = 0;
    this.buttons = this.words.map((word, index) => {
      if (word.start > at) parts.push(document.createTextNode(this.quote(at, word.start)));
      const button = el(
        "button",
        { type: "button", class: "word", on: { click: (event) => this.pick(index, event.shiftKey) } },
        this.quote(word.start, word.end),
      );
      parts.push(button);
      at = word.end;
      return button;
    });
    parts.push(document.createTextNode(this.quote(at, this.points.length)));
    this.root.replaceChildren(...parts);
  }

  /** A click chooses a word, or opens the shortest mark it lies in; with Shift it extends from the word before. */
  pick(index, isExtending) {
    if (isExtending && this.last !== null) {
      this.onPick(this.spanOf(Math.min(this.last, index), Math.max(this.last, index)));
      return;
    }
    this.last = index;
    const word = this.words[index];
    const around = marksOf(this.answer).filter((mark) => mark.start <= word.start && word.end <= mark.end);
    around.sort((a, b) => a.end - a.start - (b.end - b.start));
    this.onPick(around.length ? { ...around[0] } : this.spanOf(index, index));
  }

  /** Back to the first word of a span, for somebody who works without a mouse. */
  focus(span) {
    this.buttons[this.words.findIndex((word) => word.end > span.start)]?.focus();
  }

  spanOf(first, last) {
    const start = this.words[first].start;
    const end = this.words[last].end;
    return { start, end, quote: this.quote(start, end) };
  }

  /** The span with its end one word further or nearer; null where there is none. */
  resized(span, step) {
    const first = this.words.findIndex((word) => word.end > span.start);
    const last = this.words.findLastIndex((word) => word.start < span.end) + step;
    return last < first || last >= this.words.length ? null : this.spanOf(first, last);
  }

  /** @param {object|null} open the span whose card is open */
  show(answer, open, isLocked) {
    this.answer = answer;
    this.words.forEach((word, index) => {
      const here = marksOf(answer).filter((mark) => mark.start < word.end && word.start < mark.end);
      const button = this.buttons[index];
      const isOpen = open && open.start < word.end && word.start < open.end;
      const types = new Set(here.flatMap((mark) => mark.substitutes.map((item) => item.type)));
      button.className = ["word", here.length ? "m" : "", isOpen ? "open" : ""].join(" ");
      button.dataset.types = [...types].sort().join(" ");
      button.setAttribute("aria-pressed", String(here.length > 0));
      button.disabled = isLocked;
    });
  }
}
