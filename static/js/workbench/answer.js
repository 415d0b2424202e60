// The answer as the page edits it: pure functions from one answer to the next, nothing changed in place.
// A mark here is what the API stores: {start, end, quote, note, unsure, substitutes: [{text, type, via}]}.

export const EMPTY = { marks: [] };

/** The states of an assignment in which its answer may be changed. */
export function isEditable(state) {
  return state === "assigned" || state === "started";
}

export function marksOf(answer) {
  return answer.marks ?? [];
}

export function findMark(answer, start, end) {
  return marksOf(answer).findIndex((mark) => mark.start === start && mark.end === end);
}

/** The mark with these substitutes, made where it is missing, gone with its last substitute unless it has a note.
 * `detail`: {note, unsure}, where they are known better than by the mark, which may not be there yet. */
export function withSubstitutes(answer, span, substitutes, detail = {}) {
  const marks = marksOf(answer);
  const at = findMark(answer, span.start, span.end);
  const old = marks[at] ?? { start: span.start, end: span.end, quote: span.quote, note: "", unsure: false };
  return placed(answer, at, { ...old, ...detail, substitutes });
}

/** A note or a doubt on the mark, which is made where it is missing. */
export function withDetail(answer, span, { note, unsure }) {
  const marks = marksOf(answer);
  const at = findMark(answer, span.start, span.end);
  const old = marks[at] ?? { start: span.start, end: span.end, quote: span.quote, substitutes: [] };
  return placed(answer, at, { ...old, note, unsure });
}

/** `mark` in the place `at`, or added where that is -1; one that says nothing goes. */
function placed(answer, at, mark) {
  const marks = marksOf(answer);
  const isEmpty = mark.substitutes.length === 0 && mark.note === "";
  if (at < 0) return isEmpty ? answer : { marks: [...marks, mark] };
  return { marks: isEmpty ? marks.toSpliced(at, 1) : marks.with(at, mark) };
}

/** Another mark in the place of this one, as a fix proposes it. */
export function withMark(answer, span, mark) {
  const at = findMark(answer, span.start, span.end);
  return at < 0 ? answer : { marks: marksOf(answer).with(at, mark) };
}

export function withoutMark(answer, span) {
  return { marks: marksOf(answer).filter((mark) => mark.start !== span.start || mark.end !== span.end) };
}

/** The mark moved to another span with all it holds; unchanged where that span is marked already. */
export function withSpan(answer, from, to) {
  if (findMark(answer, to.start, to.end) >= 0) return answer;
  return {
    marks: marksOf(answer).map((mark) =>
      mark.start === from.start && mark.end === from.end
        ? { ...mark, start: to.start, end: to.end, quote: to.quote }
        : mark,
    ),
  };
}
