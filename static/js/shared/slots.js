// The slots in local storage, one for each person and assignment, in which the saver keeps what is not acknowledged yet.

import { canonical } from "./canonical.js";

const PREFIX = "assay:slot:";

export function slotName(person, uuid) {
  return `${PREFIX}${person}:${uuid}`;
}

/** Enough of a passage to know it again. */
export function beginning(text) {
  const letters = [...text];
  return letters.length > 60 ? `${letters.slice(0, 60).join("")}…` : text;
}

/** This person's slots, each with what it is about, in the order of the passages. */
export function slotsOf(storage, person) {
  const prefix = slotName(person, "");
  const names = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage.key(index));
  const slots = names.filter((name) => name.startsWith(prefix)).map((name) => ({ ...read(storage, name), name, uuid: name.slice(prefix.length) }));
  return slots.filter(({ about, answer }) => about && answer).sort((a, b) => a.about.number - b.about.number);
}

const DONE = { submit: "submitted", discard: "discarded" };

/** Whether the server, which has `page`, lacks something of this slot: a last request may have outlived its page. */
export function isOwed({ answer, request, wanted }, page) {
  if (!page || canonical(answer) !== canonical(page.answer)) return true;
  const kind = wanted?.kind ?? request?.kind ?? "save";
  return kind !== "save" && DONE[kind] !== page.state;
}

function read(storage, name) {
  const text = storage.getItem(name);
  try {
    return { ...JSON.parse(text), text };
  } catch {
    return {};
  }
}
