// Editing one answer: the passage, the card of the open span, undo, findings. What becomes of the answer is the page's
// business (`page`): it is kept by the saver, and everything that shows it is drawn by the page.

import { canonical } from "../shared/canonical.js";
import { EMPTY, findMark, marksOf, withDetail, withMark, withSpan, withSubstitutes, withoutMark } from "./answer.js";
import { Card } from "./card.js";
import { Findings } from "./findings.js";
import { History } from "./history.js";
import { PassageView } from "./passage.js";
import { preview } from "./preview.js";
import { listed, refusedSpan } from "./rules.js";

export class Editor {
  /**
   * @param {object} page {answer(), isLocked(), keep(answer, how), show(), showFindings(), notice(text), say(text),
   *   hasLetters()}
   */
  constructor(passageRoot, cardRoot, page) {
    Object.assign(this, { cardRoot, page, open: null });
    this.passage = new PassageView(passageRoot, {
      open: (span) => this.openCard(span),
      remove: (mark) => this.removeMark(mark),
      say: page.say,
      notice: page.notice,
      hasLetters: page.hasLetters,
    });
    this.card = new Card(cardRoot, {
      change: (substitutes, how) => this.change(withSubstitutes(this.answer, this.open, substitutes, this.card.detail), how),
      detail: (detail, how) => this.change(withDetail(this.answer, this.open, detail), how),
      resize: (step, isStart) => this.resize(step, isStart),
      remove: () => this.removeMark(this.open),
      copy: (span) => this.copyTo(span),
      openPart: (span) => this.openCard(span),
      close: () => this.closeCard(),
      notice: page.notice,
      preview: (span, text) => preview(this.passage.points, span, text, this.given.passage.lang, this.rules),
      fix: (finding) => this.applyFix(finding),
      hasLetters: page.hasLetters,
    });
    new ResizeObserver(() => this.place()).observe(cardRoot);
    window.addEventListener("resize", () => this.place());
  }

  /** Another passage. `given`: {passage, rules, answer, uuid} of it; `deps`: what findings need. */
  load(given, deps) {
    this.given = given;
    this.open = null;
    this.closedByUndo = null;
    this.forget(given.answer);
    this.findings?.stop();
    this.findings = new Findings(`/api/v1/assignments/${given.uuid}`, deps, () => this.showFindings());
    const lines = new Map(this.rules.types.map((type) => [type.key, type.line]));
    this.passage.load(given.passage, (mark) => lineOf(mark, lines));
    if (marksOf(given.answer).length) this.findings.ask(given.answer);
  }

  /** Undo begins here: the answer came from elsewhere. */
  forget(answer) {
    this.history = new History(answer);
  }

  /** One of two versions was chosen: undo brings the other one. */
  chose(answer, other) {
    this.forget(other);
    this.history.add(answer);
  }

  /** What stands here is not what the last step left: another tab or the browser's own copy has brought it. */
  catchUp() {
    if (canonical(this.answer) !== canonical(this.history.present)) this.forget(this.answer);
  }

  get answer() {
    return this.page.answer();
  }

  get rules() {
    return this.given.rules;
  }

  get isLocked() {
    return this.page.isLocked();
  }

  /** The mark whose card is open, where it is one already. */
  get openMark() {
    return this.open ? marksOf(this.answer)[findMark(this.answer, this.open.start, this.open.end)] : undefined;
  }

  show() {
    if (this.passage.show(this.answer, this.open, this.isLocked)) this.place();
  }

  showFindings() {
    if (this.open) this.card.showNotes(this.findings.of(this.openMark));
    this.page.showFindings();
  }

  change(answer, how = { now: true }) {
    if (this.isLocked) return;
    this.catchUp();
    this.history.add(answer, { isTyping: !how.now });
    this.keep(answer, how);
    const mark = how.now ? this.openMark : undefined;
    if (mark) this.page.say(`“${mark.quote}”: ${listed(mark.substitutes.map((item) => item.text), this.rules)}`);
  }

  keep(answer, how) {
    this.page.notice("");
    this.page.keep(answer, how);
    this.findings.ask(answer);
    this.page.show();
  }

  /** Says why where the rules do not let this span be marked; `from`: the mark that would be moved there. */
  refuses(span, from = null) {
    const refusal = refusedSpan(this.answer, span, this.rules, from);
    if (!refusal) return false;
    this.page.show(); // what was chosen is chosen no longer
    this.page.notice(refusal);
    return true;
  }

  /** The card of this very span, also where a longer or shorter one is marked; `at`: the field that gets the focus. */
  openCard(span, { at = 0 } = {}) {
    if (this.isLocked) return;
    this.card.commit();
    const isMarked = findMark(this.answer, span.start, span.end) >= 0;
    if (!isMarked && this.refuses(span)) return;
    this.open = span;
    const isFree = (other) => refusedSpan(this.answer, other, this.rules) === "";
    const word = this.passage.wordInside(span);
    const places = { alike: this.passage.alike(span).filter(isFree), part: word && isFree(word) ? word : null };
    this.card.open(span, this.openMark, { rules: this.rules, dir: this.given.passage.dir, at, ...places });
    this.findings.ask(this.answer);
    this.page.show();
    this.place();
  }

