// What is to be said of the chosen target, as plain lines. Pure.

import { contentOf, spoken } from "./content.js";

/** Words of any script among ours: none turns round what stands beside it. */
const apart = (text) => `\u2068${text}\u2069`;

const findings = (...lines) => lines.filter(Boolean);

/** Who marked it, of which type, and whose the chosen chip is. */
export function votesLine(target, chip, { type_votes: votes, types }) {
  const labels = labelsOf(types);
  const own = votes.find((row) => row.start === target.start && row.end === target.end)?.types ?? {};
  const said = Object.entries(own).map(([key, times]) => `${times} ${key ? `say ${labels.get(key) ?? key}` : "both alike"}`).join(", ");
  return [
    target.annotators ? `Marked by ${target.voters.join(", ")}.` : "Nobody marked it.",
    said ? `Types: ${said}.` : "",
    chip?.voters.length ? `“${apart(chip.text)}” by ${chip.voters.join(", ")}.` : "",
  ].filter(Boolean).join(" ");
}

/**
 * What those who marked it said beside their substitutes, each a line; and how long they took over the passage.
 * @param {object} target  @param {object[]} lanes everybody's
 */
export function besideLines({ start, end }, lanes) {
  const own = lanes.map((lane) => ({ lane, mark: lane.marks.find((mark) => mark.start === start && mark.end === end) })).filter(({ mark }) => mark);
  const noted = own.filter(({ mark }) => mark.note || mark.unsure).map(({ lane, mark }) => `${lane.name}${mark.unsure ? " is unsure" : ""}${mark.note ? `${mark.unsure ? ", and" : ""} notes: “${apart(mark.note)}”` : ""}${mark.note ? "" : "."}`);
  const timed = own.filter(({ lane }) => lane.seconds).map(({ lane }) => `${lane.name} ${lane.seconds}`);
  return [...noted, timed.length ? `Seconds over the passage: ${timed.join(", ")}.` : ""].filter(Boolean);
}

/** Everything one person said of one span, in full. @param {object} lane  @param {object} mark  @param {Map} labels of types */
export function voiceLine({ name, seconds }, { substitutes, type, unsure, note }, labels) {
  const texts = substitutes.map((item) => apart(item.text)).join("; ") || "nothing";
  const kind = type === "" ? "both alike" : labels.get(type) ?? type;
  return [`${name}: ${texts}`, kind, unsure ? "unsure" : "", seconds ? `${seconds} s` : "", note ? `note: ${apart(note)}` : ""].filter(Boolean).join(" · ");
}

/**
 * What asks for a look.
 * @param {object} laid the target as it would be  @param {object} content what is decided of it here
 * @param {object} about {types, isToAgree}
 */
export function askingLines(target, laid, content, { types, isToAgree }) {
  const labels = labelsOf(types);
  const { decision } = target;
  const proposal = () => spoken(contentOf(target), types);
  return findings(
    target.type_tie && !content.type && `The types tie: it stands as ${labels.get(laid.type) ?? laid.type} until somebody decides: K keeps it so, T gives the next.`,
    target.variants.length && `Nearly the same: ${target.variants.map((group) => group.join(", ")).join("; ")}. J joins them.`,
    decision?.looks_again && evidence(target),
    decision?.is_proposal && (isToAgree ? `${decision.by} proposes: ${proposal()}. Y agrees; anything else is a proposal of your own.` : `You propose: ${proposal()}. Somebody else has to agree.`),
  );
}

/** What was offered when it was decided, and what is now. */
function evidence(target) {
  const said = (suggestions) => suggestions.map((item) => `${apart(item.text)} ${item.voters.length}`).join(", ") || "nothing";
  return `Look again. When it was decided: ${said(target.decision.snapshot.suggestions ?? [])}. Now: ${said(target.offered)}. Y: still right.`;
}

/** Of a settled passage what is said otherwise by now, and what was said when it was settled. @param {object} changes */
export function changeLines({ of, discards, targets }) {
  const said = (one) => (one ? `${one.suggestions.map((item) => `${apart(item.text)} ${item.voters.length}`).join(", ") || "nothing"} (${one.voters.join(", ")})` : "nobody");
  const lines = findings(
    discards[0] !== discards[1] && `Discards then: ${discards[0]}. Now: ${discards[1]}.`,
    ...targets.map(({ quote, then, now }) => `“${apart(quote)}” then: ${said(then)}. Now: ${said(now)}.`),
  );
  const isSilent = !lines.length && "The votes are the same; which types people gave, or who discarded it, has changed.";
  return findings(of[0] !== of[1] && `Answers then: ${of[0]}. Now: ${of[1]}.`, ...lines, isSilent);
}

/** How the votes for its types stand, as 2–2; "" where there is nothing to set against each other. */
export function tieOf({ start, end }, votes) {
  const own = votes.find((row) => row.start === start && row.end === end)?.types ?? {};
  const times = Object.entries(own).filter(([key]) => key).map(([, count]) => count).sort((a, b) => b - a);
  return times.length > 1 ? times.join("–") : "";
}

/** "" where no reason and no cause was given. */
export function whyLine({ reason, cause }, causes) {
  return [causes.find(({ key }) => key === cause)?.label, reason].filter(Boolean).join(" – ");
}

export function labelsOf(types) {
  return new Map(types.map((type) => [type.key, type.label]));
}

/** What became of the same word in another passage, in words. */
export function fateOf(row) {
  if (row.is_in_discarded) return "passage discarded";
  if (row.is_moved) return "moved";
  return `${row.is_kept ? "kept" : "dropped"}${row.is_decided ? ", decided" : ""}`;
}
