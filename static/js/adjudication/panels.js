// The dialogs beside the desk: keys, guidelines, the same word elsewhere, history, discussion.

import { deps, hasLetters, setLetters } from "../shared/browser.js";
import { cookie, el, localStore } from "../shared/dom.js";
import { Drafts } from "../shared/drafts.js";
import { when } from "../shared/when.js";
import { spoken } from "./content.js";
import { fateOf } from "./target-lines.js";
import { UntilAnswered, toldOf, undoneLine } from "./until-answered.js";

export const KEYS = [
  ["Targets", [["`↑` `↓`", "target"], ["`←` `→`", "chip"], ["`K`", "keep"], ["`X`", "drop or restore"], ["`T`", "next type"], ["`S`", "span: arrows, Shift, Enter"], ["`N`", "new target"], ["`M`", "move onto another target"], ["`Y`", "still right; or agree to what is proposed"]]],
  ["Suggestions", [["`A`", "add"], ["`E`", "edit"], ["`Del`", "remove or bring back"], ["`Space`", "tick"], ["`J`", "join what is ticked, or nearly the same"]]],
  ["Why", [["`R`", "reason"], ["`1`–`5`", "cause: guideline gap, ambiguous, slip, taste, other"], ["`W`", "same word elsewhere"], ["`H`", "history"], ["`C`", "discussion"], ["`G`", "guidelines"]]],
  ["Passage", [["`Ctrl` `Enter`", "settle and next"], ["`D`", "discard the passage, or keep it against discards"], ["`[` `]`", "passage back, on"], ["`U`", "take what both say, of a passage settled twice"], ["`L`", "lanes"], ["`/`", "search the queue"], ["`Ctrl` `Z`", "undo"], ["`Ctrl` `Shift` `Z`", "redo"], ["`?`", "keys"]]],
];

