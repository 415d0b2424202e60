// The server counts code points, the browser UTF-16 units. Everything stored is in code points.

/** Code points before each UTF-16 position: index by UTF-16 offset, get the code-point offset. */
export function codePointIndex(text) {
  const index = new Array(text.length + 1);
  let points = 0;
  for (let unit = 0; unit < text.length; ) {
    const size = text.codePointAt(unit) > 0xffff ? 2 : 1;
    index[unit] = points;
    if (size === 2) index[unit + 1] = points;
    unit += size;
    points += 1;
  }
  index[text.length] = points;
  return index;
}

/** The part of `text` between two code-point offsets. */
export function slice(text, start, end) {
  return Array.from(text).slice(start, end).join("");
}
