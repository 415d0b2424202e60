// The rules of the project, as the page was told them: what is typed becomes substitutes by them, and what they forbid is
// refused with a word. Nothing else in the page knows a separator or a limit of its own.

import { marksOf } from "./answer.js";
import { overlap } from "./lanes.js";

const FAMILIES = [";；؛\u037e", ",，،、"]; // signs that are one sign on different keyboards

/** Without what no stored text may hold: control characters and halves of characters, which only come by pasting. */
export function clean(text) {
  return text.replace(/\r\n?/gu, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}/gu, "");
}

/** One substitute as it is stored: tidied, or to the letter. */
export function tidy(text, { folds }) {
  return folds ? clean(text).replace(/\s+/gu, " ").trim() : clean(text);
}

export function hasSeparator(text, rules) {
  return parts(text, rules).length > 1;
}

/** What is typed, as single substitutes. */
export function split(text, rules) {
  return parts(text, rules).map((part) => tidy(part, rules)).filter((part) => part !== "");
}

function parts(text, { separator }) {
  if (separator === "") return [text];
  const signs = FAMILIES.find((family) => family.includes(separator)) ?? [separator];
  return [...signs].reduce((found, sign) => found.flatMap((part) => part.split(sign)), [text]);
}

/** What is pasted, line by line; the cells of a table are lines too, unless substitutes are taken to the letter. */
export function lines(text, { folds }) {
  return folds ? text.trim().split(/[\r\n\t]+/u) : text.replace(/^[\r\n]+|[\r\n]+$/gu, "").split(/[\r\n]+/u);
}

/** A hint only: the server's key decides. */
export function key(text, rules) {
  const composed = text.normalize("NFC");
  if (!rules.folds) return composed;
  return tidy(composed, rules).replace(/[‘’‚‛]/gu, "'").replace(/[“”„‟]/gu, '"').toLowerCase();
}

/** Substitutes in one line, as they would be typed; by themselves where nothing parts them. */
export function listed(texts, { separator }) {
  return separator ? texts.join(`${separator} `) : texts.map((text) => `“${text}”`).join(", ");
}

/** Why these substitutes cannot stand where `before` stood; "" where they can. What is there already is not refused. */
export function refusedSubstitutes(substitutes, before, { max_substitutes: asked, lengths }) {
  const known = new Set(before.map((item) => item.text));
  const long = substitutes.find(({ text }) => !known.has(text) && [...text].length > lengths.substitute);
  if (long) return `“${[...long.text].slice(0, 20).join("")}…” has ${[...long.text].length} characters: a substitute has ${lengths.substitute} at most.`;
  const most = Math.min(asked ?? lengths.substitutes, lengths.substitutes);
  if (substitutes.length <= Math.max(most, before.length)) return "";
  return most === 1 ? "One substitute is the most here: remove it first." : `${most} substitutes are the most here: remove one first.`;
}

/** Why this span cannot be marked; "" where it can. `from`: the mark that would be moved there. */
export function refusedSpan(answer, span, rules, from = null) {
  const is = (mark, other) => other !== null && mark.start === other.start && mark.end === other.end;
  const others = marksOf(answer).filter((mark) => !is(mark, from));
  if (others.some((mark) => is(mark, span))) return `“${span.quote}” is marked already.`;
  const met = rules.spans.may_overlap ? undefined : others.find((mark) => overlap(mark, span));
  if (met) return `“${span.quote}” would overlap the mark “${met.quote}”: marks may not overlap here.`;
  return others.length >= rules.lengths.marks ? `${rules.lengths.marks} marks are the most.` : "";
}
