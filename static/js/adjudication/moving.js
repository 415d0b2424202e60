// Giving a target's votes to another one: it is chosen where to, by the arrows or by a click.

import { move } from "./content.js";

export class Moving {
  constructor(desk) {
    Object.assign(this, { desk, from: null });
  }

  get isUnderWay() {
    return this.from !== null;
  }

  load() {
    this.from = null;
  }

  /** A second time lets it be. */
  begin(target) {
    if (this.isUnderWay) {
      this.end("Not moved.");
      return;
    }
    if (this.desk.targets.targets.length < 2) return;
    this.from = target;
    this.desk.say(`Move “${target.quote}” onto which? Arrows and Enter, or click it. Escape lets it be.`);
  }

  end(said) {
    this.from = null;
    this.desk.say(said);
  }

  /** By mouse or finger: whether that ended a move. */
  clicked(target) {
    const { from } = this;
    if (!from || from === target) return false;
    this.desk.after = [target.start, target.end];
    this.to(target);
    return true;
  }

  /** @returns {boolean} whether the key meant something */
  keyed({ key }) {
    const { targets } = this.desk;
    if (key === "ArrowUp") targets.step(-1);
    else if (key === "ArrowDown") targets.step(1);
    else if (key === "Escape") this.end("Not moved.");
    else if (key === "Enter") this.to(targets.current);
    else return false;
    return true;
  }

  to(target) {
    const { from } = this;
    this.from = null;
    if (from !== target) this.desk.deciding.decide(from, move([target.start, target.end]));
  }
}
