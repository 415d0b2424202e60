// What is decided at the desk: each act is shown at once, sent at once, and can be taken back.

import { add, contentOf, drop, edit, join, keep, move, remove, retype, spoken } from "./content.js";
import { place } from "./targets.js";

export class Deciding {
  /** @param {object} desk  @param {object} trail what can be taken back */
  constructor(desk, trail) {
    Object.assign(this, { desk, trail, newest: null });
  }

  /** Acts about the chosen target, by the command's name. */
  act(name, target) {
    const content = this.desk.targets.content(target);
    const chip = this.desk.targets.currentChip;
    const decided = {
      keep: () => keep(content, target),
      drop: () => drop(target, content, this.desk.page.standing.keep_at),
      type: () => retype(target, content, this.desk.page.types),
      remove: () => chip && remove(content, chip),
    }[name]();
    if (decided) this.decide(target, decided);
  }

  /** The reason and cause that stand there stay. */
  decide(chosen, content, words = {}) {
    const { desk } = this;
    const target = desk.targets.now(chosen); // while somebody typed, the server may have answered
    const why = { ...desk.targets.words(target), ...words };
    this.did(desk.queue.decide(place(target), content, why));
    desk.targets.draft(target, content, why);
    desk.say(`“${target.quote}”: ${spoken(content, desk.page.types)}.`);
    desk.show();
  }

  decideAll(content, words = {}) {
    const stands = this.desk.page.standing.decision;
    const { reason = stands?.reason ?? "", cause = stands?.cause ?? "" } = words;
    this.did(this.desk.queue.decide("passage", content, { reason, cause }));
    this.desk.show();
  }

  did(act) {
    const { uuid, id } = this.desk.page.standing;
    this.newest = act;
    this.trail.did({ act, passage: uuid, name: id });
  }

  confirm(target) {
    const { standing } = this.desk.page;
    if (target?.decision?.looks_again || this.isToAgree(target)) this.decide(target, contentOf(target));
    else if (standing.decision?.looks_again) this.decideAll(standing.decision.content);
    else this.desk.say(target?.decision?.is_proposal ? "You propose this yourself: somebody else has to agree." : "Nothing here has changed since it was decided.");
  }

  /** Somebody else proposes it, and nobody has agreed yet. */
  isToAgree(about) {
    return Boolean(about?.decision?.is_proposal && about.decision.by !== this.desk.person.is);
  }

  unite(take) {
    if (!this.desk.page.standing.double?.is_done) {
      this.desk.say("This passage was not settled by two.");
      return;
    }
    this.did(this.desk.queue.unite(take));
    this.desk.say(take === "both" ? "What both say is taken." : `All that ${take} decided is taken.`);
  }

  join(target) {
    const chips = this.desk.targets.toJoin();
    if (chips.length < 2) this.desk.say("Tick two or more suggestions with Space, then join them.");
    else this.decide(target, join(this.desk.targets.content(target), chips));
  }

  // --- what asks for a text or a span first -------------------------------------------------------------------------

  add(target) {
    this.desk.entry.ask({ label: `Add a suggestion for “${target.quote}”`, about: target, take: (text) => this.decide(target, add(this.desk.targets.content(target), text)) });
  }

  edit(target) {
    const { targets, entry } = this.desk;
    const chip = targets.currentChip;
    if (!chip || chip.isRemoved) return;
    const take = (text) => text !== chip.text && this.decide(target, edit(targets.content(target), chip, text));
    entry.ask({ label: `Edit “${chip.text}”`, value: chip.text, about: target, take });
  }

  span(target) {
    const take = (span) => {
      if (span[0] === target.start && span[1] === target.end) return;
      this.desk.after = span; // where it stands from now on
      this.decide(target, move(span));
    };
    this.pick([target.start, target.end], take, `New span for “${target.quote}”: arrows, Shift, Enter`);
  }

  make(target) {
    this.pick(target ? [target.start, target.end] : [0, 1], (span) => this.made(span), "New target: arrows, Shift, Enter");
  }

  made(span) {
    const { targets, entry } = this.desk;
    if (targets.targets.some((target) => target.start === span[0] && target.end === span[1])) {
      targets.choose(span);
      this.desk.say("This is a target already.");
      return;
    }
    const quote = targets.quote(span);
    const about = { start: span[0], end: span[1], quote, decision: null };
    const take = (text) => {
      this.desk.after = span;
      this.decide(about, { verdict: "keep", suggestions: [{ text, from: [] }], removed: [] });
    };
    entry.ask({ label: `First suggestion for “${quote}”`, about, take });
  }

  pick(span, take, said) {
    const { desk } = this;
    desk.say(said);
    desk.find("lanes").scrollIntoView({ block: "nearest" });
    desk.picker.open(desk.lanes.cols, span, take);
  }

  discard() {
    const { verdict, decision } = this.desk.page.standing;
    const stands = decision?.content.verdict;
    if (stands === "discard") this.decideAll({ verdict: null }, { reason: "", cause: "" });
    else if (verdict === "discarded" && stands !== "keep") this.decideAll({ verdict: "keep" });
    else this.desk.entry.ask({ label: "Discard this passage: why?", most: this.desk.page.lengths.reason, take: (reason) => this.decideAll({ verdict: "discard" }, { reason }) });
  }

  reason(target) {
    const { targets, entry, page } = this.desk;
    const { reason, cause } = targets.words(target);
    const take = (text) => this.decide(target, targets.content(target), { reason: text, cause: entry.cause });
    entry.ask({ label: `Why “${target.quote}”?`, value: reason, take, most: page.lengths.reason, mayBeEmpty: true });
    entry.offerCauses(cause);
  }

  cause(target, index) {
    const cause = this.desk.page.causes[index];
    this.decide(target, this.desk.targets.content(target), { cause: cause.key });
    this.desk.say(`Cause: ${cause.label}.`);
  }

  // --- back ---------------------------------------------------------------------------------------------------------

  /** @param {"undo"|"redo"} which  @returns {boolean} whether there was anything on this passage */
  step(which) {
    const step = this.trail.next(which, this.desk.page.standing.uuid);
    if (!step) return false;
    this.trail.turned(which, step, this.desk.queue.undo(step.act));
    this.desk.say(which === "undo" ? "Taken back." : "Done again.");
    return true;
  }
}
