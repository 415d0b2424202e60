// One tab at a time edits an assignment; another tab may take over, and this one is told.

export class TabLock {
  /** @param {function} onHeld called when this tab may edit  @param {function} onLost when it may not (any more) */
  constructor(name, onHeld, onLost) {
    Object.assign(this, { name, onHeld, onLost });
  }

  ask({ steal = false } = {}) {
    // Web Locks exist only over TLS and on localhost; without them the server's version check still guards the answer.
    if (!navigator.locks) {
      this.onHeld();
      return;
    }
    const held = (lock) => {
      if (!lock) {
        this.onLost();
        return undefined;
      }
      this.onHeld();
      return new Promise(() => {}); // held until the page goes or another tab steals it
    };
    navigator.locks.request(this.name, steal ? { steal } : { ifAvailable: true }, held).catch(() => this.onLost());
  }
}
