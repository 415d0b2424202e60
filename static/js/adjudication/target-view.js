// Below the targets: the sentence with the chosen chip in its place, and what is to be said of the chosen target.

import { el } from "../shared/dom.js";
import { askingLines, besideLines, votesLine, whyLine } from "./target-lines.js";

export class TargetView {
  constructor(desk) {
    Object.assign(this, { desk, voice: "" }); // the voice: what one person said of a span, where a lane was pointed at
  }

  draw(target) {
    const { desk } = this;
    const isToAgree = desk.deciding.isToAgree(target);
    desk.find("now").replaceChildren(...(target ? this.lines(target, isToAgree) : []));
    desk.find("confirm").hidden = !(target?.decision?.looks_again || isToAgree || desk.page.standing.decision?.looks_again);
    desk.find("confirm-word").textContent = isToAgree ? "Agree" : "Still right";
    desk.find("drop-word").textContent = target && !desk.targets.laid().isKept ? "Restore" : "Drop";
  }

  /** What one person said of a span, in full; "" where none is pointed at any more. */
  hear(voice) {
    if (this.voice === voice) return;
    this.voice = voice;
    this.draw(this.desk.targets.current);
  }

  lines(target, isToAgree) {
    const { page, targets, standing } = this.desk;
    const chip = targets.currentChip;
    const asking = askingLines(target, targets.laid(), targets.content(), { types: page.types, isToAgree });
    const why = whyLine(targets.words(), page.causes);
    return [
      ...(chip && !chip.isRemoved ? [this.sentence(target, chip)] : []),
      ...(this.voice ? [el("p", { class: "voice" }, this.voice)] : []),
      el("p", { class: "dim" }, [votesLine(target, chip, page), ...besideLines(target, page.lanes)].join(" ")),
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
