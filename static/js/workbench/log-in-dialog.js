// Signing in again over the page one is working on: the text underneath stays where it is.

import { post } from "../shared/browser.js";

export class LogInDialog {
  /** @param {HTMLDialogElement} dialog  @param {function} onDone called with the user's uuid */
  constructor(dialog, onDone) {
    this.dialog = dialog;
    this.form = dialog.querySelector("form");
    this.error = dialog.querySelector("[data-error]");
    this.onDone = onDone;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
  }

  async open() {
    if (this.dialog.open) return;
    this.error.textContent = "";
    this.dialog.showModal();
    this.form.elements.password.focus();
    await fetch("/api/v1/session", { credentials: "same-origin" }).catch(() => {}); // brings a form token
  }

  async send() {
    const { email, password } = this.form.elements;
    let response;
    try {
      response = await post("/api/v1/session", { email: email.value, password: password.value });
    } catch {
      this.error.textContent = "The server does not answer. Try again.";
      return;
    }
    const body = await response.json().catch(() => ({}));
    if (!response.ok) {
      this.error.textContent = body.detail ?? "That did not work.";
      return;
    }
    password.value = "";
    this.dialog.close();
    this.onDone(body.user);
  }
}
