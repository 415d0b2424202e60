// What each command of the desk does: a key, a button and a click come to the same.

const BY = { previous: ["step", -1], following: ["step", 1], first: ["step", -1000], last: ["step", 1000], "chip before": ["stepChip", -1], "chip after": ["stepChip", 1] };
const ALWAYS = ["keys", "guidelines", "history", "discussion", ...Object.keys(BY)]; // while two decisions are to be chosen from, too

/** @param {string} name  @param {string} state of saving */
export function isAllowed(name, state) {
  return state !== "conflict" || ALWAYS.includes(name);
}

/** @param {object} desk  @returns {Object<string, function>} by name, each taking the chosen target */
export function commandsOf(desk) {
  const { deciding, going, panels, targets } = desk;
  const of = (act) => (target) => target && act(target);
  const named = (names, act) => Object.fromEntries(names.map((name, index) => [name, act(name, index)]));
  return {
    ...named(Object.keys(BY), (name) => () => targets[BY[name][0]](BY[name][1])),
    ...named(["cause 0", "cause 1", "cause 2", "cause 3", "cause 4"], (_, index) => of((target) => deciding.cause(target, index))),
    ...named(["keep", "drop", "type", "remove"], (name) => of((target) => deciding.act(name, target))),
    confirm: (target) => deciding.confirm(target),
    unite: () => deciding.unite("both"),
    tick: () => targets.tick(),
    join: (target) => deciding.join(target),
    add: of((target) => deciding.add(target)),
    edit: of((target) => deciding.edit(target)),
    span: of((target) => deciding.span(target)),
    new: (target) => deciding.make(target),
    move: of((target) => desk.moving.begin(target)),
    reason: of((target) => deciding.reason(target)),
    same: of((target) => panels.same(target)),
    lanes: () => desk.lanes.toggle(),
    discard: () => deciding.discard(),
    discussion: (target) => panels.discussion(target),
    history: () => panels.history(),
    guidelines: () => panels.guidelines(),
    keys: () => panels.open("keys"),
    back: () => going.go(desk.page.before, "There is none before this one."),
    on: () => going.go(desk.page.next, "This is the last one."),
    search: () => window.location.assign(`${going.queueAddress}#search`),
    undo: () => desk.offer.undo(),
    redo: () => deciding.step("redo") || desk.say("Nothing to do again."),
    settle: () => going.settle(),
  };
}
