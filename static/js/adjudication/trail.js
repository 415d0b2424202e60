// What one person did in this tab and can take back, the newest last. It outlives the page, in the tab's own storage, so
// that whoever has settled a passage and gone on can still go back to it. No DOM in here.

const MOST = 300; // acts remembered

export class Trail {
  /** @param {Storage|null} storage the tab's  @param {string} key of the person and the project */
  constructor(storage, key) {
    Object.assign(this, { storage, key, done: [], undone: [] });
    try {
      const found = JSON.parse(storage.getItem(key));
      if (Array.isArray(found?.done) && Array.isArray(found.undone)) Object.assign(this, { done: found.done, undone: found.undone });
    } catch {
      // none, or one that cannot be read: it begins anew
    }
  }

  /** @param {object} step {act, passage, name}: what was undone on that passage cannot be done again from now on */
  did(step) {
    this.done = [...this.done, step].slice(-MOST);
    this.undone = this.undone.filter(({ passage }) => passage !== step.passage);
    this.write();
  }

  /** The act on this passage that comes next. @param {"undo"|"redo"} which */
  next(which, passage) {
    return (which === "undo" ? this.done : this.undone).findLast((step) => step.passage === passage) ?? null;
  }

  /** It was taken back, or done again, by an act of its own, which can be taken back in turn. */
  turned(which, step, act) {
    const [from, to] = which === "undo" ? ["done", "undone"] : ["undone", "done"];
    this[from] = this[from].filter((other) => other !== step);
    this[to] = [...this[to], { ...step, act }];
    this.write();
  }

  /** The newest act on another passage. */
  elsewhere(passage) {
    return this.done.findLast((step) => step.passage !== passage) ?? null;
  }

  /** The server refused it: it was never done. */
  forget(act) {
    this.done = this.done.filter((step) => step.act !== act);
    this.undone = this.undone.filter((step) => step.act !== act);
    this.write();
  }

  write() {
    try {
      this.storage.setItem(this.key, JSON.stringify({ done: this.done, undone: this.undone.slice(-MOST) }));
    } catch {
      // private mode or full: it lives as long as the page
    }
  }
}
