// The targets with their votes: one is chosen, and in it one chip; ticks are for joining.

import { el } from "../shared/dom.js";
import { contentOf, isEmpty, lay } from "./content.js";
import { tieOf } from "./target-lines.js";

export class TargetsView {
  /** @param {HTMLElement} node a listbox  @param {object} on {chose(), open(chip)} */
  constructor(node, on) {
    Object.assign(this, { node, on, index: 0, chip: 0, ticked: new Set(), drafts: new Map() });
  }

  load(page, { keepsPlace = false } = {}) {
    const before = keepsPlace ? this.current : null;
    this.page = page;
    this.drafts.clear();
    const { targets } = page.standing;
    const again = before ? targets.findIndex((target) => target.start === before.start && target.end === before.end) : -1;
    if (again < 0) this.ticked.clear();
    this.index = again >= 0 ? again : Math.max(0, this.firstAsking());
    this.chip = Math.min(this.chip, Math.max(0, this.chips().length - 1));
    if (!keepsPlace) this.chip = 0;
    this.draw();
  }

  firstAsking() {
    const { targets } = this.page.standing;
    const asking = targets.findIndex((target) => target.decision?.looks_again || target.decision?.is_proposal || (target.flags.length && !target.decision));
    return asking >= 0 ? asking : targets.findIndex((target) => target.is_kept);
  }

  get targets() {
    return this.page.standing.targets;
  }

  get current() {
    return this.page?.standing.targets[this.index] ?? null;
  }

  /** The same target as it stands by now, which is another object once the server has answered; a new one as it is. */
  now(target) {
    return this.targets.find((other) => place(other) === place(target)) ?? target;
  }

  /** As decided on this page, which the server may not have answered yet. */
  content(target = this.current) {
    return this.drafts.get(place(target))?.content ?? contentOf(this.now(target));
  }

  /** Why, in words and by cause: likewise. */
  words(target = this.current) {
    const { reason = "", cause = "" } = this.drafts.get(place(target)) ?? this.now(target).decision ?? {};
    return { reason, cause };
  }

  draft(target, content, words) {
    this.drafts.set(place(target), { content, ...words });
    this.ticked.clear();
    this.draw();
  }

  laid(target = this.current) {
    return lay(target, this.content(target), this.page.standing.keep_at);
  }

  chips(target = this.current) {
    if (!target) return [];
    const { chips, removed } = this.laid(target);
    return [...chips, ...removed];
  }

  get currentChip() {
    return this.chips()[this.chip] ?? null;
  }

  step(by) {
    if (!this.targets.length) return;
    this.index = Math.max(0, Math.min(this.targets.length - 1, this.index + by));
    this.chip = 0;
    this.ticked.clear();
    this.draw();
    this.on.chose();
  }

  stepChip(by) {
    this.chip = Math.max(0, Math.min(this.chips().length - 1, this.chip + by));
    this.draw();
    this.on.chose();
  }

  choose(span) {
    const index = this.targets.findIndex((target) => target.start === span[0] && target.end === span[1]);
    if (index < 0) return;
    this.index = index;
    this.chip = 0;
    this.ticked.clear();
    this.draw();
    this.on.chose();
  }

  /** In the chosen target what is ticked stays ticked. */
  chooseChip(target, index) {
    if (place(target) !== place(this.current)) this.choose([target.start, target.end]);
    this.chip = index;
    this.draw();
    this.on.chose();
  }

  tick() {
    const name = chipName(this.currentChip);
    if (!this.currentChip || this.currentChip.isRemoved) return;
    if (!this.ticked.delete(name)) this.ticked.add(name);
    this.draw();
  }

  /** Those ticked, else those that are nearly the same; the one with most votes first. */
  toJoin() {
    const chips = this.chips().filter((chip) => !chip.isRemoved);
    if (this.ticked.size > 1) return chips.filter((chip) => this.ticked.has(chipName(chip)));
    for (const group of this.current?.variants ?? []) {
      const found = chips.filter((chip) => chip.key !== undefined && chip.index === undefined && group.includes(chip.key));
      if (found.length > 1) return found;
    }
    return [];
  }

