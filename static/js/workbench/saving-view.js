// What the page says about saving: the state in the header, the banner, two versions side by side, signing in again.

import { download } from "../shared/download.js";
import { isEditable } from "./answer.js";
import { showBanner, showConflict, showState } from "./banner.js";
import { LogInDialog } from "./log-in-dialog.js";

export class SavingView {
  /**
   * @param {function} find by data name
   * @param {object} on {saver(), page(), focus(), drop(), continueHere(), chose(answer, other), signedIn(user)}
   */
  constructor(find, on) {
    Object.assign(this, { find, on, signInFor: null });
    this.logIn = new LogInDialog(document.getElementById("log-in"), (user) => on.signedIn(user));
    const { dialog } = this.logIn;
    dialog.querySelector("[data-cancel]").addEventListener("click", () => dialog.close());
    dialog.querySelector("[data-try]")?.addEventListener("click", () => {
      dialog.close();
      on.saver().retry();
    });
    dialog.addEventListener("close", () => on.saver().letBe()); // closed without signing in: one goes on working
    find("download-mine").addEventListener("click", () => this.download());
    find("keep-mine").addEventListener("click", () => this.choose("keepMine"));
    find("take-theirs").addEventListener("click", () => this.choose("takeTheirs"));
  }

  show() {
    const saver = this.on.saver();
    showState(document.querySelector("[data-save-state]"), saver);
    this.showBanner(saver);
    this.find("shut")?.toggleAttribute("hidden", saver.state === "refused"); // the banner says it with more
    this.find("conflict").hidden = saver.state !== "conflict";
    if (saver.state === "conflict") this.showConflict(saver);
    if (saver.state === "signed-out") this.askToSignIn(saver);
  }

  showBanner(saver) {
    const banner = this.find("banner");
    const hadFocus = banner.contains(document.activeElement);
    showBanner(banner, saver, {
      retry: () => this.on.saver().retry(),
      logIn: () => this.logIn.open(),
      reopen: () => this.on.saver().act("reopen"),
      undoDiscard: () => this.on.saver().act("undo-discard"),
      download: () => this.download(),
      drop: this.on.drop,
      continueHere: this.on.continueHere,
    });
    if (hadFocus && (banner.hidden || !banner.contains(document.activeElement))) this.on.focus();
  }

  showConflict({ newest, conflict }) {
    showConflict(this.find("mine"), this.find("theirs"), newest, conflict.answer, this.on.page().rules);
    const said = `The stored one is ${conflict.state}. Keeping this one takes it back into work.`;
    this.find("conflict-note").textContent = isEditable(conflict.state) ? "" : said;
  }

  choose(which) {
    const saver = this.on.saver();
    const versions = { keepMine: saver.newest, takeTheirs: saver.conflict.answer };
    saver[which]();
    this.on.chose(versions[which], versions[which === "keepMine" ? "takeTheirs" : "keepMine"]);
  }

  /** Over the page only where something was asked for, and once: a dialog would take the keys from somebody who types. */
  askToSignIn(saver) {
    const asked = saver.wanted ?? (saver.isActing ? saver.request : null);
    if (!asked || asked === this.signInFor) return;
    this.signInFor = asked;
    this.logIn.open();
  }

  download() {
    const { number, passage } = this.on.page();
    const { version, newest } = this.on.saver();
    download(`passage-${number}.json`, { passage: passage.text, version, answer: newest });
  }
}
