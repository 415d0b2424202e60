// Choosing a span word by word: arrows move, Shift extends, Enter takes it, Escape lets it be; by mouse or finger the first
// word, then the last; the next begins anew.

export class Picker {
  /** @param {object} on {show(span|null), done(span), ended()} */
  constructor(on) {
    Object.assign(this, { on, words: null });
  }

  get isOpen() {
    return this.words !== null;
  }

  /** @param {object[]} cols the columns of the text  @param {number[]} span where to begin  @param {function} take */
  open(cols, span, take) {
    this.words = cols.map((column) => trimmed(column));
    this.take = take;
    this.isBegun = false;
    this.anchor = Math.max(0, this.words.findIndex((word) => word.end > span[0]));
    const last = this.words.findLastIndex((word) => word.start < span[1]);
    this.head = Math.max(this.anchor, last);
    this.show();
  }

  get span() {
    const [first, last] = [Math.min(this.anchor, this.head), Math.max(this.anchor, this.head)];
    return [this.words[first].start, this.words[last].end];
  }

  show() {
    this.on.show(this.span);
  }

  /** @returns {boolean} whether the key meant something */
  keyed(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      this.head = Math.max(0, Math.min(this.words.length - 1, this.head + by));
      if (!event.shiftKey) this.anchor = this.head;
      this.show();
    } else if (event.key === "Enter") this.finish();
    else if (event.key === "Escape") this.close();
    else return false;
    return true;
  }

  clicked(column, { shiftKey }) {
    const index = this.words.findIndex((word) => word.start === column.start);
    if (index < 0) return;
    const isSame = this.anchor === index && this.head === index;
    const isSecond = this.isBegun && this.anchor === this.head;
    this.head = index;
    if (!shiftKey && !isSecond) this.anchor = index;
    this.isBegun = true;
    this.show();
    if (isSame && !shiftKey) this.finish(); // the same word again takes it
  }

  finish() {
    const { span, take } = this;
    this.close();
    take(span);
  }

  close() {
    this.words = null;
    this.on.show(null);
    this.on.ended();
  }
}

/** A column without the spaces and signs at its ends. */
function trimmed({ start, text }) {
  const letters = Array.from(text);
  const isLetter = (letter) => /[\p{L}\p{N}\p{M}]/u.test(letter);
  const first = letters.findIndex(isLetter);
  if (first < 0) return { start, end: start + Array.from(text.trimEnd()).length };
  const last = letters.findLastIndex(isLetter);
  return { start: start + first, end: start + last + 1 };
}
