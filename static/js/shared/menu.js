// What stands at the top of every page. The account menu closes as menus do: by Escape, and by a click elsewhere.
const menu = document.querySelector("details.menu");

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu?.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

document.addEventListener("click", (event) => {
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});

// On a phone the row of links scrolls: the page one is on must be seen in it.
document.querySelector(".nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
