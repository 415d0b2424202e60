// Findings come from a call of their own, some time after the last change, and never stand in the way: without an
// answer there are simply none.

import { canonical } from "../shared/canonical.js";
import { marksOf } from "./answer.js";

const PAUSE = 350; // ms after the last change

export class Findings {
  /** @param {object} deps {fetch, csrf, setTimeout, clearTimeout}  @param {function} onChange called with the list */
  constructor(url, deps, onChange) {
    Object.assign(this, { url, deps, onChange, list: [], about: "", timer: null, asked: 0 });
  }

  ask(answer) {
    this.deps.clearTimeout(this.timer);
    if (canonical(answer) === this.about) {
      this.asked += 1; // whatever is under way is about an answer that is no more
      this.onChange(this.list);
      return;
    }
    this.timer = this.deps.setTimeout(() => this.fetch(answer), PAUSE);
  }

  async fetch(answer) {
    this.asked += 1;
    const turn = this.asked;
    let found = [];
    try {
      const response = await this.deps.fetch(`${this.url}/findings`, {
        method: "POST",
        credentials: "same-origin",
        headers: { "Content-Type": "application/json", "X-CSRFToken": this.deps.csrf() },
        body: JSON.stringify({ answer }),
      });
      if (!response.ok) return;
      found = (await response.json()).findings;
    } catch {
      return;
    }
    if (turn !== this.asked) return; // a newer answer has been asked about since
    this.about = canonical(answer);
    this.list = found.map((finding) => ({ ...finding, about: this.markOf(finding, answer) }));
    this.onChange(this.list);
  }

  markOf(finding, answer) {
    const found = /^marks\[(\d+)\]/u.exec(finding.path);
    return found ? marksOf(answer)[Number(found[1])] : null;
  }

  /** Those about this very mark, as it stands. */
  of(mark) {
    const wanted = mark ? canonical(mark) : "";
    return this.list.filter((finding) => finding.about && canonical(finding.about) === wanted);
  }

  /** Warnings that are known by now: about marks that stand as they stood, or about this very answer. */
  warnings(answer) {
    const marks = new Set(marksOf(answer).map(canonical));
    const isAbout = ({ about }) => (about ? marks.has(canonical(about)) : canonical(answer) === this.about);
    return this.list.filter((finding) => finding.severity === "warning" && isAbout(finding));
  }

  stop() {
    this.deps.clearTimeout(this.timer);
    this.asked += 1;
  }
}
