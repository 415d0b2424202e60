// What is kept of a form: its texts by name, and the version of what they were written over.

/** Null where nothing is kept, or nothing that makes sense. */
export function parseKept(text) {
  try {
    const { version, fields } = JSON.parse(text);
    const isSound = fields && typeof fields === "object" && Object.values(fields).every((value) => typeof value === "string");
    return isSound ? { version: String(version ?? ""), fields } : null;
  } catch {
    return null;
  }
}

const plain = (text) => (text ?? "").replaceAll("\r\n", "\n").trim(); // as the server stores it

export function isSame(fields, others) {
  return Object.keys(others).every((name) => plain(fields[name]) === plain(others[name]));
}

/** What the person is told of the text that stands there again. */
export function toldOf(kept, shown) {
  const told = "Your text from before is here again. It is not saved yet.";
  return kept.version === shown.version ? told : `${told} Somebody else has changed what is saved since: saving yours replaces it.`;
}
