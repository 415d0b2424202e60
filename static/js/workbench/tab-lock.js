// One tab at a time edits an assignment; another tab may take over, and this one is told.

const SIGN_OF_LIFE = 1000; // ms
const DEAD_AFTER = 4000; // ms without a sign of life

export class TabLock {
  /** @param {function} onHeld called when this tab may edit  @param {function} onLost when it may not (any more) */
  constructor(name, onHeld, onLost) {
    Object.assign(this, { name, onHeld, onLost, tab: Math.random().toString(36).slice(2) });
  }

  ask({ steal = false } = {}) {
    if (!navigator.locks) {
      this.askStorage(steal);
      return;
    }
    const held = (lock) => {
      if (!lock) {
        this.onLost();
        return undefined;
      }
      this.onHeld();
      return new Promise((resolve) => {
        this.release = resolve; // else held until the page goes or another tab steals it
      });
    };
    navigator.locks
      .request(this.name, steal ? { steal } : { ifAvailable: true }, held)
      .catch(() => this.isOver || this.onLost());
  }

  /** This tab has gone on to another passage. */
  end() {
    this.isOver = true;
    this.release?.();
  }

  /** Web Locks exist only over TLS and on localhost. Elsewhere: a name in local storage with a sign of life. */
  askStorage(steal) {
    const read = () => JSON.parse(localStorage.getItem(this.name) ?? "null");
    const write = () => localStorage.setItem(this.name, JSON.stringify({ tab: this.tab, at: Date.now() }));
    const holder = read();
    if (!steal && holder && holder.tab !== this.tab && Date.now() - holder.at < DEAD_AFTER) {
      this.onLost();
      return;
    }
    write();
    this.release = () => {
      window.clearInterval(timer);
      if (read()?.tab === this.tab) localStorage.removeItem(this.name);
    };
    const timer = window.setInterval(() => {
      if (read()?.tab === this.tab) write();
      else {
        window.clearInterval(timer);
        this.onLost();
      }
    }, SIGN_OF_LIFE);
    window.addEventListener("pagehide", () => {
      if (read()?.tab === this.tab) localStorage.removeItem(this.name);
    });
    this.onHeld();
  }
}
