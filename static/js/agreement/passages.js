// J and K go from passage to passage on the pages of a pair and of a person, and past the last to the next page's link.

import { asked, step } from "./steps.js";

const stops = [...document.querySelectorAll("article.pair, a[rel=next]")];

document.addEventListener("keydown", (event) => {
  const key = asked(event, Boolean(event.target.closest("input, textarea, select")));
  const at = stops.indexOf(document.activeElement.closest("article.pair, a[rel=next]"));
  const to = key && stops[step(at, key, stops.length)];
  if (!to) return;
  event.preventDefault();
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest" });
});
