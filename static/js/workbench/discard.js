// Discarding a passage: a form with its reasons, whose remark is kept in this browser until it is sent.

import { deps, post } from "../shared/browser.js";

export class Discard {
  /** @param {HTMLElement|null} form there only where the page was made for work  @param {Drafts} drafts */
  constructor(form, drafts) {
    Object.assign(this, { form, drafts });
    form?.addEventListener("input", () => {
      const { reason, remark } = form.elements;
      remark.required = reason.value === "other";
      this.drafts.write("remark", this.uuid, remark.value);
    });
  }

  load({ uuid }) {
    this.uuid = uuid;
    if (!this.form) return;
    this.close();
    this.form.reset();
    this.form.elements.remark.value = this.drafts.read("remark", uuid);
  }

  open() {
    if (!this.form) return;
    const details = this.form.closest("details");
    details.open = true;
    details.scrollIntoView({ block: "nearest" });
    details.querySelector("input[type=radio]").focus();
  }

  close() {
    this.form?.closest("details").removeAttribute("open");
  }

  /** The passage is over: nothing is left to be sent. */
  forget() {
    this.drafts.write("remark", this.uuid, "");
  }
}

/** Of a passage that was left behind; where it does not work, its page says why. */
export function undoDiscard(url, version) {
  return post(`${url}/undo-discard`, { save_id: deps().newId() }, { version });
}
