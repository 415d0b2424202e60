import assert from "node:assert/strict";
import { test } from "node:test";

import { isSame, parseKept, toldOf } from "../../../static/js/shared/kept.js";

test("what is kept comes back, and what makes no sense does not", () => {
  assert.deepEqual(parseKept('{"version": "3", "fields": {"text": "Mine"}}'), { version: "3", fields: { text: "Mine" } });
  for (const text of ["", "{", "null", "[]", '"text"', '{"version": 1}', '{"fields": {"text": 1}}', '{"fields": "text"}']) {
    assert.equal(parseKept(text), null, text);
  }
});

test("texts are the same as the server stores them", () => {
  assert.ok(isSame({ text: "One\r\ntwo\n" }, { text: "One\ntwo" }));
  assert.ok(isSame({}, { text: "" }));
  assert.ok(!isSame({ text: "One", other: "" }, { text: "One", other: "two" }));
});

test("who writes over somebody else's change is told", () => {
  const kept = { version: "1", fields: {} };
  assert.match(toldOf(kept, { version: "1" }), /not saved yet\.$/u);
  assert.match(toldOf(kept, { version: "2" }), /Somebody else has changed/u);
});
