// Below the targets: the sentence with the chosen chip in its place, and what is to be said of the chosen target.

import { el } from "../shared/dom.js";
import { askingLines, votesLine, whyLine } from "./target-lines.js";

export class TargetView {
  constructor(desk) {
    this.desk = desk;
  }

  draw(target) {
    const { desk } = this;
    const isToAgree = desk.deciding.isToAgree(target);
    desk.find("now").replaceChildren(...(target ? this.lines(target, isToAgree) : []));
    desk.find("confirm").hidden = !(target?.decision?.looks_again || isToAgree || desk.page.standing.decision?.looks_again);
    desk.find("confirm-word").textContent = isToAgree ? "Agree" : "Still right";
    desk.find("drop-word").textContent = target && !desk.targets.laid().isKept ? "Restore" : "Drop";
  }

  lines(target, isToAgree) {
    const { page, targets, standing } = this.desk;
    const chip = targets.currentChip;
    const asking = askingLines(target, targets.laid(), targets.content(), { types: page.types, isToAgree });
    const why = whyLine(targets.words(), page.causes);
    return [
      ...(chip && !chip.isRemoved ? [this.sentence(target, chip)] : []),
      el("p", { class: "dim" }, votesLine(target, chip, page)),
      ...asking.map((line) => el("p", { class: "finding" }, line)),
      ...standing.sides(target),
      ...(why ? [el("p", {}, el("b", {}, "Why: "), why)] : []),
    ];
  }

  sentence(target, chip) {
    const { text, dir, lang } = this.desk.page;
    const letters = Array.from(text);
    const [before, after] = [letters.slice(0, target.start).join(""), letters.slice(target.end).join("")];
    return el("p", { class: "sentence", dir, lang }, before, el("ins", {}, chip.text), after);
  }
}
