// The time zone of whoever is here, where none was chosen.
const field = document.querySelector("[data-zone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && zone && field.value === field.defaultValue && field.value === "UTC") field.value = zone;
