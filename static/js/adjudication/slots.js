// Acts that the server has not answered yet, in one slot of local storage per person and passage. A slot says where its
// acts go and what the passage is called, so that any page can send them. No DOM in here.

const PREFIX = "assay:acts:";

export function slotName(person, uuid) {
  return `${PREFIX}${person}:${uuid}`;
}

/** @returns {object} {owed, url, name}: acts in order; none where nothing can be read */
export function readSlot(storage, key) {
  try {
    const found = JSON.parse(storage.getItem(key));
    return Array.isArray(found?.owed) ? found : { owed: [] };
  } catch {
    return { owed: [] };
  }
}

/** Throws where the browser keeps nothing. */
export function writeSlot(storage, key, slot) {
  if (slot.owed.length) storage.setItem(key, JSON.stringify(slot));
  else storage.removeItem(key);
}

/** This person's slots but one, in the order of their names. @returns {object[]} {key, uuid, owed, url, name} */
export function slotsOf(storage, person, but = "") {
  const prefix = slotName(person, "");
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage.key(index));
  const own = keys.filter((key) => key.startsWith(prefix) && key !== but).sort();
  return own.map((key) => ({ ...readSlot(storage, key), key, uuid: key.slice(prefix.length) })).filter(({ owed }) => owed.length);
}