  draw() {
    const labels = new Map(this.page.types.map((type) => [type.key, type.label]));
    const rows = this.targets.map((target, index) => this.row(target, index, labels));
    this.node.replaceChildren(...(rows.length ? rows : [el("p", { class: "empty" }, "Nobody marked anything. N makes a target of your own.")]));
    if (rows.length) this.node.setAttribute("aria-activedescendant", `target-${this.index}`);
    else this.node.removeAttribute("aria-activedescendant");
    this.reveal();
  }

  reveal() {
    this.node.querySelector(".cur")?.scrollIntoView({ block: "nearest" });
  }

  row(target, index, labels) {
    const laid = this.laid(target);
    const isCurrent = index === this.index;
    const content = this.content(target);
    const isMoved = content.verdict === "moved";
    const meter = el("meter", { min: 0, max: target.of || 1, value: target.annotators, title: target.voters.join(", "), "aria-hidden": "true" });
    const chips = this.chips(target).map((chip, place_) => this.chipNode(chip, isCurrent && place_ === this.chip, target, place_));
    const state = [
      isMoved ? `Moved to “${this.quote(content.span)}”` : laid.isKept ? "Kept" : target.decision?.content.verdict === "drop" || content.verdict === "drop" ? "Dropped" : "Dropped, too few votes",
      target.fate === "added" && !isMoved ? "added" : "",
      target.type_tie && !content.type ? `type tie ${tieOf(target, this.page.type_votes)}`.trim() : "",
      ...target.flags.filter((flag) => flag !== "type tie"),
      target.decision?.looks_again ? "look again" : "",
      target.decision?.is_proposal ? "proposed" : "",
    ].filter(Boolean);
    const node = el("div", {
      class: `target${isCurrent ? " cur" : ""}${laid.isKept && !isMoved ? "" : " off"}`, role: "option", id: `target-${index}`, data: { place: place(target) },
      on: { click: () => { if (!this.on.clicked?.(target) && index !== this.index) this.choose([target.start, target.end]); } },
    },
      el("span", { class: "quote", dir: "auto" }, target.quote || "·"),
      el("span", { class: "index num" }, meter, ` ${target.annotators} of ${target.of}`),
      el("span", { class: "chips" }, ...chips),
      el("span", { class: "type" }, labels.get(laid.type) ?? laid.type),
      el("span", { class: "dim" }, state.join(" · "), target.decision?.by && says(target.decision) ? el("small", {}, ` ${target.decision.by}`) : null),
    );
    node.setAttribute("aria-selected", String(isCurrent));
    node.setAttribute("aria-label", `${target.quote}, ${target.annotators} of ${target.of}, ${state.join(", ")}, ${chips.length} suggestions`);
    return node;
  }

  chipNode(chip, isCurrent, target, index) {
    const votes = chip.voters.length;
    const classes = ["chip", isCurrent ? "chosen" : "", chip.isRemoved ? "dropped gone" : "", this.ticked.has(chipName(chip)) && target === this.current ? "ticked" : ""];
    return el("span", {
      class: classes.filter(Boolean).join(" "), title: chip.voters.join(", ") || "nobody's vote", dir: "auto",
      on: {
        click: (event) => { event.stopPropagation(); this.chooseChip(target, index); },
        dblclick: () => this.on.open(chip),
      },
    }, this.ticked.has(chipName(chip)) && target === this.current ? "✓ " : "", chip.text, " ", el("b", { class: "num" }, String(votes)), chip.origin && chip.origin !== "merged" ? el("small", {}, ` ${chip.origin}`) : null);
  }

  quote(span) {
    return Array.from(this.page.text).slice(span[0], span[1]).join("");
  }
}

/** A reason alone says something, too. */
const says = ({ content, reason, cause }) => !isEmpty(content) || Boolean(reason || cause);

export const place = (target) => `${target.start}-${target.end}`;
const chipName = (chip) => (chip ? (chip.index === undefined ? `k:${chip.key}` : `w:${chip.index}`) : "");
