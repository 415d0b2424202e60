// Where the words of a passage begin and end, in code points.

import { codePointIndex } from "./offsets.js";

const JOINERS = new Set(["-", "‐", "‑", "־", "'", "’"]);

/** Given tokens win; else the browser's own words, joined over inner hyphens and apostrophes (long-term, don't). */
export function wordSpans(text, lang, tokens) {
  const spans = tokens ?? segmented(text, lang);
  return spans.map(([start, end]) => ({ start, end }));
}

function segmented(text, lang) {
  const points = codePointIndex(text);
  const parts = Array.from(segmenter(lang).segment(text), ({ segment, index, isWordLike }) => ({
    start: points[index],
    end: points[index + segment.length],
    isWord: isWordLike,
    isJoiner: JOINERS.has(segment),
  }));
  const words = [];
  for (let i = 0; i < parts.length; i += 1) {
    if (!parts[i].isWord) continue;
    const { start } = parts[i];
    while (parts[i + 1]?.isJoiner && parts[i + 2]?.isWord) i += 2;
    words.push([start, parts[i].end]);
  }
  return words;
}

function segmenter(lang) {
  try {
    return new Intl.Segmenter(lang, { granularity: "word" });
  } catch {
    return new Intl.Segmenter("en", { granularity: "word" }); // a language tag the browser does not know
  }
}

/** Code-point offsets between what the eye sees as single characters, first and last included. */
export function graphemeBorders(text) {
  const points = codePointIndex(text);
  const parts = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);
  return [...Array.from(parts, ({ index }) => points[index]), points[text.length]];
}
