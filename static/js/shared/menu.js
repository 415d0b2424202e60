// What opens over a page: the account menu, other menus, what a figure means. One at a time; closed by Escape and by a
// click elsewhere.
const all = [...document.querySelectorAll("details:is(.menu, .meaning)")];

for (const one of all) {
  one.addEventListener("toggle", () => {
    if (one.open) for (const other of all) if (other !== one) other.open = false;
  });
}

document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && all.find((one) => one.open);
  if (open) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});

document.addEventListener("click", (event) => {
  for (const one of all) if (one.open && !one.contains(event.target)) one.open = false;
});

// On a phone the row of links scrolls: the page one is on must be seen in it.
document.querySelector(".nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