  /** On the passage, at the open mark where there is one. */
  focus() {
    this.passage.focus(this.open);
  }

  /** Focus goes back to the word, so that work goes on from there. */
  closeCard() {
    const span = this.open;
    this.closedByUndo = null;
    this.card.commit();
    this.shutCard();
    this.page.show();
    if (span) this.passage.focus(span);
  }

  shutCard() {
    this.card.close();
    this.passage.closeGap();
    this.open = null;
  }

  place() {
    if (!this.open || this.cardRoot.hidden) return;
    this.passage.place(this.cardRoot);
    this.keepInSight();
  }

  /** A card that grew, or a keyboard that came up: what one types in stays in sight, with the whole card where it fits. */
  keepInSight() {
    if (!this.cardRoot.contains(document.activeElement)) return;
    const room = (window.visualViewport?.height ?? window.innerHeight) - 140; // less the bars
    const node = this.cardRoot.offsetHeight <= room ? this.cardRoot : document.activeElement.closest(".field, .card-tools") ?? this.cardRoot;
    node.scrollIntoView({ block: "nearest" });
  }

  resize(step, isStart) {
    const to = this.passage.resized(this.open, step, isStart);
    if (!to) return;
    const at = this.card.focusedField;
    const { halfTyped } = this.card;
    const isMarked = this.openMark !== undefined;
    const isOther = !isMarked && findMark(this.answer, to.start, to.end) >= 0; // nothing is moved: that one is opened
    if (!isOther && this.refuses(to, this.open)) return;
    const answer = withSpan(this.answer, this.open, to);
    this.card.span = null; // its fields are drawn anew, and what is half typed in them comes back
    this.open = to;
    if (isMarked) this.change(answer);
    this.openCard(to, { at });
    this.card.takeBack(halfTyped);
  }

  removeMark(span) {
    this.shutCard();
    this.change(withoutMark(this.answer, span));
    this.passage.focus(span);
    this.page.say(`“${span.quote}” is no longer marked. Ctrl+Z brings it back.`);
  }

  copyTo(span) {
    this.card.commit();
    const mark = this.openMark;
    if (!mark?.substitutes.length) {
      this.page.notice("First give this one a substitute: then it can be copied.");
      return;
    }
    if (this.refuses(span)) return;
    const substitutes = mark.substitutes.map((item) => ({ ...item, via: "copied" }));
    this.change(withSubstitutes(this.answer, span, substitutes));
    this.openCard(span);
  }

  applyFix(finding) {
    const at = this.card.focusedField;
    this.card.commit();
    const mark = this.openMark;
    if (!mark || canonical(mark) !== canonical(finding.about)) return; // something was typed since
    const { fix } = finding;
    if (this.refuses(fix.mark, mark)) return;
    const span = { start: fix.mark.start, end: fix.mark.end, quote: fix.mark.quote };
    this.change(withMark(this.answer, this.open, fix.mark));
    this.card.span = null; // its chips are the old ones
    this.openCard(span, { at });
  }

  step(which) {
    if (this.isLocked) return;
    this.card.commit();
    this.catchUp();
    const answer = this.history[which]();
    if (!answer) {
      this.page.say(`Nothing to ${which}.`);
      return;
    }
    const open = this.open ?? this.closedByUndo;
    const at = this.open ? this.card.focusedField : 0;
    this.card.span = null; // its chips are those of the answer before
    this.shutCard();
    this.keep(answer, { now: true });
    if (open && findMark(answer, open.start, open.end) >= 0) this.openCard(open, { at });
    else this.passage.focus(open);
    const { length } = marksOf(answer);
    this.page.say(`${which === "undo" ? "Undone" : "Redone"}: ${length} ${length === 1 ? "mark" : "marks"}.`);
    this.closedByUndo = this.open ? null : open; // a mark that went comes back with its card
  }

  canStep(which) {
    return this.history[which === "undo" ? "past" : "future"].length > 0;
  }

  sayNone(isNone) {
    if (this.isLocked) return;
    if (isNone && marksOf(this.answer).length > 0) {
      this.page.show(); // takes the tick away again
      this.page.notice("There are marks. Remove them first, then say that there is nothing to improve.");
      return;
    }
    this.shutCard();
    this.change(isNone ? { none: true } : EMPTY);
  }

}

/** How a mark is drawn: its type's line, both lines where it has several types, a plain one where it has none yet. */
function lineOf(mark, lines) {
  const types = [...new Set(mark.substitutes.map((item) => item.type))];
  if (types.length === 0) return "none";
  return types.length > 1 ? "both" : String(lines.get(types[0]) ?? 0);
}
