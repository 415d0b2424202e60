// Keys that press what stands on the page: an element says by data-key which one is its own. Letters and digits only
// where nobody types, and where they are not switched off (WCAG 2.1.4).

import { hasLetters, setLetters } from "./browser.js";

const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select";

/** What data-key would say of this press, or "". Pure. */
export function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }, { isTyping, hasLetters: areOn }) {
  const name = key.toLowerCase();
  if (isTyping || altKey) return "";
  if (ctrlKey || metaKey) return name === "z" && !shiftKey ? "undo" : "";
  if (name === "arrowleft" || name === "arrowright") return shiftKey ? "" : name;
  return areOn && !shiftKey && /^[a-z0-9]$/u.test(name) ? name : "";
}

if (globalThis.document) {
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.(TYPING) !== null || document.querySelector("dialog[open]") !== null;
    const key = keyOf(event, { isTyping, hasLetters: hasLetters() });
    const target = key && document.querySelector(`[data-key="${key}"]:not([disabled])`);
    if (!target || event.repeat) return;
    event.preventDefault();
    if (target.tagName === "DETAILS") {
      target.open = true;
      target.querySelector("textarea, input:not([type=hidden])")?.focus();
    } else {
      target.click();
    }
  });

  const toggle = document.querySelector("[data-letters]");
  if (toggle) {
    toggle.closest("label").hidden = false;
    toggle.checked = hasLetters();
    toggle.addEventListener("change", () => setLetters(toggle.checked));
  }
}
