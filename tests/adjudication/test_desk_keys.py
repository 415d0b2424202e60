"""Every key of the desk has a button, stands in its help and in the guide, and the other way round."""

import json
import re

from tests.house import ROOT
from tests.node import node_process

SCRIPT = """
import { commandOf } from "./static/js/adjudication/keyboard.js";
import { commandsOf } from "./static/js/adjudication/commands.js";
import { KEYS } from "./static/js/adjudication/panels.js";
const where = { isTyping: false, isOnList: true, hasLetters: true };
const keys = [..."abcdefghijklmnopqrstuvwxyz12345?[]/ ", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Delete"];
const plain = Object.fromEntries(keys.map((key) => [key, commandOf({ key }, where)]).filter(([, name]) => name));
const desk = { deciding: {}, going: {}, panels: {}, targets: {} };
const told = KEYS.flatMap(([, rows]) => rows.map(([keys]) => keys));
console.log(JSON.stringify({ plain, commands: Object.keys(commandsOf(desk)), told }));
await new Promise(() => process.stdin.resume());
"""
NAMES = {"ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", "Delete": "Del", " ": "Space"}
MOVES = {"previous", "following", "first", "last", "chip before", "chip after"}  # a click on the row or the chip
CAUSES = {f"cause {number}" for number in range(5)}  # the radios beside the reason
ELSEWHERE = {"unite"}  # beside what two decided, where they did


def test_every_key_is_a_command_with_a_button_and_is_told() -> None:
    with node_process(SCRIPT) as node:
        found = json.loads(node.stdout.readline())
    page = (ROOT / "templates/adjudication/adjudicate.html").read_text()
    guide = (ROOT / "docs/adjudicators.md").read_text()
    buttons = set(re.findall(r'data-command="([a-z]+)"', page))
    commands, plain = set(found["commands"]), found["plain"]

    assert buttons <= commands
    assert commands - buttons == MOVES | CAUSES | ELSEWHERE
    assert set(plain.values()) <= commands
    assert commands - set(plain.values()) == {"undo", "redo", "settle", "first", "last"}  # with Ctrl; Home and End
    for key in plain:
        if key in "234":
            continue  # between 1 and 5
        name = NAMES.get(key, key.upper())
        assert any(f"`{name}`" in told for told in found["told"]), key
        assert f"`{name}`" in guide, key
