// The fields of a card and the chips in them, as they are drawn; what is done with them is the card's business (`on`).

import { el } from "../shared/dom.js";

/** @returns {object} {type, input, chips, fit, row}; `fit`: the last text in it that the rules took */
export function fieldRow(type, index, dir, on) {
  const chips = el("span", { class: "chips" });
  const input = el("input", {
    id: `field-${index}`,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: true,
    dir: dir === "rtl" ? "rtl" : "auto",
    on,
  });
  const line = el("i", { class: `line line-${type.line}` });
  const label = el("label", { htmlFor: input.id }, line, type.label);
  const box = el("div", { class: "input", dir, on: { click: (event) => event.target === box && input.focus() } }, chips, input);
  return { type, input, chips, fit: "", row: el("div", { class: "field" }, label, box) };
}

/** @param {string} place as “2 of 3”  @param {Array[]} tools [sign, title, act, class] */
export function chipButton(text, place, tools, on) {
  return el("button", {
    type: "button",
    class: "chip",
    tabIndex: -1,
    "aria-label": `${text}, ${place}. Enter edits, Delete removes, T changes the type.`,
    on,
  }, el("span", { dir: "auto" }, text), ...tools.map((tool) => chipTool(...tool)));
}

/** For the mouse and for fingers; keys and screen readers have the keys that the label names. */
function chipTool(sign, title, act, name) {
  const on = {
    dblclick: (event) => event.stopPropagation(), // pressed twice: two steps, not an edit
    click: (event) => {
      event.stopPropagation();
      act();
    },
  };
  return el("span", { class: name, "aria-hidden": "true", title, on }, sign);
}
