// The words of a passage as they are drawn: marks as lines in lanes, the open span in a frame, what is chosen coloured,
// and the gap in which the card lies. It knows nothing of pointers and keys.

import { el } from "../shared/dom.js";
import { cuts, lanes, overlap } from "./lanes.js";

export class WordsView {
  constructor(root) {
    this.root = root;
    this.slot = el("span", { class: "slot", "aria-hidden": "true" });
  }

  /** Another passage: its code points and the spans of its words. Nodes are made once; drawing fills those that changed. */
  load(points, words) {
    Object.assign(this, { points, words, nodes: [], parts: [], activeNode: null, openSpan: null, drawn: "" });
    let at = 0;
    const push = (node, start, end) => this.parts.push({ node, start, end, isChosen: false, isOpen: false, look: null });
    const gap = (to) => to > at && push(el("span", { class: "gap", role: "presentation" }), at, to);
    words.forEach((word, index) => {
      gap(word.start);
      at = word.end;
      const node = el("span", { id: `w-${index}`, class: "word", role: "option", data: { index } });
      this.nodes.push(node);
      push(node, word.start, word.end);
    });
    gap(points.length);
    this.root.replaceChildren(...this.parts.map(({ node }) => node));
  }

  quote(start, end) {
    return this.points.slice(start, end).join("");
  }

  /**
   * @param {object[]} marks {start, end, line}  @param {object|null} chosen words, or letters where `isByLetter`
   * @returns {boolean} whether words were drawn anew, and the gap for the card must be too
   */
  draw({ marks, openSpan, chosen, isByLetter, active }) {
    this.openSpan = openSpan;
    const cut = isByLetter ? chosen : null; // only letters need the words cut anew
    const state = JSON.stringify([marks, openSpan, cut]);
    const isNew = state !== this.drawn;
    if (isNew) {
      this.drawn = state;
      this.drawWords(marks, cut);
    }
    this.showChosen(isByLetter ? null : chosen);
    this.showActive(this.nodes[active]);
    return isNew;
  }

  showActive(node) {
    if (!node || node === this.activeNode) return;
    this.activeNode?.classList.remove("active");
    node.classList.add("active");
    this.activeNode = node;
    this.root.setAttribute("aria-activedescendant", node.id);
  }

  /** Whole words are only coloured: a long passage is not drawn anew for each step. */
  showChosen(span) {
    const isInside = (part) => span !== null && span.start <= part.start && part.end <= span.end;
    for (const part of this.parts) {
      const isChosen = isInside(part);
      if (isChosen === part.isChosen) continue;
      part.isChosen = isChosen;
      part.node.classList.toggle("chosen", isChosen);
      this.tellSelected(part);
    }
  }

  /** For ears: words, not what stands between them. */
  tellSelected({ node, isChosen, isOpen }) {
    if (node.id) node.setAttribute("aria-selected", String(isChosen || isOpen));
  }

  drawWords(marks, chosen) {
    const lane = lanes(marks);
    for (const part of this.parts) {
      const isNear = (span) => span && overlap(span, part);
      const own = { marks: marks.filter(isNear), open: isNear(this.openSpan) ? this.openSpan : null, chosen: isNear(chosen) ? chosen : null };
      const isPlain = !own.marks.length && !own.open && !own.chosen;
      const look = isPlain ? "" : JSON.stringify([own, own.marks.map((mark) => lane.get(mark))]);
      if (look === part.look) continue;
      part.look = look;
      this.drawPart(part, own, lane);
    }
  }

  /** A word, or what stands between two. */
  drawPart(part, { marks, open, chosen }, lane) {
    const { node, start, end } = part;
    const spans = [...marks, open, chosen].filter(Boolean);
    node.replaceChildren(...cuts(start, end, spans).map((cut) => this.piece(cut.start, cut.end, marks, lane, chosen)));
    part.isOpen = Boolean(open || chosen);
    this.tellSelected(part);
    if (marks.length && node.id) node.setAttribute("aria-label", `${this.quote(start, end)}, marked`);
    else node.removeAttribute("aria-label");
  }

