// The last row of a card: the marked words, a doubt, a note, copies, and the borders of the mark.

import { el } from "../shared/dom.js";
import { clean } from "./rules.js";

/**
 * @param {object} detail {note, unsure}  @param {object[]} alike other places where the same words stand unmarked
 * @param {object|null} part one word of the mark, which may be marked by itself
 * @param {object} page {resize(step, isStart), remove(), copy(span), openPart(span), close()}  @param {function} say (detail, now)
 */
export function cardTools({ quote, detail, alike, part, rules, page, say }) {
  const unsure = el("input", { type: "checkbox", checked: detail.unsure, on: { change: (event) => say({ unsure: event.target.checked }) } });
  const note = el("textarea", {
    rows: 2,
    maxLength: rules.lengths.note,
    value: detail.note,
    hidden: detail.note === "",
    placeholder: "Note for the lead and the adjudicators",
    "aria-label": "Note",
    on: { input: (event) => say({ note: clean(event.target.value) }, false), blur: (event) => say({ note: clean(event.target.value) }) },
  });
  const openNote = () => {
    note.hidden = false;
    note.focus();
  };
  const isOne = alike.length === 1;
  const copies = alike.slice(0, 5).map(({ near, ...span }, index) => {
    const name = isOne ? `Copy to the other “${quote}”` : `Copy to the ${index + 1}. other: ${near}`;
    return button(isOne ? name : near, () => page.copy(span), { name, title: name });
  });
  return el("div", { class: "card-tools" },
    el("span", { class: "borders", role: "group", "aria-label": "Borders of the mark" },
      button("‹", () => page.resize(-1, true), { name: "Start earlier", title: "Start one word earlier (Alt Shift ↑)" }),
      button("›", () => page.resize(1, true), { name: "Start later", title: "Start one word later (Alt Shift ↓)" }),
      el("q", { class: "card-quote", dir: "auto" }, quote),
      button("‹", () => page.resize(-1, false), { name: "Shorter", title: "End one word earlier (Alt ↑)" }),
      button("›", () => page.resize(1, false), { name: "Longer", title: "End one word later (Alt ↓)" }),
    ),
    el("span", { class: "grow" }),
    copies.length ? el("span", { class: "copies" }, isOne ? "" : "Copy to", ...copies) : null,
    part ? button(`Mark “${part.quote}” too`, () => page.openPart(part), { title: "A mark inside this one (Shift Enter, double click)" }) : null,
    el("label", { class: "check" }, unsure, " Unsure"),
    button("Note", openNote),
    button("Remove", () => page.remove()),
    button("Done", () => page.close(), { title: "Esc" }),
    note,
  );
}

function button(label, act, { name = label, title = "" } = {}) {
  // The field keeps the focus: its text would become a chip, the card would grow and the button move from under the pointer.
  const on = { mousedown: (event) => event.preventDefault(), click: act };
  return el("button", { type: "button", class: "btn small quiet", title, "aria-label": name, on }, label);
}
