// The substitutes of one mark, as chips under several types: pure functions from one list to the next.
// Array order is order of entry over all types; moving a chip permutes only its own type's places.

import { key } from "./rules.js";

export function ofType(chips, type) {
  return chips.filter((chip) => chip.type === type);
}

/** `chip` one place further (+1) or nearer (−1) among those of its type. */
export function moved(chips, chip, step) {
  const places = chips.flatMap((other, index) => (other.type === chip.type ? [index] : []));
  const at = places.indexOf(chips.indexOf(chip));
  const to = at + step;
  if (at < 0 || to < 0 || to >= places.length) return chips;
  const next = [...chips];
  [next[places[at]], next[places[to]]] = [next[places[to]], next[places[at]]];
  return next;
}

/** Under the next type, in its place in the order of entry. */
export function sentOn(chips, chip, types) {
  const keys = types.map((type) => type.key);
  const type = keys[(keys.indexOf(chip.type) + 1) % keys.length];
  return chips.map((other) => (other === chip ? { ...chip, type } : other));
}

export function without(chips, chip) {
  return chips.filter((other) => other !== chip);
}

/** In the place of `chip`, these texts; one that is there already is left out, and where all are, `chip` stays. */
export function edited(chips, chip, texts, via, rules) {
  const known = new Set(without(chips, chip).map((other) => key(other.text, rules)));
  const fresh = texts.filter((text) => !known.has(key(text, rules)) && known.add(key(text, rules)));
  const made = fresh.map((text) => (text === chip.text ? chip : { text, type: chip.type, via }));
  if (texts.length && !made.length) made.push(chip);
  return chips.flatMap((other) => (other === chip ? made : [other]));
}

/**
 * These texts added under a type.
 * @returns {{chips, doubles: string[], elsewhere: object[]}} doubles: there already under this type; elsewhere: chips of
 * another type that say the same, which may be moved
 */
export function added(chips, texts, type, via, rules) {
  const next = [...chips];
  const doubles = [];
  const elsewhere = [];
  for (const text of texts) {
    const there = next.find((chip) => key(chip.text, rules) === key(text, rules));
    if (!there) next.push({ text, type, via });
    else if (there.type === type) doubles.push(text);
    else elsewhere.push(there);
  }
  return { chips: next, doubles, elsewhere };
}
