// Undo, and where nothing is left to undo on this passage, the offer to go back to the one before and undo there.

import { el } from "../shared/dom.js";

export class Offer {
  /** @param {HTMLElement} node  @param {object} desk */
  constructor(node, desk) {
    Object.assign(this, { node, desk, step: null });
  }

  undo() {
    const { deciding, page } = this.desk;
    if (deciding.step("undo")) return;
    const step = deciding.trail.elsewhere(page.standing.uuid);
    if (!step) this.desk.say("Nothing to undo.");
    else if (this.step?.act === step.act) this.take();
    else this.make(step);
  }

  make(step) {
    this.step = step;
    this.node.hidden = false;
    const button = el("button", { type: "button", class: "btn small", on: { click: () => this.take() } }, "Go back and undo ", el("kbd", {}, "Ctrl Z"));
    this.node.replaceChildren(el("span", {}, `Nothing to undo here. What you did last is on ${step.name}.`), " ", button);
    this.node.scrollIntoView({ block: "nearest" });
    this.desk.say(`Nothing to undo here. Ctrl Z again goes back to ${step.name} and undoes there.`);
  }

  withdraw() {
    this.step = null;
    this.node.hidden = true;
  }

  async take() {
    const { desk, step } = this;
    this.withdraw();
    if (await desk.going.back(step.passage)) desk.deciding.step("undo");
    else desk.say(desk.queue.isClean ? `${step.name} cannot be opened just now.` : "Not saved yet: it is sent as soon as that works, then back.");
  }
}
