// Active time: gaps between input events, up to a minute each, while the page is visible.

const LONGEST_GAP = 60000; // ms

export class ActiveClock {
  constructor(now) {
    this.now = now;
    this.last = null;
    this.total = 0;
  }

  /** Something was typed, clicked or moved. */
  tick() {
    const now = this.now();
    if (this.last !== null) this.total += Math.min(LONGEST_GAP, Math.max(0, now - this.last));
    this.last = now;
  }

  /** The page went out of sight: the gap until it comes back does not count. */
  rest() {
    this.last = null;
  }

  /** Milliseconds since the last time this was asked. */
  take() {
    const taken = Math.round(this.total);
    this.total = 0;
    return taken;
  }
}
