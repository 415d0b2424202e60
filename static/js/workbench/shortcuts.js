// The keys of the whole work page: submit, undo, Escape, and the letters for its commands.

import { isCommand, isKeyPlace, isPlain } from "./keys.js";

const COMMANDS = { 0: "none", d: "discard", q: "ask", g: "guidelines", "?": "keys" };
const PASSAGE_KEYS = new Set(["arrowleft", "arrowright", "arrowup", "arrowdown", "enter"]);
const SAME_PRESS = 1000; // ms: a second Ctrl+Enter so soon was meant for the passage before

export class Shortcuts {
  /**
   * @param {HTMLElement} root the page's own part of the document
   * @param {object} on {submit(), step(which), escape(form), command(name), toPassage(event), hasText(), isOpen(), hasLetters()}
   */
  constructor(root, on) {
    Object.assign(this, { on, arrived: null });
    document.addEventListener("keydown", (event) => this.keyed(event));
    root.addEventListener("pointerdown", (event) => event.target.closest("[data-submit]") || this.lookedAt());
  }

  /** The next passage has come up: until something is done with it, a second press is not about it. */
  arrive() {
    this.arrived = performance.now();
  }

  lookedAt() {
    this.arrived = null;
  }

  get isSamePress() {
    return this.arrived !== null && performance.now() - this.arrived < SAME_PRESS;
  }

  keyed(event) {
    if (!event.ctrlKey && !event.metaKey) this.lookedAt();
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (this.act(event)) event.preventDefault();
  }

  /** @returns {boolean} whether the key meant something */
  act(event) {
    const key = event.key.toLowerCase();
    const form = event.target.closest?.("form");
    const isTyping = this.on.hasText() || event.target.matches?.("textarea"); // there Ctrl+Z is the browser's
    if (isCommand(event) && key === "enter") return this.enter(event, form);
    if (isCommand(event) && key === "z" && !isTyping) this.on.step(event.shiftKey ? "redo" : "undo");
    else if (event.ctrlKey && key === "y" && !isTyping) this.on.step("redo");
    else if (key === "escape" && (form || this.on.isOpen())) this.on.escape(form);
    else if (isPlain(event)) return this.plain(event, key);
    else return false;
    return true;
  }

  enter(event, form) {
    if (form) form.requestSubmit();
    else if (!event.repeat && !this.isSamePress) this.on.submit();
    return true;
  }

  /** Letters act in the passage and on a chip; where nothing has the focus, arrows and Enter lead to the passage. */
  plain(event, key) {
    if (this.on.hasLetters() && isKeyPlace(event.target) && COMMANDS[key]) this.on.command(COMMANDS[key]);
    else if (event.target === document.body && PASSAGE_KEYS.has(key)) this.on.toPassage(event);
    else return false;
    return true;
  }
}
