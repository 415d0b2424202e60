// The sentence with a substitute in place: a/an and the first capital adapt, as they would in writing.

const REACH = 40; // code points of text on either side, cut at a space where there is one
const SOUNDED = /^(?:[aeiou]|hour|honest|honou?r|heir)/iu;
const NOT_SOUNDED = /^(?:uni(?!n|m)|use|usa|usu|util|eu|one(?!\w)|once|ubiq|u\.)/iu;

export function startsWithVowel(text) {
  return SOUNDED.test(text) && !NOT_SOUNDED.test(text);
}

/**
 * @param {string[]} points the passage, code point by code point  @param {object} rules what is taken to the letter stays as typed
 * @returns {{before: string, text: string, after: string}}
 */
export function preview(points, span, substitute, lang, rules) {
  const isEnglish = /^en(?:-|$)/iu.test(lang);
  let before = text(points.slice(Math.max(0, span.start - REACH), span.start));
  let after = text(points.slice(span.end, span.end + REACH));
  if (span.start > REACH) before = `…\u00a0${before.replace(/^\S*\s/u, "")}`;
  if (span.end + REACH < points.length) after = `${after.replace(/\s\S*$/u, "")}\u00a0…`;
  return {
    before: rules.folds && isEnglish ? withArticle(before, substitute) : before,
    text: rules.folds ? withCapital(text(points.slice(span.start, span.end)), substitute, points, span.start) : substitute,
    after,
  };
}

function text(points) {
  return points.join("").replace(/\s+/gu, " ");
}

/** “a ” or “an ” right before the mark, as the substitute wants it. */
export function withArticle(before, substitute) {
  return before.replace(/(^|[^\p{L}\p{N}])(an?)(\s+)$/iu, (_all, edge, article, space) => {
    const wanted = startsWithVowel(substitute) ? "an" : "a";
    const isCapital = article[0] === "A";
    return edge + (isCapital ? wanted[0].toUpperCase() + wanted.slice(1) : wanted) + space;
  });
}

/** A capital where the quote has one because the sentence begins there. */
function withCapital(quote, substitute, points, start) {
  const first = Array.from(quote)[0] ?? "";
  const isCapital = first !== first.toLowerCase() && first === first.toUpperCase();
  const before = points.slice(0, start).join("").trimEnd();
  const begins = before === "" || /[.!?:…]["'”’)\]]*$/u.test(before);
  if (!isCapital || !begins) return substitute;
  const [letter = "", ...rest] = Array.from(substitute);
  return letter.toUpperCase() + rest.join("");
}
