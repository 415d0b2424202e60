// The keys of the work page, one table: what the help shows is what works.

/** Keys stand between backquotes; what is outside is plain text. @param {object} rules */
export const keyTable = ({ separator }) => [
  ["In the passage", [
    ["`←` `→`", "a word back or on"],
    ["`↑` `↓`", "a line up or down"],
    ["`Home` `End`", "first or last word"],
    ["`Shift` and arrows", "extend over more words"],
    ["`Enter`", "open the word, or the mark on it"],
    ["`Shift` `Enter`", "a new mark, also inside a longer one"],
    ["`Delete`", "remove the mark"],
    ["`N` `P`", "next or previous mark"],
    ["`/`", "find a word: type its letters"],
    ["`F`", "choose freely, letter by letter"],
    ["`0`", "nothing to improve"],
    ["`D`", "discard the passage"],
    ["`Q`", "ask the lead"],
    ["`G`", "guidelines"],
    ["`?`", "this help"],
  ]],
  ["In a field", [
    [separator ? `\`${separator}\` or \`Enter\`` : "`Enter`", "make a chip: one substitute"],
    ["`Enter`, empty", "close the card"],
    ["`Esc`", "keep the text and close"],
    ["`Tab`", "the other type"],
    ["`Alt` `Enter`", "take the first suggestion"],
    ["`Alt` `G`", "its guideline"],
    ["`Alt` `↓` `↑`", "end of the mark a word on or back; with Shift its start"],
    ["`←` at the start", "into the chips"],
  ]],
  ["On a chip", [
    ["`←` `→`", "choose another"],
    ["`Shift` `←` `→`", "move it: best first"],
    ["`T`", "to the other type"],
    ["`Enter`", "edit"],
    ["`Delete`", "remove"],
  ]],
  ["Everywhere", [
    ["`Ctrl` `Enter`", "submit and next"],
    ["`Ctrl` `Z`", "undo"],
    ["`Ctrl` `Shift` `Z`", "redo"],
  ]],
];

/** What the bar at the bottom says, by where one is. */
export const hints = ({ separator }) => ({
  passage: "`←` `→` word `Shift` extend `Enter` open",
  field: `\`${separator || "Enter"}\` next substitute \`Tab\` other type \`Esc\` done`,
  chip: "`Shift` `←` `→` move `T` other type `Enter` edit `Del` remove",
});

/** A letter key that acts: pressed alone, not while something is composed, and not in a field. */
export function isPlain(event) {
  return !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing && event.keyCode !== 229;
}

/** Ctrl, or Cmd on a Mac. */
export function isCommand(event) {
  return (event.ctrlKey || event.metaKey) && !event.altKey;
}

/** Where letter keys act: on the passage and on a chip, nowhere else (WCAG 2.1.4). */
export function isKeyPlace(target) {
  return Boolean(target?.closest?.("[data-passage], .input .chip"));
}
