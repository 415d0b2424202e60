// Values compared by what they say: answers come from the server, from this page and from the browser's storage.

const forms = new WeakMap(); // of what was seen before: answers are compared at every key, and most marks stay as they are

/** One form for comparing: the server's answer and ours are equal when these strings are. */
export function canonical(value) {
  if (!value || typeof value !== "object") return JSON.stringify(value);
  if (!forms.has(value)) forms.set(value, Array.isArray(value) ? `[${value.map(canonical).join(",")}]` : sorted(value));
  return forms.get(value);
}

function sorted(value) {
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}
