// What the page's parts ask of the browser, gathered, so that the tests can put something else in its place.

import { cookie, localStore } from "./dom.js";

export const deps = () => ({
  fetch: (...given) => fetch(...given),
  storage: localStore(),
  newId: () => crypto.randomUUID?.() ?? uuidFromBytes(),
  setTimeout: (...given) => window.setTimeout(...given),
  clearTimeout: (timer) => window.clearTimeout(timer),
  timeout: (ms) => AbortSignal.timeout(ms),
  csrf: () => cookie("assay_csrf"),
});

/** What lasts as long as the tab; null where the browser forbids even to look. */
export function tabStore() {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

/** To the API; `version`: the one that was seen, where the call asks for it. */
export function post(url, body, { version } = {}) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": cookie("assay_csrf") };
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  return fetch(url, { method: "POST", credentials: "same-origin", headers, body: JSON.stringify(body) });
}

/** Where the page is not served over HTTPS the browser makes none by itself. */
function uuidFromBytes() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
}

const LETTERS = "assay:letters"; // "off" where somebody has switched the letter keys off (WCAG 2.1.4)

let letters = globalThis.window === undefined || localStore()?.getItem(LETTERS) !== "off";

/** Whether single letters are keys. */
export function hasLetters() {
  return letters;
}

export function setLetters(isOn) {
  letters = isOn;
  try {
    localStore()?.setItem(LETTERS, isOn ? "on" : "off");
  } catch {
    // nothing is kept; the switch holds for this page
  }
}
