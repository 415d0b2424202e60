// Where J and K lead from the place one is at: -1 is before the first, and past neither end.

export function step(at, key, count) {
  if (key === "j") return Math.min(at + 1, count - 1);
  if (key === "k") return Math.max(at - 1, 0);
  return at;
}

/** The step that a key asks for, or "" where it asks for something else. */
export function asked({ key, ctrlKey, altKey, metaKey }, isTyping) {
  const small = key.toLowerCase();
  return !ctrlKey && !altKey && !metaKey && !isTyping && (small === "j" || small === "k") ? small : "";
}
