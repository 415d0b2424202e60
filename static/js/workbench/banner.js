// What the page says about saving: the state in the header, a banner when something is wrong, and a conflict side by side.

import { el } from "../shared/dom.js";
import { marksOf } from "./answer.js";
import { listed } from "./rules.js";

// On a phone the first part alone.
const STATE_WORDS = {
  saved: ["Saved"],
  unsaved: ["Not saved", " yet"],
  saving: ["Saving …"],
  retrying: ["Not saved", ": no answer"],
  "signed-out": ["Not saved", ": signed out"],
  conflict: ["Not saved", ": changed elsewhere"],
  refused: ["Not saved"],
  gone: ["Not saved", ": no access"],
  elsewhere: ["Read only", ": open in another tab"],
};
const DONE_WORDS = { submitted: "Submitted", discarded: "Discarded", withdrawn: "Withdrawn" };
const KEPT = "Your text is kept in this browser.";
const AGAIN = "It is sent as soon as that works.";
const ACTS_AGAIN = "What you asked for is done as soon as that works.";
const NO_STORAGE = "This browser keeps nothing (private window, or its storage is full): stay on this page until it says Saved.";
const GONE = "This passage is out of reach: you were removed from the project, or are signed in as somebody else in this browser.";

export function showState(node, saver) {
  node.dataset.saveState = saver.state;
  node.dataset.version = saver.version;
  const done = saver.state === "saved" && DONE_WORDS[saver.serverState];
  const [short, rest = ""] = done ? [done] : STATE_WORDS[saver.state];
  if (node.textContent !== short + rest) node.replaceChildren(el("span", {}, short, el("span", { class: "long" }, rest)));
}

/**
 * Drawn anew only when it says something else: a button that has the focus keeps it.
 * @param {object} ways {retry, logIn, reopen, undoDiscard, download, drop, continueHere}
 */
export function showBanner(banner, saver, ways) {
  const kept = saver.hasSlotFailed ? NO_STORAGE : KEPT;
  const save = ["Download my text", ways.download];
  const goOn = saver.staysOver ? [] : {
    submitted: [["Reopen and save", ways.reopen]],
    discarded: [["Undo the discard and save", ways.undoDiscard]],
    withdrawn: [],
  }[saver.serverState] ?? [["Try again", ways.retry]];
  const say = {
    retrying: [`${saver.message} ${kept} ${saver.isActing ? ACTS_AGAIN : AGAIN}`, ["Try now", ways.retry], save],
    "signed-out": [`You are signed out. ${kept}`, ["Sign in", ways.logIn], ["Try now", ways.retry], save],
    refused: [`${saver.staysOver || saver.message} ${kept}${saver.refusal?.isForNow ? ` ${AGAIN}` : ""}`, ...goOn, save, ["Drop my unsaved text", ways.drop]],
    gone: [`${GONE} ${kept}`, ["Try again", ways.retry], save],
    elsewhere: ["This passage is open in another tab.", ["Continue here", ways.continueHere]],
  }[saver.state];
  banner.hidden = !say && !saver.refusal && !saver.hasSlotFailed;
  const [text, ...buttons] = say ?? [saver.refusal?.message ?? NO_STORAGE];
  const look = banner.hidden ? "" : [text, ...buttons.map(([label]) => label)].join("|");
  if (look === (banner.dataset.look ?? "")) return;
  banner.dataset.look = look;
  // The field keeps the focus: its text would become a chip, be sent again, and the banner go from under the pointer.
  const keepFocus = (event) => event.preventDefault();
  const made = buttons.map(([label, act]) => el("button", { type: "button", class: "btn small", on: { mousedown: keepFocus, click: act } }, label));
  banner.replaceChildren(el("p", {}, text), made.length ? el("p", { class: "row" }, ...made) : "");
  if (look) banner.scrollIntoView({ block: "nearest" });
}

/** Both answers as plain lists, with everything in which they can differ. */
export function showConflict(mineNode, theirsNode, mine, theirs, rules) {
  const labels = new Map(rules.types.map((type) => [type.key, type.label]));
  const said = (mark) => [
    listed(mark.substitutes.map((item) => `${item.text} (${labels.get(item.type) ?? item.type})`), rules) || "–",
    mark.unsure ? "unsure" : "",
    mark.note ? `note: ${mark.note}` : "",
  ].filter(Boolean).join(" · ");
  for (const [node, answer] of [[mineNode, mine], [theirsNode, theirs]]) {
    const lines = answer.none
      ? [el("li", {}, "Nothing to improve")]
      : marksOf(answer).map((mark) => el("li", {}, el("q", {}, mark.quote), ` → ${said(mark)}`));
    node.replaceChildren(...(lines.length ? lines : [el("li", {}, "Nothing marked")]));
  }
}
