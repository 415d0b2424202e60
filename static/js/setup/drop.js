// A file dropped anywhere on the page goes into the form that stands in this element, and is sent.

class AssayDrop extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input[type=file]");
    this.listeners = {
      dragover: (event) => this.over(event),
      dragleave: (event) => event.relatedTarget === null && this.mark(false),
      drop: (event) => this.take(event),
    };
    for (const [type, listener] of Object.entries(this.listeners)) document.addEventListener(type, listener);
  }

  disconnectedCallback() {
    for (const [type, listener] of Object.entries(this.listeners)) document.removeEventListener(type, listener);
  }

  over(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.mark(true);
  }

  take(event) {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    this.mark(false);
    this.input.files = event.dataTransfer.files; // of several the server says that it takes one at a time
    this.input.form.requestSubmit();
  }

  mark(isOver) {
    document.body.classList.toggle("is-dropping", isOver);
  }
}

customElements.define("assay-drop", AssayDrop);
