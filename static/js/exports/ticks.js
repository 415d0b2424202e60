// How many of the warnings are ticked, told while they are.

/** @returns {string} */
export function says(ticked, all) {
  return `${ticked} of ${all} warning${all === 1 ? "" : "s"} ticked`;
}

function count(form) {
  const boxes = [...form.querySelectorAll("input[name=ticked]")];
  const place = form.closest("section").querySelector("[data-ticked]");
  if (place) place.textContent = says(boxes.filter((box) => box.checked).length, boxes.length);
}

if (typeof document !== "undefined") {
  for (const form of document.querySelectorAll("form:has(input[name=ticked])")) {
    form.addEventListener("change", () => count(form));
    count(form); // a page that comes back has its ticks
  }
}
