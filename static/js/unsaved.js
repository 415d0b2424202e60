// Text that never reached the server and whose page is gone: offered where one comes back to.

import { download } from "./banner.js";
import { el, localStore } from "./dom.js";
import { slotsOf } from "./slots.js";

class AssayUnsaved extends HTMLElement {
  async connectedCallback() {
    const held = (await navigator.locks?.query())?.held ?? [];
    const open = new Set(held.map((lock) => lock.name)); // a tab that is open sees to its own
    const left = slotsOf(localStore(), this.dataset.person).filter(({ uuid }) => !open.has(`assay:${uuid}`));
    this.hidden = left.length === 0;
    this.replaceChildren(
      el("p", {}, "Text in this browser is not saved yet. It is sent as soon as you open its passage."),
      ...left.map((slot) => this.row(slot)),
    );
  }

  row({ name, about, version, answer }) {
    const { project, number, begins } = about;
    const button = (label, click) => el("button", { type: "button", class: "btn small", on: { click } }, label);
    return el("p", { class: "row" },
      el("span", {}, `Passage ${number}: `, el("q", { dir: "auto" }, begins)),
      el("a", { class: "btn small", href: `/p/${project}/work/${number}` }, "Open"),
      button("Download my text", () => download(`passage-${number}.json`, { begins, version, answer })),
      button("Drop", () => this.drop(name)),
    );
  }

  drop(name) {
    if (!window.confirm("Drop this text? It cannot be brought back.")) return;
    localStore().removeItem(name);
    this.connectedCallback();
  }
}

customElements.define("assay-unsaved", AssayUnsaved);
