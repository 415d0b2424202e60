// The side of the work page: the marks of this passage, what was asked about it, and one's own progress.

import { marksOf } from "./answer.js";
import { el } from "./dom.js";

/** Questions with their answers, as items of a list. */
export function questionRows(questions) {
  const answered = (answer) => (answer ? el("b", {}, answer) : el("span", { class: "dim" }, "not answered yet"));
  return questions.map(({ text, answer }) => el("li", {}, text, el("br"), answered(answer)));
}

export class Side {
  /** @param {function} find by data name  @param {function} open called with the span of a mark */
  constructor(find, open) {
    Object.assign(this, { find, open });
  }

  load(page) {
    this.page = page;
    this.labels = new Map(page.types.map((type) => [type.key, type.label]));
    this.showProgress();
    this.showQuestions();
  }

  showMarks(answer, openSpan, isLocked, findings) {
    const marks = [...marksOf(answer)].sort((a, b) => a.start - b.start || a.end - b.end);
    this.find("marks").replaceChildren(...marks.map((mark) => this.row(mark, openSpan, isLocked, findings.of(mark))));
    const least = this.page.warn_below_marks;
    const count = least ? `${marks.length} of at least ${least}` : String(marks.length);
    this.find("count").textContent = answer.none ? "nothing to improve" : count;
  }

  row(mark, openSpan, isLocked, findings) {
    const isCurrent = openSpan && openSpan.start === mark.start && openSpan.end === mark.end;
    const chips = mark.substitutes.map((item) => el("span", { class: "chip" }, item.text));
    const types = [...new Set(mark.substitutes.map((item) => this.labels.get(item.type)))].join(" · ");
    const said = [types, mark.unsure ? "unsure" : "", mark.note ? "note" : ""].filter(Boolean).join(" · ");
    const open = () => this.open({ start: mark.start, end: mark.end, quote: mark.quote });
    const button = el("button", { type: "button", class: "quote", disabled: isLocked, dir: "auto", on: { click: open } }, mark.quote);
    const warnings = findings.filter((finding) => finding.severity === "warning");
    const hints = warnings.map((finding) => el("small", { class: "note warning" }, finding.message));
    return el("li", { class: isCurrent ? "mk cur" : "mk" }, button, el("span", {}, ...chips), el("small", {}, said), ...hints);
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
      this.find("done-text").textContent = `${found.done.toLocaleString("en")} passages done · ${found.to_do.toLocaleString("en")} to go`;
      this.find("quota").hidden = !found.quota;
      if (!found.quota) return;
      Object.assign(this.find("quota-bar"), { max: found.quota.wanted || 1, value: found.quota.given });
      this.find("quota-text").textContent = `${found.quota.given} ${found.quota.label.toLowerCase()} · at least ${found.quota.wanted} asked for`;
    } catch {
      // it stays as it was
    }
  }
}
