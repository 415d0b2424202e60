// The dialogs beside the work: keys, guidelines, a question to the lead.

import { hasLetters, post, setLetters } from "../shared/browser.js";
import { el } from "../shared/dom.js";
import { keyTable } from "./keys.js";
import { questionRows } from "./side.js";

export class Panels {
  /** @param {object} on {closed(), notice(text), asked()}  @param {Drafts} drafts */
  constructor(on, drafts) {
    Object.assign(this, { on, drafts });
    document.getElementById("question").addEventListener("input", (event) => this.drafts.write("question", this.page.uuid, event.target.value));
    document.getElementById("question").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) event.target.form.requestSubmit();
    });
    for (const dialog of document.querySelectorAll("dialog.side")) {
      dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
      dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
      dialog.addEventListener("close", () => this.on.closed());
    }
    document.querySelector("#ask form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
  }

  load(page) {
    this.page = page;
    this.drawKeys();
    document.getElementById("question").value = this.drafts.read("question", page.uuid); // half written about this passage
    this.showNews();
  }

  showNews() {
    const { read, version } = this.page.guidelines;
    document.querySelectorAll("[data-guidelines-news]").forEach((node) => {
      node.textContent = read < version ? (read ? "changed" : "new") : "";
    });
  }

  drawKeys() {
    const term = (keys) => el("dt", {}, ...keys.split("`").map((part, index) => (index % 2 ? el("kbd", {}, part) : part)));
    const groups = keyTable(this.page.rules).map(([title, rows]) =>
      el("section", {}, el("h3", {}, title), el("dl", {}, ...rows.flatMap(([keys, what]) => [term(keys), el("dd", {}, what)]))));
    const toggle = el("input", { type: "checkbox", checked: hasLetters(), on: { change: (event) => setLetters(event.target.checked) } });
    document.querySelector("#keys [data-content]").replaceChildren(
      el("label", { class: "check" }, toggle, " Single letters and digits are keys"),
      el("div", { class: "keys" }, ...groups),
    );
  }

  showKeys() {
    document.getElementById("keys").showModal();
  }

  async showGuidelines() {
    const dialog = document.getElementById("guidelines");
    const content = dialog.querySelector("[data-content]");
    dialog.showModal();
    try {
      const response = await fetch(`/p/${this.page.project}/guidelines`, { credentials: "same-origin", headers: { "X-Assay-Panel": "1" } });
      if (!response.ok) throw new Error(String(response.status));
      // Our own server has escaped every word of it; nothing a person typed is markup here.
      content.replaceChildren(...new DOMParser().parseFromString(await response.text(), "text/html").body.childNodes);
      this.page.guidelines.version = Number(content.querySelector("[data-version]").dataset.version); // newer than the page, maybe
    } catch {
      content.textContent = "The guidelines cannot be loaded just now.";
      return;
    }
    const { version } = this.page.guidelines;
    await this.tell(version);
    this.page.guidelines.read = version;
    this.showNews();
  }

  tell(version) {
    return post(`/api/v1/projects/${this.page.project}/guidelines-read`, { version }).catch(() => {});
  }

  showQuestion() {
    const dialog = document.getElementById("ask");
    dialog.querySelector("[data-error]").textContent = "";
    this.drawQuestions();
    dialog.showModal();
    dialog.querySelector("textarea").focus();
  }

  drawQuestions() {
    document.querySelector("#ask [data-asked]").replaceChildren(...questionRows(this.page.questions));
  }

  async send() {
    const dialog = document.getElementById("ask");
    const field = dialog.querySelector("textarea");
    const error = dialog.querySelector("[data-error]");
    try {
      const response = await post(`/api/v1/assignments/${this.page.uuid}/questions`, { text: field.value });
      const body = await response.json();
      if (!response.ok) {
        const isOut = response.status === 401;
        error.textContent = isOut ? "You are signed out. Your question is kept: sign in, then ask again." : body.detail ?? "That did not work.";
        return;
      }
      this.page.questions.push({ text: body.text, answer: "" });
    } catch {
      error.textContent = "The server does not answer. Your question is still here: try again.";
      return;
    }
    field.value = "";
    this.drafts.write("question", this.page.uuid, "");
    dialog.close();
    this.on.notice("Asked. The answer shows here and under My work.", { isGood: true });
    this.on.asked();
  }
}
