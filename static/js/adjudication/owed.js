// Sends what an earlier visit left behind on another passage, so that nobody has to go back there for it. What only a
// person can settle – somebody decided there since, or the server refuses it – stays in its slot and is told. No DOM.

import { deliver, isDoneWith, versionsOf } from "./deliver.js";
import { readSlot, writeSlot } from "./slots.js";

/**
 * @param {object} slot {key, url}
 * @returns {Promise<string>} "sent"; "asks" where a person has to look; "gone" where the passage is out of reach;
 * "waits" where it is worth another try
 */
export async function sendOwed({ key, url }, deps) {
  let versions = {};
  for (;;) {
    const [request] = readSlot(deps.storage, key).owed;
    if (!request) return "sent";
    const { status, body } = await deliver(url, request, request.version ?? versions[request.place] ?? 0, deps);
    if (status === 200 && body.passage) versions = versionsOf(body.passage);
    else if (status !== 412 || !body.stored || !isDoneWith(request, body)) return meaning(status, body);
    takeOut(deps.storage, key, request.body.act);
  }
}

function meaning(status, { code }) {
  if (status === 404) return "gone";
  const isOver = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  return isOver && code !== "somebody_else" ? "asks" : "waits";
}

/** Only this act: another tab may have put more there meanwhile. */
function takeOut(storage, key, act) {
  const slot = readSlot(storage, key);
  writeSlot(storage, key, { ...slot, owed: slot.owed.filter(({ body }) => body.act !== act) });
}
