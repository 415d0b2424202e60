import assert from "node:assert/strict";
import { test } from "node:test";

import { isBeyond } from "../../../static/js/agreement/beyond.js";

test("a table goes on where it is wider than its place, until its end is seen", () => {
  const table = [
    [0, 300, 300, false],
    [0, 300, 480, true],
    [100, 300, 480, true],
    [180, 300, 480, false],
    [179.4, 300, 480, false],
  ];

  for (const [scrollLeft, clientWidth, scrollWidth, wanted] of table)
    assert.equal(isBeyond({ scrollLeft, clientWidth, scrollWidth }), wanted, `${scrollLeft} of ${scrollWidth}`);
});
