// The side of the work page: the marks of this passage, what was asked about it, and one's own progress.

import { canonical } from "../shared/canonical.js";
import { el } from "../shared/dom.js";
import { marksOf } from "./answer.js";
import { hints } from "./keys.js";

/** Questions with their answers, as items of a list. */
export function questionRows(questions) {
  const answered = (answer) => (answer ? el("b", {}, answer) : el("span", { class: "dim" }, "not answered yet"));
  return questions.map(({ text, answer }) => el("li", {}, text, el("br"), answered(answer)));
}

const isSame = (one, other) => one?.start === other.start && one?.end === other.end;
const isWarning = (finding) => finding.severity === "warning";

export class Side {
  /** @param {function} find by data name  @param {function} open called with the span of a mark */
  constructor(find, open) {
    Object.assign(this, { find, open });
  }

  load(page) {
    this.page = page;
    this.showProgress();
    this.showQuestions();
  }

  /** The keys of where one is: in the passage, in a field, on a chip. */
  showHints(target) {
    const place = target.closest(".input .chip") ? "chip" : target.closest(".input") ? "field" : "passage";
    const parts = hints(this.page.rules)[place].split("`").map((part, index) => (index % 2 ? el("kbd", {}, part) : part));
    this.find("hints").replaceChildren(...parts);
  }

  showMarks(answer, openSpan, isLocked, findings) {
    const marks = [...marksOf(answer)].sort((a, b) => a.start - b.start || a.end - b.end);
    this.showRows(marks.map((mark) => ({ mark, isCurrent: isSame(openSpan, mark), isLocked, hints: findings.of(mark).filter(isWarning) })));
    const least = this.page.rules.warn_below_marks;
    const count = least && marks.length <= least ? `${marks.length} of at least ${least}` : String(marks.length);
    this.find("count").textContent = answer.none ? "nothing to improve" : count;
  }

  /** Only those that look otherwise than before are made anew: this is called at every key. */
  showRows(rows) {
    const list = this.find("marks");
    const looks = rows.map((row) => canonical(row.mark) + row.isCurrent + row.isLocked + row.hints.map((finding) => finding.message));
    const old = new Map([...list.children].map((node) => [node.look, node]));
    const nodes = rows.map((row, index) => old.get(looks[index]) ?? Object.assign(this.row(row), { look: looks[index] }));
    const isInPlace = (node, index) => node === list.children[index] || !node.isConnected;
    if (nodes.length !== list.children.length || !nodes.every(isInPlace)) list.replaceChildren(...nodes);
    else nodes.forEach((node, index) => node !== list.children[index] && this.exchange(list.children[index], node));
    this.follow(list, rows.find((row) => row.isCurrent)?.mark);
  }

  /** A long list shows the row of the mark that was opened. */
  follow(list, mark) {
    const isOther = mark && !isSame(this.followed, mark);
    this.followed = mark;
    if (!isOther || list.scrollHeight <= list.clientHeight) return;
    list.scrollTop += list.querySelector(".cur").getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
  }

  /** A row that has the focus keeps it. */
  exchange(old, node) {
    const hasFocus = old.contains(document.activeElement);
    old.replaceWith(node);
    if (hasFocus) node.querySelector("button").focus({ preventScroll: true });
  }

  row({ mark, isCurrent, isLocked, hints }) {
    const byType = Map.groupBy(mark.substitutes, (item) => item.type);
    const known = this.page.rules.types.filter((type) => byType.has(type.key));
    const removed = [...byType.keys()].filter((key) => !known.some((type) => type.key === key)).map((key) => ({ key, line: "none", label: key }));
    const kinds = [...known, ...removed]; // a type may have been removed from the project since
    const chips = (type) => byType.get(type.key).map((item) => el("span", { class: "chip" }, item.text));
    const groups = kinds.map((type) => el("span", { dir: "auto" }, el("i", { class: `line line-${type.line}`, title: type.label }), ...chips(type)));
    const said = [...kinds.map((type) => type.label), mark.unsure ? "unsure" : "", mark.note ? "note" : ""].filter(Boolean).join(" · ");
    const open = () => this.open({ start: mark.start, end: mark.end, quote: mark.quote });
    const button = el("button", { type: "button", class: "quote", disabled: isLocked, dir: "auto", on: { click: open } }, mark.quote);
    const notes = hints.map((finding) => el("small", { class: "note warning" }, finding.message));
    return el("li", { class: isCurrent ? "mk cur" : "mk" }, button, ...groups, said ? el("small", {}, said) : null, ...notes);
  }

  showQuestions() {
    this.find("questions").replaceChildren(...questionRows(this.page.questions));
    this.find("asked").hidden = this.page.questions.length === 0;
  }

  /** One's own progress, fetched apart: the page does not wait for it. */
  async showProgress() {
    try {
      const response = await fetch(`/api/v1/projects/${this.page.project}/progress`, { credentials: "same-origin" });
      if (!response.ok) return;
      const found = await response.json();
      Object.assign(this.find("done"), { max: found.total || 1, value: found.done });
      const said = [`${found.done.toLocaleString("en")} ${found.done === 1 ? "passage" : "passages"} done`, `${found.to_do.toLocaleString("en")} to go`];
      if (this.page.kind === "test" && !found.total) said.splice(0, 2, "Your own passages come after the test");
      if (found.pace) said.push(`about ${found.pace} a day`);
      this.find("done-text").textContent = said.join(" · ");
      this.find("quota").hidden = !found.quota;
      if (!found.quota) return;
      Object.assign(this.find("quota-bar"), { max: found.quota.wanted || 1, value: found.quota.given });
      this.find("quota-text").textContent = `${found.quota.given} ${found.quota.label.toLowerCase()} · at least ${found.quota.wanted} asked for`;
    } catch {
      // it stays as it was
    }
  }
}
