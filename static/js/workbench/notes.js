// The hints under the fields of a card, row by row; the first that proposes something has the key Alt+Enter.

import { el } from "../shared/dom.js";

/** @param {object} on {why: code of the one that is explained, showWhy(finding), fix(finding), hasKey} */
export function findingRows(findings, { why, showWhy, fix, hasKey }) {
  const first = hasKey ? findings.find((finding) => finding.fix) : null;
  return findings.map((finding) => {
    const parts = [finding.message, " "];
    if (finding.fix) parts.push(link(`Use ${finding.fix.label}`, () => fix(finding), finding === first), " · ");
    parts.push(link("why", () => showWhy(finding)));
    if (why === finding.code) parts.push(el("small", { class: "why" }, finding.guideline));
    return el("p", { class: `note ${finding.severity}` }, el("span", {}, ...parts));
  });
}

/** The same substitutes stand under another type. */
export function moveRow(question, { move, leave }) {
  return el("p", { class: "note" }, el("span", {}, question, " ", link("Move here", move, true), " · ", link("leave there", leave)));
}

function link(label, act, hasKey = false) {
  const keepFocus = (event) => event.preventDefault();
  const button = el("button", { type: "button", class: "link", on: { mousedown: keepFocus, click: act } }, label);
  return hasKey ? el("span", {}, button, " ", el("kbd", {}, "Alt ↵")) : button;
}
