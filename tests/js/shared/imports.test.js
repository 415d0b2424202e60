import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../../static/js/shared/", import.meta.url);

test("what pages share imports nothing of a page", () => {
  const sources = readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER), "utf8"));
  const imported = sources.flatMap((source) => Array.from(source.matchAll(/from "([^"]+)"/gu), ([, path]) => path));

  assert.ok(imported.length > 0);
  assert.deepEqual(imported.filter((path) => !/^\.\/[\w-]+\.js$/u.test(path)), []);
});
