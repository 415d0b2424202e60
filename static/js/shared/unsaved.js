// Text that never reached the server and whose page is gone: offered where one comes back to.

import { el, localStore } from "./dom.js";
import { download } from "./download.js";
import { isOwed, slotsOf } from "./slots.js";

const LAST_REQUEST = 1500; // ms for a request that outlives its page to be answered

/** Unless a page has written there since. */
function drop(name, text) {
  const storage = localStore();
  if (storage.getItem(name) === text) storage.removeItem(name);
}

class AssayUnsaved extends HTMLElement {
  async connectedCallback() {
    const found = await this.left();
    if (found.length) await new Promise((resolve) => window.setTimeout(resolve, LAST_REQUEST));
    const looked = await Promise.all(found.map(async (slot) => ({ ...slot, page: await this.stored(slot.uuid) })));
    const owed = looked.filter((slot) => isOwed(slot, slot.page));
    looked.filter((slot) => !owed.includes(slot)).forEach(({ name, text }) => drop(name, text));
    this.show(owed);
  }

  /** Those that no open tab sees to. */
  async left() {
    const held = (await navigator.locks?.query())?.held ?? [];
    const open = new Set(held.map((lock) => lock.name));
    return slotsOf(localStore(), this.dataset.person).filter(({ uuid }) => !open.has(`assay:${uuid}`));
  }

  async stored(uuid) {
    try {
      const response = await fetch(`/api/v1/assignments/${uuid}`, { credentials: "same-origin" });
      if (response.status === 404) return { isGone: true };
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }

  show(slots) {
    this.hidden = slots.length === 0;
    const letGo = ({ name, text }) => {
      if (!window.confirm("Drop this text? It cannot be brought back.")) return;
      drop(name, text);
      this.show(slots.filter((slot) => slot.name !== name));
    };
    const said = el("p", {}, "Text in this browser was not confirmed as saved. Open its passage to see to it.");
    this.replaceChildren(said, ...slots.map((slot) => this.row(slot, () => letGo(slot))));
  }

  row({ about, version, answer, page }, letGo) {
    const { project, number, begins } = about;
    const button = (label, click) => el("button", { type: "button", class: "btn small", on: { click } }, label);
    return el("p", { class: "row" },
      el("span", {}, `Passage ${number}: `, el("q", { dir: "auto" }, begins)),
      page?.isGone
        ? el("span", { class: "dim" }, "out of reach: you were removed from its project")
        : el("a", { class: "btn small", href: `/p/${project}/work/${number}` }, "Open"),
      button("Download my text", () => download(`passage-${number}.json`, { begins, version, answer })),
      button("Drop", letGo),
    );
  }
}

customElements.define("assay-unsaved", AssayUnsaved);
