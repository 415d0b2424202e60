// A file made in the browser.

import { el } from "./dom.js";

/** The person's text as a file, whatever the server says. */
export function download(name, data) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
  el("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
