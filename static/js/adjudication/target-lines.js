// What is to be said of the chosen target, as plain lines. Pure.

import { contentOf, spoken } from "./content.js";

const findings = (...lines) => lines.filter(Boolean);

/** Who marked it, of which type, and whose the chosen chip is. */
export function votesLine(target, chip, { type_votes: votes, types }) {
  const labels = labelsOf(types);
  const own = votes.find((row) => row.start === target.start && row.end === target.end)?.types ?? {};
  const said = Object.entries(own).map(([key, times]) => `${times} ${key ? `say ${labels.get(key) ?? key}` : "both alike"}`).join(", ");
  return [
    target.annotators ? `Marked by ${target.voters.join(", ")}.` : "Nobody marked it.",
    said ? `Types: ${said}.` : "",
    chip?.voters.length ? `“${chip.text}” by ${chip.voters.join(", ")}.` : "",
  ].filter(Boolean).join(" ");
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
  const said = (suggestions) => suggestions.map((item) => `${item.text} ${item.voters.length}`).join(", ") || "nothing";
  return `Look again. When it was decided: ${said(target.decision.snapshot.suggestions ?? [])}. Now: ${said(target.offered)}. Y: still right.`;
}

/** "" where no reason and no cause was given. */
export function whyLine({ reason, cause }, causes) {
  return [causes.find(({ key }) => key === cause)?.label, reason].filter(Boolean).join(" – ");
}

function labelsOf(types) {
  return new Map(types.map((type) => [type.key, type.label]));
}
