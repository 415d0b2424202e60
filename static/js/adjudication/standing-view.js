// What the page says of the passage as a whole: how it is settled, what two decided of it, who discarded it.

import { el } from "../shared/dom.js";
import { ago } from "../shared/when.js";
import { spoken } from "./content.js";
import { changeLines } from "./target-lines.js";

/** How the passage stands, in words; "" where it is open and nothing is against it. @param {string} me a pseudonym */
export function verdictOf({ decision, verdict }, me) {
  if (decision?.is_proposal) return proposed(decision, me);
  const decided = { discard: `Discarded by ${decision?.by}: ${decision?.reason}`, keep: `Kept against the discards, by ${decision?.by}.`, settled: `Settled by ${decision?.by}.` };
  const merged = { discarded: "More people discarded this passage than answered it: it is not in the gold.", "too few answers": "Too few people answered this passage: it is not in the gold." };
  return decided[decision?.content.verdict] ?? merged[verdict] ?? "";
}

function proposed({ content, reason, by }, me) {
  const what = { settled: "to settle this passage as it stands", discard: "to discard this passage", keep: "to keep this passage against the discards" }[content.verdict] ?? "to open this passage again";
  const who = by === me ? "You propose" : `${by} proposes`;
  const then = by === me ? "Somebody else has to agree." : "Ctrl Enter agrees, and to all that is proposed below.";
  return `${who} ${what}${reason ? `: ${reason}` : ""}. ${then}`;
}

/** The facts beside the passage's name, as nodes and texts. */
function factsOf({ discards, pa_det: agreement, merged_at: merged }, answers) {
  const said = `${answers} answer${answers === 1 ? "" : "s"}${discards ? `, ${discards} discarded it` : ""}${merged ? ` · merged ${ago(merged, Date.now())}` : ""}`;
  return agreement === null ? [said] : [`${said} · PA`, el("sub", {}, "det"), ` ${Math.round(agreement / 10)} % here`];
}

const SHOWN = 4; // lines; more are opened by whoever wants them, so that the targets stay in sight

function thenAndNow(lines) {
  return el("details", { class: "then-now", open: lines.length <= SHOWN }, el("summary", {}, `What was said then and is now (${lines.length})`), el("ul", {}, ...lines.map((line) => el("li", {}, line))));
}

export class StandingView {
  constructor(desk) {
    this.desk = desk;
  }

  draw() {
    const { desk } = this;
    const { standing, lanes, discards } = desk.page;
    desk.find("heading").textContent = standing.id;
    document.title = `Adjudicate ${standing.id} · Assay`;
    desk.find("facts").replaceChildren(...factsOf(standing, lanes.length));
    desk.find("discards").replaceChildren(...discards.map((row) => el("p", { class: "dim" }, `${row.name} discarded it: ${row.reason}${row.remark ? ` – “${row.remark}”` : ""}`)));
    desk.find("left").textContent = desk.page.left;
    this.drawPlace(standing);
    this.drawVerdict();
    this.drawDouble();
  }

  /** Where in the queue this is. */
  drawPlace({ uuid, decision }) {
    for (const line of this.desk.querySelectorAll("[data-line]")) {
      if (line.dataset.line !== uuid) {
        line.removeAttribute("aria-current");
        continue;
      }
      line.classList.toggle("done", Boolean(decision?.content.verdict)); // gone back to, it may be open again
      if (line.getAttribute("aria-current") === "true") continue;
      line.setAttribute("aria-current", "true");
      line.parentNode.scrollTop = line.offsetTop - line.parentNode.offsetTop - line.offsetHeight;
    }
  }

  drawVerdict() {
    const { desk } = this;
    const { standing } = desk.page;
    const stands = standing.decision?.content.verdict;
    const said = verdictOf(standing, desk.person.is);
    const looksAgain = standing.decision?.looks_again;
    const again = looksAgain ? " What people said has changed since: look again, Y confirms." : "";
    const lines = !looksAgain ? [] : standing.changes ? changeLines(standing.changes) : ["What was said when it was decided was not kept."];
    const reopen = el("button", { type: "button", class: "btn small quiet", on: { click: () => desk.deciding.decideAll({ verdict: null }, { reason: "", cause: "" }) } }, "Open again");
    const node = desk.find("verdict");
    node.hidden = !said;
    node.replaceChildren(said + again, " ", stands ? reopen : "", lines.length ? thenAndNow(lines) : "");
    desk.find("settle-word").textContent = desk.deciding.isToAgree(standing) ? "Agree" : standing.needs_consensus ? "Propose" : "Settle";
    desk.find("discard-word").textContent = stands === "discard" ? "Take back" : standing.verdict === "discarded" && stands !== "keep" ? "Keep passage" : "Discard";
  }

  /** What two decided who settled it blind to each other; before both have, only that the other one is awaited. */
  drawDouble() {
    const { double } = this.desk.page.standing;
    const node = this.desk.find("double");
    node.hidden = !double;
    if (!double) return;
    if (!double.is_done) {
      node.replaceChildren("You have settled this passage. Somebody else settles it, too, blind to you; then both are shown to be united.");
      return;
    }
    const button = (label, take) => el("button", { type: "button", class: "btn small", on: { click: () => this.desk.deciding.unite(take) } }, label);
    const verdict = (side) => `${side.by}: ${side.verdict ?? "open"}${side.reason ? ` – “${side.reason}”` : ""}`;
    node.replaceChildren(
      el("p", {}, `Settled by two, blind to each other. ${double.sides.map(verdict).join(" · ")}. What each decided stands under the target that is chosen.`),
      el("p", { class: "row" }, button("Take what both say (U)", "both"), ...double.sides.map((side) => button(`Take all of ${side.by}`, side.by))),
    );
  }

  /** Of a target what each of the two decided. */
  sides(target) {
    const { deciding, page } = this.desk;
    return (page.standing.double?.sides ?? []).map((side) => {
      const found = side.decisions.find((row) => row.start === target.start && row.end === target.end);
      const take = () => deciding.decide(target, found.content, { reason: found.reason, cause: found.cause });
      const button = found && el("button", { type: "button", class: "btn small quiet", on: { click: take } }, "Take this");
      return el("p", {}, el("b", {}, `${side.by}: `), found ? spoken(found.content, page.types) : "as merged", found?.reason ? ` – “${found.reason}” ` : " ", button || "");
    });
  }
}