  /** Text between two borders, wrapped once for each mark it lies in, and in the frame of the open one. */
  piece(start, end, marks, lane, chosen) {
    let node = document.createTextNode(this.quote(start, end));
    const inside = (span) => span && span.start <= start && end <= span.end;
    // The first lane innermost: the ground of an outer one must not cover an inner one's line.
    const around = marks.filter(inside).sort((a, b) => lane.get(a) - lane.get(b));
    for (const mark of around) node = el("span", { class: `m lane-${Math.min(3, lane.get(mark))} line-${mark.line}` }, node);
    if (inside(chosen)) node = el("span", { class: "chosen" }, node);
    if (inside(this.openSpan)) {
      const edges = [this.openSpan.start === start ? "first" : "", this.openSpan.end === end ? "last" : ""];
      node = el("span", { class: ["open", ...edges].filter(Boolean).join(" ") }, node);
    }
    return node;
  }

  // --- the gap for the card ------------------------------------------------------------------------------------------

  /** Opens a gap under the last line of the span and lays the card over it. */
  place(card) {
    const last = this.words.findLastIndex((word) => word.start < this.openSpan.end);
    const node = this.nodes[Math.max(0, last)] ?? this.parts.at(-1)?.node; // there may be nothing but signs
    if (!node) return;
    this.makeGap(node);
    const height = `${card.offsetHeight + 18}px`;
    if (this.slot.style.height !== height) this.slot.style.height = height;
    card.style.top = `${this.slot.offsetTop + this.root.offsetTop}px`;
    const box = node.getClientRects()[0];
    const home = card.offsetParent.getBoundingClientRect();
    const middle = (box.left + box.right) / 2 - home.left;
    card.style.setProperty("--caret", `${Math.max(18, Math.min(card.offsetWidth - 30, middle - 6))}px`);
  }

  /** At the end of the word's line; where it is already there, nothing moves: lines depend on the width alone. */
  makeGap(node) {
    const under = `${node.id} ${this.root.clientWidth}`;
    if (this.slot.isConnected && this.slot.dataset.under === under) return;
    this.slot.remove();
    this.slot.dataset.under = under;
    const rects = node.getClientRects();
    const line = rects[rects.length - 1]?.top ?? 0;
    let end = node;
    while (end.nextElementSibling && (end.nextElementSibling.getClientRects()[0]?.top ?? 0) <= line + 2) end = end.nextElementSibling;
    end.after(this.slot);
  }

  closeGap() {
    this.slot.remove();
  }

  // --- where things are ----------------------------------------------------------------------------------------------

  indexAt(event) {
    const node = document.elementFromPoint(event.clientX, event.clientY)?.closest(".word");
    return node && this.root.contains(node) ? Number(node.dataset.index) : null;
  }

  scrollTo(index) {
    this.nodes[index]?.scrollIntoView({ block: "nearest" });
  }

  /** The word of the next or previous line that stands nearest to this one; null where there is no such line. */
  inNextLine(from, step) {
    if (!this.nodes[from]) return null;
    const boxes = this.nodes.map((node) => node.getBoundingClientRect());
    const top = (box) => Math.round(box.top);
    const middle = (box) => (box.left + box.right) / 2;
    const lines = [...new Set(boxes.map(top))].sort((a, b) => a - b);
    const line = lines[lines.indexOf(top(boxes[from])) + step];
    if (line === undefined) return null;
    const candidates = boxes.flatMap((box, index) => (top(box) === line ? [index] : []));
    const distance = (index) => Math.abs(middle(boxes[index]) - middle(boxes[from]));
    return candidates.reduce((best, index) => (distance(index) < distance(best) ? index : best));
  }
}
