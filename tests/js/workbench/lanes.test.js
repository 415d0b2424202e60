import assert from "node:assert/strict";
import { test } from "node:test";

import { cuts, lanes, overlap, touching } from "../../../static/js/workbench/lanes.js";

const span = (start, end) => ({ start, end });

test("marks that do not meet share the first lane", () => {
  const marks = [span(0, 2), span(2, 5), span(6, 9)];

  assert.deepEqual([...lanes(marks).values()], [0, 0, 0]);
});

test("overlapping marks stand in lanes of their own, the longer one first", () => {
  const [short, long, later] = [span(0, 3), span(0, 9), span(4, 6)];

  const found = lanes([short, long, later]);

  assert.deepEqual([found.get(long), found.get(short), found.get(later)], [0, 1, 1]);
});

test("no two marks that overlap are ever in one lane", () => {
  let seed = 7;
  const draw = (most) => (seed = (seed * 48271) % 2147483647) % most;
  for (let round = 0; round < 200; round += 1) {
    const marks = Array.from({ length: 8 }, () => {
      const start = draw(20);
      return span(start, start + 1 + draw(8));
    });
    const found = lanes(marks);
    for (const one of marks) {
      for (const two of marks) {
        if (one !== two && overlap(one, two)) assert.notEqual(found.get(one), found.get(two));
      }
    }
  }
});

test("a click meets the shortest mark first, then the next", () => {
  const [part, word, phrase, sentence] = [span(4, 6), span(4, 7), span(4, 12), span(0, 20)];

  assert.deepEqual(touching([sentence, word, phrase, part, span(8, 12)], span(4, 7)), [part, word, phrase, sentence]);
});

test("a text is cut wherever something begins or ends in it", () => {
  assert.deepEqual(cuts(0, 10, [span(2, 4), span(4, 12), span(-3, 0)]), [span(0, 2), span(2, 4), span(4, 10)]);
  assert.deepEqual(cuts(3, 5, []), [span(3, 5)]);
});
