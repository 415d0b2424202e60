// The true workbench on a passage that is nobody's work: a lead looks at what annotators see, makes a key, or tries the
// test. Nothing is saved. Sent is only what is looked at for findings, and what the form beside it hands over.

import { deps } from "../shared/browser.js";
import { Saver } from "../workbench/saver.js";
import { AssayWork } from "../workbench/work.js";

/** Keeps what is typed on the page, and nowhere else. */
class TrialSaver extends Saver {
  begin() {
    this.isPaused = false;
    this.onChange(this);
  }

  change(answer) {
    this.newest = answer;
    this.stored = answer;
  }

  act(kind) {
    this.finished = { kind };
    this.onChange(this);
  }

  standDown() {}

  send() {}
}

class AssayTrial extends AssayWork {
  load(page) {
    const trial = JSON.parse(document.getElementById("trial-data").textContent);
    Object.assign(this, { page, trial, asked: "" });
    this.savingView.show = () => {};
    this.panels.tell = async () => {};
    this.panels.send = () => this.keepQuestion();
    const start = { url: "", slotKey: "", about: null, version: page.version, state: page.state, answer: page.answer };
    this.saver = new TrialSaver(start, deps(), () => this.show());
    this.editor.load(page, { ...deps(), fetch: (_url, given) => this.fetchFindings(given) });
    this.panels.load(page);
    this.side.page = page;
    this.side.showQuestions();
    this.discard.load(page);
    this.saver.begin();
  }

  /** Of a text, not of an assignment: there is none. */
  fetchFindings(given) {
    const { text, lang } = this.page.passage;
    return fetch(this.trial.findings, { ...given, body: JSON.stringify({ ...JSON.parse(given.body), text, lang }) });
  }

  keepQuestion() {
    document.getElementById("ask").close();
    this.notice("Nothing is sent from here: an annotator’s question would reach you under Questions.");
  }

  moveOn(kind) {
    this.saver.finished = null;
    const form = document.querySelector("[data-hand-over]");
    if (kind === "submit" && form) {
      form.elements.answer.value = JSON.stringify(this.answer);
      form.requestSubmit();
      return;
    }
    if (this.trial.next) window.location.assign(this.trial.next);
    else this.notice("Nothing was sent. Here the next passage would come up.");
  }
}

customElements.define("assay-trial", AssayTrial);
