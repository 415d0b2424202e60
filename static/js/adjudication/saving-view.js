// What the page says about saving: the state in the head, a banner where something is owed, both sides of a conflict.

import { el } from "../shared/dom.js";
import { spoken } from "./content.js";

const STATES = { saved: "Saved", saving: "Saving …", retrying: "Not saved: no answer", "signed-out": "Not saved: signed out", conflict: "Not saved: decided elsewhere", gone: "Not saved: no access" };

export class SavingView {
  /** @param {object} desk {find(name), page, queue}  @param {object} on {signIn()} */
  constructor(desk, on) {
    Object.assign(this, { desk, on });
    desk.find("keep-mine").addEventListener("click", () => desk.queue.keepMine());
    desk.find("take-theirs").addEventListener("click", () => desk.queue.letGo());
  }

  draw() {
    const { queue } = this.desk;
    const state = document.querySelector("[data-save-state]");
    state.dataset.saveState = queue.state;
    state.textContent = STATES[queue.state] ?? "Not saved";
    const banner = this.desk.find("banner");
    const said = this.owed(queue);
    if (said || !queue.refusal) reveal(banner, Boolean(said));
    if (said) banner.replaceChildren(...said);
    queue.refusal = null;
    if (queue.state === "conflict") this.drawConflict(queue.conflict);
    reveal(this.desk.find("conflict"), queue.state === "conflict");
  }

  /** Why something is not saved, and what can be done; null where nothing is owed. */
  owed(queue) {
    const kept = queue.hasSlotFailed ? "This browser keeps nothing: stay on this page until it says Saved." : "What you did is kept in this browser.";
    const again = ["Try now", () => (queue.state === "signed-out" ? queue.signedIn() : queue.retry())];
    const found = {
      retrying: [`${queue.message} ${kept} It is sent as soon as that works.`, again],
      "signed-out": [`You are signed out. ${kept}`, ["Sign in", () => this.on.signIn()], again],
      gone: [`This passage is out of reach. ${kept}`, again],
    }[queue.state];
    if (!found) return null;
    const [text, ...buttons] = found;
    return [el("p", {}, text), el("p", { class: "row" }, ...buttons.map(([label, act]) => el("button", { type: "button", class: "btn small", on: { click: act } }, label)))];
  }

  refused(message) {
    const banner = this.desk.find("banner");
    banner.replaceChildren(el("p", {}, message));
    reveal(banner, true);
  }

  drawConflict({ request, content, reason, by }) {
    const words = (document_, why) => `${request.place === "passage" ? document_.verdict ?? "open" : spoken(document_, this.desk.page.types)}${why ? ` – “${why}”` : ""}`;
    const mine = { undo: "taken back", unite: "united" }[request.kind] ?? words(request.body.content, request.body.reason);
    this.desk.find("conflict-said").textContent = `${by || "Somebody"} decided this since you looked. Choose which one stands.`;
    this.desk.find("mine").textContent = mine;
    this.desk.find("theirs").textContent = words(content, reason);
    this.desk.find("keep-mine").hidden = request.kind !== "decide";
  }
}

/** What comes up above the targets is brought into sight: whoever is far down would not see it. */
function reveal(node, isShown) {
  const isNew = isShown && node.hidden;
  node.hidden = !isShown;
  if (isNew) node.scrollIntoView({ block: "nearest" });
}
