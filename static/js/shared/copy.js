// A button that copies what stands in a field. Without scripts there is none, and the field can be marked by hand.

import { el } from "./dom.js";

class AssayCopy extends HTMLElement {
  connectedCallback() {
    const { of, label, about } = this.dataset;
    const field = document.getElementById(of);
    const said = el("span", { class: "visually-hidden", role: "status" });
    const button = el("button", { type: "button", class: "btn small" }, label);
    if (about) button.setAttribute("aria-label", `${label}: ${about}`); // else the words on it say all
    button.addEventListener("click", async () => {
      const isCopied = await copied(field);
      button.textContent = isCopied ? "Copied" : "Press Ctrl C";
      said.textContent = isCopied ? "Copied" : "Marked: press Ctrl C to copy it";
    });
    this.replaceChildren(button, said);
  }
}

/** Browsers give pages the clipboard over HTTPS only; elsewhere the field is marked and the older way tried. */
async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value.trimEnd());
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

customElements.define("assay-copy", AssayCopy);
