// Overlapping marks side by side: each mark gets the lowest lane that no mark it overlaps has taken.

/** @param {object[]} marks {start, end}  @returns {Map<object, number>} by mark; longer ones first where they begin alike */
export function lanes(marks) {
  const found = new Map();
  const ordered = [...marks].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const mark of ordered) {
    const taken = new Set();
    for (const [other, lane] of found) if (overlap(mark, other)) taken.add(lane);
    let lane = 0;
    while (taken.has(lane)) lane += 1;
    found.set(mark, lane);
  }
  return found;
}

export function overlap(one, two) {
  return one.start < two.end && two.start < one.end;
}

/** The marks that touch a word, the shortest first: what a click opens, and what the next click opens. */
export function touching(marks, word) {
  const around = marks.filter((mark) => overlap(mark, word));
  return around.sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start);
}

/** Texts between borders: cut points of the words and of everything drawn, in order and once. */
export function cuts(start, end, spans) {
  const inside = spans.flatMap((span) => [span.start, span.end]).filter((at) => at > start && at < end);
  const points = [...new Set([start, ...inside, end])].sort((a, b) => a - b);
  return points.slice(0, -1).map((from, index) => ({ start: from, end: points[index + 1] }));
}
