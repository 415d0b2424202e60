// Undo and redo: whole answers, which never change in place. Typing in one go is one step.

import { canonical } from "../shared/canonical.js";

const MOST = 200; // steps

export class History {
  constructor(answer) {
    Object.assign(this, { past: [], present: answer, future: [], isTyping: false });
  }

  /** A new answer. `isTyping`: one key of many; a run of them is undone together. */
  add(answer, { isTyping = false } = {}) {
    if (canonical(answer) === canonical(this.present)) {
      this.isTyping = isTyping && this.isTyping;
      return;
    }
    if (!(isTyping && this.isTyping)) this.past.push(this.present);
    if (this.past.length > MOST) this.past.shift();
    this.present = answer;
    this.future = [];
    this.isTyping = isTyping;
  }

  /** The answer before, or null. */
  undo() {
    return this.step(this.past, this.future);
  }

  redo() {
    return this.step(this.future, this.past);
  }

  step(from, to) {
    if (from.length === 0) return null;
    to.push(this.present);
    this.present = from.pop();
    this.isTyping = false;
    return this.present;
  }
}
