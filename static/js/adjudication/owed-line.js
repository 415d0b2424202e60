// The line that tells of acts on other passages which this browser still keeps: it sends them, and says what is left.

import { deps } from "../shared/browser.js";
import { el } from "../shared/dom.js";
import { sendOwed } from "./owed.js";
import { slotsOf } from "./slots.js";

const AGAIN_AFTER = 15000; // ms

class AssayOwed extends HTMLElement {
  connectedCallback() {
    window.addEventListener("online", () => this.send());
    if (this.dataset.person) this.send();
  }

  /** @param {object} where {person, project, but: the slot of the passage that is open, whose own page sends it} */
  look({ person, project, but }) {
    Object.assign(this.dataset, { person, project, but });
    this.send();
  }

  async send() {
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    window.clearTimeout(this.timer);
    const left = [];
    for (const slot of this.slots) {
      const url = slot.url ?? `/api/v1/projects/${this.dataset.project}/passages/${slot.uuid}`;
      const state = await this.sendOne({ ...slot, url });
      if (state !== "sent") left.push({ ...slot, url, state });
    }
    this.isUnderWay = false;
    const open = new Set(this.slots.map(({ key }) => key)); // by now the page may be at another passage
    this.draw(left.filter(({ key }) => open.has(key)));
    if (left.some(({ state }) => state === "waits")) this.timer = window.setTimeout(() => this.send(), AGAIN_AFTER);
  }

  get slots() {
    const { person, but = "" } = this.dataset;
    return slotsOf(deps().storage, person, but);
  }

  /** Not while another tab has the passage open: that one sends it itself. */
  sendOne(slot) {
    if (!navigator.locks) return sendOwed(slot, deps());
    return navigator.locks.request(slot.key, { ifAvailable: true }, (lock) => (lock ? sendOwed(slot, deps()) : "sent"));
  }

  forget(key) {
    deps().storage.removeItem(key);
    this.send();
  }

  draw(left) {
    this.hidden = !left.length;
    const asks = left.filter(({ state }) => state === "asks");
    const gone = left.filter(({ state }) => state === "gone");
    const waits = left.filter(({ state }) => state === "waits");
    const link = ({ url, uuid, name }) => [el("a", { href: pageOf(url, uuid) }, name ?? "this passage"), " "];
    this.replaceChildren(
      ...(asks.length ? [el("p", {}, "What you decided here was not taken; open it to choose: ", ...asks.flatMap(link))] : []),
      ...gone.map(({ key, name }) => el("p", { class: "row" }, `What you decided about ${name ?? "a passage"} cannot be sent: it is out of reach. `, el("button", { type: "button", class: "btn small", on: { click: () => this.forget(key) } }, "Let it go"))),
      ...(waits.length ? [el("p", {}, "Not sent yet, and kept in this browser; it is sent as soon as that works: ", ...waits.flatMap(link))] : []),
    );
  }
}

/** The desk of the passage that an address of the API is about. */
function pageOf(url, uuid) {
  const [, project] = /\/projects\/([^/]+)\//u.exec(url);
  return `/p/${project}/adjudicate/${uuid}`;
}

/** While a passage is open its slot is this tab's. @returns {function} lets go of it */
export function holding(key) {
  let free;
  const until = new Promise((resolve) => {
    free = resolve;
  });
  navigator.locks?.request(key, { mode: "shared" }, () => until);
  return free;
}

customElements.define("assay-owed", AssayOwed);
