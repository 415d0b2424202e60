// Pages that refresh a part of themselves, or bring one that was asked for: says when the server does not answer, and
// speaks a new state once.
const stale = document.querySelector("[data-stale]");
const announce = document.querySelector("[data-announce]");

function said() {
  return document.querySelector("[data-say]")?.textContent.trim() ?? "";
}

let last = said();

document.addEventListener("htmx:afterSettle", () => {
  if (stale) stale.hidden = true;
  if (announce && said() !== last) {
    last = said();
    announce.textContent = last;
  }
});

for (const trouble of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(trouble, ({ detail }) => {
    if (stale?.hidden) {
      const isAsked = detail?.elt?.hasAttribute?.("hx-push-url") ?? false; // by hand: nobody asks again by itself
      stale.querySelector("[data-tries]").hidden = isAsked;
      stale.querySelector("[data-again]").hidden = !isAsked;
      stale.hidden = false;
      stale.querySelector("time").textContent = new Date().toLocaleTimeString();
    }
  });
}
