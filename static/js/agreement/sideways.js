// Tables that are wider than the screen fade at the edge behind which they go on.

import { isBeyond } from "./beyond.js";

const look = (one) => one.classList.toggle("beyond", isBeyond(one));
const watch = new ResizeObserver((entries) => entries.forEach((entry) => look(entry.target.closest(".scroll"))));

for (const one of document.querySelectorAll(".scroll")) {
  one.addEventListener("scroll", () => look(one), { passive: true });
  watch.observe(one);
  for (const inner of one.children) watch.observe(inner);
}
