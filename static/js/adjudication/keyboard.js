// Which command a key means. Letters and digits only on the list, and where they are not switched off. Pure.

const LETTERS = { k: "keep", x: "drop", t: "type", s: "span", n: "new", a: "add", e: "edit", j: "join", m: "move", r: "reason", y: "confirm", u: "unite", w: "same", l: "lanes", d: "discard", c: "discussion", g: "guidelines", h: "history", "?": "keys", "[": "back", "]": "on", "/": "search", " ": "tick" };
const ARROWS = { arrowup: "previous", arrowdown: "following", arrowleft: "chip before", arrowright: "chip after", home: "first", end: "last", delete: "remove" };

/**
 * @param {object} event {key, ctrlKey, metaKey, altKey, shiftKey}
 * @param {object} where {isTyping, isOnList, hasLetters}
 * @returns {string} a command, "cause 0" to "cause 4", or "" where the key is not the desk's
 */
export function commandOf({ key: pressed, ctrlKey, metaKey, altKey, shiftKey }, { isTyping, isOnList, hasLetters }) {
  const key = pressed.toLowerCase();
  const isCommand = ctrlKey || metaKey;
  if (isCommand && key === "enter") return "settle";
  if (isCommand && key === "z" && !isTyping) return shiftKey ? "redo" : "undo";
  if (isTyping || isCommand || altKey || !isOnList) return "";
  if (ARROWS[key]) return ARROWS[key];
  if (!hasLetters) return "";
  return /^[1-5]$/u.test(key) ? `cause ${Number(key) - 1}` : LETTERS[key] ?? "";
}
