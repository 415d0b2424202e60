import assert from "node:assert/strict";
import { test } from "node:test";

import { added, edited, moved, ofType, sentOn, without } from "../../../static/js/workbench/chips.js";
import { HOO, SWS } from "./presets.js";

const chip = (text, type = "R") => ({ text, type, via: "typed" });
const texts = (chips) => chips.map((item) => `${item.text}:${item.type}`).join(" ");

test("moving permutes only the places of its own type", () => {
  const [a, x, b] = [chip("a"), chip("x", "D"), chip("b")];

  assert.equal(texts(moved([a, x, b], b, -1)), "b:R x:D a:R");
  assert.equal(texts(moved([a, x, b], a, -1)), "a:R x:D b:R");
  assert.equal(texts(moved([a, x, b], x, 1)), "a:R x:D b:R");
});

test("a chip sent to the other type keeps its place in the order of entry", () => {
  const [a, b] = [chip("a"), chip("b")];

  const sent = sentOn([a, b], a, SWS.types);

  assert.equal(texts(sent), "a:D b:R");
  assert.equal(texts(sentOn(sent, sent[0], SWS.types)), "a:R b:R");
});

test("adding tells doubles from what stands under the other type", () => {
  const found = added([chip("lad"), chip("boy", "D")], ["LAD", "Boy", "child", "child"], "R", "pasted", SWS);

  assert.equal(texts(found.chips), "lad:R boy:D child:R");
  assert.deepEqual(found.doubles, ["LAD", "child"]);
  assert.deepEqual(found.elsewhere.map((item) => item.text), ["boy"]);
});

test("an edited chip stays where it was, and may become several or none", () => {
  const [a, b, c] = [chip("a"), chip("b"), chip("c")];

  assert.equal(texts(edited([a, b, c], b, ["x", "y", "A"], "typed", SWS)), "a:R x:R y:R c:R");
  assert.equal(texts(edited([a, b, c], b, [], "typed", SWS)), "a:R c:R");
  assert.equal(texts(edited([a, b, c], b, ["A"], "typed", SWS)), "a:R b:R c:R"); // one that is there already takes nothing away
  assert.equal(texts(without([a, b], a)), "b:R");
  assert.equal(texts(ofType([a, chip("d", "D")], "D")), "d:D");
});

test("corrections that differ only in spaces or case stand side by side", () => {
  const a = chip("both ");

  assert.equal(texts(added([a], ["both", "Both", "both "], "R", "typed", HOO).chips), "both :R both:R Both:R");
  assert.equal(texts(edited([a, chip("the")], a, ["The"], "typed", HOO)), "The:R the:R");
});
