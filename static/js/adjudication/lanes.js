// Everybody's marks in lanes under the text: a grid for each line of it, so that nothing runs out of sight.

import { el } from "../shared/dom.js";
import { labelsOf, voiceLine } from "./target-lines.js";

const MOST_LABEL = 130; // pixels of a label in a lane
const GAP = 7; // between words
const NAMES = 94; // before the first word, with the panel's own edge
const NARROW = 600; // below it lanes are shown when they are asked for

/** Words and what lies between them, as stretches [start, end) in code points. */
export function stretches(text, lang) {
  const letters = Array.from(text);
  const found = [];
  let at = 0;
  for (const { segment } of new Intl.Segmenter(lang || undefined, { granularity: "word" }).segment(text)) {
    const length = Array.from(segment).length;
    found.push({ start: at, end: at + length, text: letters.slice(at, at + length).join("") });
    at += length;
  }
  return found;
}

/** Columns: a word with the punctuation that hangs on it; a mark begins a column of its own. */
export function columns(text, lang, marks) {
  const starts = new Set(marks.map(({ start }) => start));
  const ends = new Set(marks.map(({ end }) => end));
  const found = [];
  for (const piece of stretches(text, lang)) {
    const last = found.at(-1);
    const isSign = !/[\p{L}\p{N}]/u.test(piece.text);
    const hangs = last && !/\s$/u.test(last.text) && !starts.has(piece.start) && (isSign || !ends.has(piece.start));
    if (hangs || (last && /^\s+$/u.test(piece.text))) {
      last.text += piece.text;
      last.end = piece.end;
    } else found.push({ ...piece });
  }
  return found;
}

const label = (mark) => mark.substitutes.map((item) => item.text).join("; ");

/**
 * Which columns stand on which line, for a width in pixels.
 * @param {object} measure {text(words), label(words)}: how wide they are
 */
export function lines(cols, lanes, width, measure) {
  const widths = cols.map((column) => measure.text(column.text));
  for (const mark of lanes.flatMap((lane) => lane.marks)) {
    const own = cols.map((column, index) => (column.start < mark.end && column.end > mark.start ? index : -1)).filter((index) => index >= 0);
    const needed = Math.min(MOST_LABEL, measure.label(label(mark)) + 24) / (own.length || 1);
    own.forEach((index) => {
      widths[index] = Math.max(widths[index], needed);
    });
  }
  const found = [[]];
  let used = NAMES;
  cols.forEach((column, index) => {
    if (used + widths[index] + GAP > width && found.at(-1).length) {
      found.push([]);
      used = NAMES;
    }
    found.at(-1).push(column);
    used += widths[index] + GAP;
  });
  return found;
}

export class LanesView {
  /** @param {HTMLElement} node  @param {object} on {chose(span), word(column, event), voice(text): what one person said of a span, or "", left()} */
  constructor(node, on) {
    Object.assign(this, { node, on, isOpen: window.innerWidth >= NARROW, lit: null, picked: null });
    this.canvas = document.createElement("canvas").getContext("2d");
    new ResizeObserver(() => this.page && this.isStale && this.draw()).observe(node);
  }

  get isStale() {
    return Math.abs(this.node.clientWidth - (this.drawnAt ?? 0)) > 24;
  }

  load(page) {
    this.page = page;
    this.types = new Map(page.types.map((type, index) => [type.key, index]));
    this.labels = labelsOf(page.types);
    this.draw();
  }

  toggle() {
    this.isOpen = !this.isOpen;
    this.draw();
  }

  measure() {
    const wide = (font) => (words) => {
      this.canvas.font = font;
      return this.canvas.measureText(words).width;
    };
    const { fontFamily } = getComputedStyle(this.node);
    return { text: wide(`20px ${getComputedStyle(this.node).getPropertyValue("--text")}`), label: wide(`12.5px ${fontFamily}`) };
  }

  /** @param {object|null} target whose marks are lit  @param {number[]|null} picked the span that is being chosen */
  light(target, picked = null) {
    this.lit = target;
    this.picked = picked;
    for (const node of this.node.querySelectorAll("[data-start]")) {
      const [start, end] = [Number(node.dataset.start), Number(node.dataset.end)];
      const isWord = node.classList.contains("w");
      const inside = (span) => span && start < span[1] && end > span[0];
      node.classList.toggle("lit", Boolean(isWord ? inside(target && [target.start, target.end]) : target && start === target.start && end === target.end));
      node.classList.toggle("picked", Boolean(isWord && inside(picked)));
    }
    this.node.querySelector(picked ? ".w.picked" : ".w.lit")?.scrollIntoView({ block: "nearest" });
  }

