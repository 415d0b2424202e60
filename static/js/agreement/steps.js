// J and K go from passage to passage on the pages of a pair and of a person.

const passages = [...document.querySelectorAll("article.pair")];

export function step(at, key, count) {
  if (key === "j") return Math.min(at + 1, count - 1);
  if (key === "k") return Math.max(at - 1, 0);
  return at;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  if (key !== "j" && key !== "k") return;
  const at = passages.indexOf(document.activeElement.closest("article.pair"));
  const to = passages[step(at, key, passages.length)];
  if (!to) return;
  event.preventDefault();
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest" });
});