export class Panels {
  /** @param {object} person {user, is: the pseudonym}  @param {object} on {closed(), notice(text), commented(), elsewhere(): other passages may have changed, answered(): they have, signIn()} */
  constructor(person, on) {
    Object.assign(this, { person, on, drafts: new Drafts(localStore(), person.user) });
    for (const dialog of document.querySelectorAll("dialog.side")) {
      dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
      dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
      dialog.addEventListener("close", () => this.on.closed());
    }
    document.querySelector("[data-comment-form]").addEventListener("submit", (event) => {
      event.preventDefault();
      this.comment();
    });
    document.getElementById("comment").addEventListener("input", ({ target }) => this.drafts.write("comment", this.page.standing.uuid, target.value));
    document.getElementById("comment").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) event.target.form.requestSubmit();
    });
    this.drawKeys();
  }

  load(page) {
    this.page = page;
    this.url = `/api/v1/projects/${page.project}`;
    // What was half typed here before; not what belongs to the passage before this one.
    Object.assign(document.getElementById("comment"), { maxLength: page.lengths.comment, value: this.drafts.read("comment", page.standing.uuid) });
  }

  open(name) {
    const dialog = document.getElementById(name);
    if (!dialog.open) dialog.showModal();
    return dialog.querySelector("[data-content]");
  }

  drawKeys() {
    const term = (keys) => el("dt", {}, ...keys.split("`").map((part, index) => (index % 2 ? el("kbd", {}, part) : part)));
    const toggle = el("input", { type: "checkbox", checked: hasLetters(), on: { change: (event) => setLetters(event.target.checked) } });
    document.querySelector("#keys [data-content]").replaceChildren(
      el("label", { class: "check" }, toggle, " Single letters and digits are keys"),
      el("div", { class: "keys" }, ...KEYS.map(([title, rows]) => el("section", {}, el("h3", {}, title), el("dl", {}, ...rows.flatMap(([keys, what]) => [term(keys), el("dd", {}, what)]))))),
    );
  }

  async guidelines() {
    const content = this.open("guidelines");
    try {
      const response = await fetch(`/p/${this.page.project}/guidelines`, { credentials: "same-origin", headers: { "X-Assay-Panel": "1" } });
      if (!response.ok) throw new Error(String(response.status));
      // Our own server has escaped every word of it; nothing a person typed is markup here.
      content.replaceChildren(...new DOMParser().parseFromString(await response.text(), "text/html").body.childNodes);
    } catch {
      content.textContent = "The guidelines cannot be loaded just now.";
    }
  }

  async history() {
    const content = this.open("history");
    content.textContent = "Loading …";
    try {
      const response = await fetch(`${this.url}/passages/${this.page.standing.uuid}`, { credentials: "same-origin" });
      if (!response.ok) throw new Error(String(response.status));
      this.drawHistory(content, (await response.json()).history);
    } catch {
      content.textContent = "The history cannot be loaded just now.";
    }
  }

  drawHistory(content, history) {
    const { text, types } = this.page;
    const about = (step) => (step.start === null ? "The passage" : `“${Array.from(text).slice(step.start, step.end).join("")}”`);
    const said = (step) => (step.start === null ? step.content.verdict ?? "open again" : spoken(step.content, types));
    const causes = new Map(this.page.causes.map((cause) => [cause.key, cause.label]));
    const rows = history.map((step) => el("li", {},
      el("b", {}, about(step)), `: ${step.is_undo ? "taken back; now " : step.is_redo ? "done again: " : ""}${step.is_proposal ? "proposed: " : ""}${said(step)}`,
      step.is_of_two ? el("span", { class: "badge" }, "one of two") : null,
      step.cause ? el("span", { class: "badge" }, causes.get(step.cause) ?? step.cause) : null,
      step.reason ? el("blockquote", {}, step.reason) : null,
      el("small", {}, ` ${step.by}, ${when(step.at, this.page.time_zone)}`)));
    content.replaceChildren(rows.length ? el("ul", { class: "plain" }, ...rows) : el("p", { class: "empty" }, "Nothing was decided here yet."));
  }

  // --- the same word ------------------------------------------------------------------------------------------------

  async same(target) {
    const content = this.open("same");
    if (this.isAsking) return content; // what is under way stands there
    content.textContent = "Loading …";
    try {
      const response = await fetch(`${this.url}/passages/${this.page.standing.uuid}/same?start=${target.start}&end=${target.end}`, { credentials: "same-origin" });
      const body = await response.json();
      if (!response.ok) throw new Error(body.detail);
      this.drawSame(content, target, body);
      if (this.undoable) this.offerUndo(content, target);
    } catch (error) {
      content.textContent = `This cannot be loaded just now. ${error.message ?? ""}`;
    }
    return content;
  }

  drawSame(content, target, { results, more }) {
    if (!results.length) {
      content.replaceChildren(el("p", { class: "empty" }, `Nobody marked “${target.quote}” in another passage that you may see.`));
      return;
    }
    const labels = new Map(this.page.types.map((type) => [type.key, type.label]));
    // What was moved, or is in no gold, is shown and not decided from here.
    const isOut = (row) => row.is_moved || row.is_in_discarded;
    const boxes = results.map((row) => el("input", { type: "checkbox", disabled: isOut(row), data: isOut(row) ? { out: "" } : {} }));
    const open = boxes.filter((box) => !box.disabled);
    const rows = results.map((row, index) => el("li", {}, el("label", { class: "check" }, boxes[index],
      el("span", {}, el("span", { dir: "auto" }, row.before, el("b", {}, row.quote), row.after), el("br"),
        el("small", {}, `${row.annotators} of ${row.of} · ${row.suggestions.slice(0, 4).join("; ")} · ${labels.get(row.type) ?? row.type} · ${fateOf(row)} · ${row.id}`)))));
    const error = el("p", { class: "error", role: "alert" });
    const apply = (decided) => this.apply(results.filter((_, index) => boxes[index].checked), decided, error, target);
    const button = (label, decided) => el("button", { type: "button", class: "btn small", on: { click: () => apply(decided) } }, label);
    const all = el("input", { type: "checkbox", on: { change: (event) => open.forEach((box) => { box.checked = event.target.checked; }) } });
    content.replaceChildren(
      el("label", { class: "check" }, all, ` All ${open.length}`), el("ul", { class: "plain" }, ...rows),
      more ? el("p", { class: "dim" }, `And ${more} more.`) : "",
      error,
      el("p", { class: "row" }, button("Keep these", { verdict: "keep" }), button("Drop these", { verdict: "drop" }),
        ...this.page.types.filter((type) => !type.is_retired).map((type) => button(type.label, { verdict: null, type: type.key }))),
    );
  }

  apply(rows, content, said, target) {
    said.textContent = "";
    if (!rows.length) {
      said.textContent = "Tick the ones you mean.";
      return;
    }
    const targets = rows.map(({ passage, start, end, version }) => ({ passage, start, end, version }));
    this.ask("same", { content, targets }, said, (reply) => {
      this.undoable = { ...reply, quote: target.quote };
      this.on.notice(`${reply.targets} decided alike.`);
      this.again(target);
    });
  }

  /** One act on many passages is taken back as one, from here. */
  offerUndo(content, target) {
    const { targets, act, quote } = this.undoable;
    const said = el("span", { role: "alert" });
    const undo = () => this.ask("undo", { undoes: act }, said, (reply) => {
      this.undoable = null;
      this.on.notice(undoneLine(reply));
      this.again(target, undoneLine(reply));
    });
    content.prepend(el("p", { class: "message row" }, `“${quote}”: ${targets} decided alike. `, el("button", { type: "button", class: "btn small", on: { click: undo } }, "Undo it"), said));
  }

  /** As it stands by now, where the panel is still open. */
  async again(target, told = "") {
    if (!document.getElementById("same").open) return;
    const content = await this.same(target);
    if (told) content.prepend(el("p", { class: "message" }, told));
  }

  /** Sent until it is answered; meanwhile nothing else is asked for here. `said`: where it stands how that goes. */
  ask(door, body, said, answered) {
    const retry = el("button", { type: "button", class: "btn small", on: { click: () => this.asked.send() } }, "Try now");
    this.asked = new UntilAnswered(`${this.url}/decisions/${door}`, { by: this.person.is, ...body }, deps(), (asked) => {
      this.on.elsewhere(); // it may have been carried out, whatever came of it
      this.lock(!asked.isOver);
      if (asked.state === "answered") {
        this.on.answered();
        answered(asked.reply);
        return;
      }
      said.replaceChildren(toldOf(asked), " ", asked.isOver ? "" : retry);
      this.on.notice(toldOf(asked));
      if (asked.state === "signed-out") this.on.signIn();
    });
    this.lock(true);
    said.textContent = toldOf(this.asked);
    this.asked.send();
  }

  lock(isAsking) {
    for (const node of document.querySelectorAll("#same [data-content] :is(.row > button, input:not([data-out]))")) node.disabled = isAsking;
  }

  /** Something was asked for, and it is not known whether it was carried out. */
  get isAsking() {
    return Boolean(this.asked && !this.asked.isOver);
  }

  signedIn() {
    this.asked?.send();
  }

  // --- discussion ---------------------------------------------------------------------------------------------------

  discussion(target) {
    this.about = target;
    this.drawComments();
    const box = document.querySelector("[data-about-target]");
    box.disabled = !target;
    box.checked = false;
    document.querySelector("[data-about-label]").textContent = target ? `about “${target.quote}”` : "about this target";
    this.open("discussion");
    document.getElementById("comment").focus();
  }

  drawComments() {
    const { text, comments } = this.page;
    const quote = (row) => (row.start === null ? "" : `“${Array.from(text).slice(row.start, row.end).join("")}” `);
    const rows = comments.map((row) => el("li", { class: row.resolved_at ? "resolved" : "" },
      el("p", {}, el("b", {}, quote(row)), row.text),
      el("small", {}, `${row.by}, ${when(row.at, this.page.time_zone)}${row.resolved_at ? ` · resolved by ${row.resolved_by}` : ""} `),
      el("button", { type: "button", class: "btn small quiet", on: { click: () => this.resolve(row) } }, row.resolved_at ? "Take up again" : "Resolve")));
    document.querySelector("#discussion [data-content]").replaceChildren(...(rows.length ? rows : [el("li", { class: "dim" }, "Nobody has said anything yet.")]));
    this.on.commented();
  }

  async comment() {
    const field = document.getElementById("comment");
    const error = document.querySelector("#discussion [data-error]");
    const isAbout = document.querySelector("[data-about-target]").checked && this.about;
    const span = isAbout ? [this.about.start, this.about.end] : null;
    await this.tell(`${this.url}/passages/${this.page.standing.uuid}/comments`, { text: field.value, ...(span ? { span } : {}) }, {}, error, (row) => {
      this.page.comments.push(row);
      field.value = "";
      this.drafts.write("comment", this.page.standing.uuid, "");
    });
  }

  async resolve(row) {
    const error = document.querySelector("#discussion [data-error]");
    await this.tell(`${this.url}/comments/${row.uuid}/resolve`, { is_resolved: !row.resolved_at }, { "If-Match": `"${row.version}"` }, error, (found) => Object.assign(row, found));
  }

  async tell(url, body, headers, error, done) {
    error.textContent = "";
    try {
      const response = await fetch(url, { method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json", "X-CSRFToken": cookie("assay_csrf"), ...headers }, body: JSON.stringify(body) });
      const found = await response.json();
      if (!response.ok) {
        error.textContent = response.status === 401 ? "You are signed out. Your text is still here: sign in, then try again." : found.detail ?? "That did not work.";
        return;
      }
      done(found);
      this.drawComments();
    } catch {
      error.textContent = "The server does not answer. Your text is still here: try again.";
    }
  }
}