  draw() {
    const { text, lang, dir, lanes } = this.page;
    this.drawnAt = this.node.clientWidth;
    const marks = [...lanes.flatMap((lane) => lane.marks), ...this.page.standing.targets];
    this.cols = columns(text, lang, marks);
    const shown = this.isOpen ? lanes : [];
    const grids = !this.isOpen ? [this.plain()] : lines(this.cols, shown, Math.max(260, this.node.clientWidth), this.measure()).map((cols) => this.grid(cols, shown));
    const silent = lanes.filter((lane) => !lane.marks.length).map((lane) => lane.name);
    const hidden = this.isOpen ? "" : `${lanes.length} people's marks are hidden: Lanes shows them.`;
    const { context_before: before, context_after: after } = this.page;
    const context = (words) => (words ? [el("p", { class: "context dim", dir: "auto" }, words)] : []);
    const said = [silent.length ? `Nothing to improve: ${silent.join(", ")}.` : "", hidden].filter(Boolean).join(" ");
    this.node.replaceChildren(...context(before), ...grids.map((grid) => {
      grid.dir = dir;
      grid.lang = lang;
      return grid;
    }), ...context(after), el("p", { class: "dim" }, said), this.isOpen && this.types.size > 1 ? this.legend() : "");
    if (this.marks.length) this.marks[0].tabIndex = 0;
    this.light(this.lit, this.picked);
  }

  /** Which line is which type. */
  legend() {
    const sample = (kind, words) => [el("i", { class: `line-${kind}` }), ` ${words}  `];
    const types = this.page.types.filter((type) => !type.is_retired);
    return el("p", { class: "dim legend" }, ...types.flatMap((type) => sample(this.types.get(type.key) ?? 0, type.label)), ...sample("mixed", "both alike"));
  }

  word(column) {
    return el("span", { class: "w", data: { start: column.start, end: column.end }, on: { click: (event) => this.on.word(column, event) } }, column.text);
  }

  /** The text alone. */
  plain() {
    return el("div", { class: "lanes plain" }, ...this.cols.map((column) => this.word(column)));
  }

  grid(cols, lanes) {
    const [first, last] = [cols[0].start, cols.at(-1).end];
    const place = (offset, isEnd) => {
      const index = cols.findIndex((column) => (isEnd ? column.end >= offset : column.end > offset));
      return (index < 0 ? cols.length - 1 : index) + 2 + (isEnd ? 1 : 0);
    };
    const grid = el("div", { class: "lanes" });
    grid.style.gridTemplateColumns = `52px repeat(${cols.length}, max-content)`;
    cols.forEach((column, index) => {
      const word = this.word(column);
      word.style.gridColumn = index + 2;
      word.style.gridRow = 1;
      grid.append(word);
    });
    let row = 2;
    for (const lane of lanes) {
      const own = lane.marks.filter((mark) => mark.start < last && mark.end > first);
      if (!own.length) continue;
      let deepest = row;
      const ends = [];
      for (const mark of own) {
        let level = ends.findIndex((end) => end <= mark.start);
        if (level < 0) level = ends.length;
        ends[level] = mark.end;
        const node = this.mark(mark, lane);
        node.style.gridColumn = `${place(Math.max(mark.start, first), false)} / ${place(Math.min(mark.end, last), true)}`;
        node.style.gridRow = row + level;
        deepest = Math.max(deepest, row + level);
        grid.append(node);
      }
      const name = el("span", { class: "nm" }, lane.name);
      name.style.gridRow = row;
      grid.append(name);
      row = deepest + 1;
    }
    return grid;
  }

  /** By the arrows one goes from mark to mark, along a lane and between them; one of them is a stop of the Tab key. */
  mark(mark, lane) {
    const type = mark.type === "" ? "mixed" : this.types.get(mark.type) ?? 0;
    const said = voiceLine(lane, mark, this.labels);
    const more = `${mark.unsure ? " ?" : ""}${mark.note ? " ✎" : ""}`;
    const on = {
      mousedown: (event) => event.preventDefault(), // by mouse and finger the list keeps the focus
      click: () => this.pointedAt(mark, lane),
      focus: ({ target }) => this.lightOne(target, mark, lane),
      blur: () => this.on.voice(""),
    };
    return el("span", { class: `lm line-${type}`, role: "button", tabIndex: -1, title: said, "aria-label": said, dir: "auto", data: { start: mark.start, end: mark.end, lane: lane.name }, on }, (label(mark) || "–") + more);
  }

  pointedAt(mark, lane) {
    this.on.chose([mark.start, mark.end]);
    this.on.voice(voiceLine(lane, mark, this.labels));
  }

  lightOne(node, mark, lane) {
    for (const other of this.marks) other.tabIndex = other === node ? 0 : -1;
    this.light({ start: mark.start, end: mark.end });
    this.on.voice(voiceLine(lane, mark, this.labels));
  }

  get marks() {
    return [...this.node.querySelectorAll(".lm")];
  }

  /** @returns {boolean} whether the key meant something, with a mark in focus */
  keyed({ key, target }) {
    const { marks } = this;
    const index = marks.indexOf(target);
    if (index < 0) return false;
    const lanes = [...new Set(marks.map((node) => node.dataset.lane))];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
    const down = { ArrowDown: 1, ArrowUp: -1 }[key] ?? 0;
    if (key === "Escape") this.on.left();
    else if (key === "Enter" || key === " ") target.click();
    else if (step) marks[index + step * (getComputedStyle(this.node.querySelector(".lanes")).direction === "rtl" ? -1 : 1)]?.focus();
    else if (down) marks.find((node) => node.dataset.lane === lanes[lanes.indexOf(target.dataset.lane) + down])?.focus();
    else return false;
    return true;
  }
}
