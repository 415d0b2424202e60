// The next passage, fetched while this one is worked on, so that it is there at once.

import { isEditable } from "./answer.js";

export class NextPassage {
  constructor(fetch) {
    this.fetch = fetch;
    this.forget();
  }

  forget() {
    this.uuid = null;
    this.page = null;
  }

  /** Quietly: without an answer the page is simply loaded when it is wanted. */
  async prepare(following) {
    this.forget();
    if (!following) return;
    this.uuid = following.uuid;
    try {
      const response = await this.fetch(`/api/v1/assignments/${following.uuid}`, { credentials: "same-origin" });
      const page = response.ok ? await response.json() : null;
      if (page && this.uuid === page.uuid && isEditable(page.state)) this.page = page;
    } catch {
      // it is loaded later
    }
  }

  /** The prepared page, once. */
  take() {
    const { page } = this;
    this.forget();
    return page;
  }
}
