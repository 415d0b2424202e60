// A moment as the pages of the server write it: 3 July 2026, 14:05, in the project's time zone.

const OPTIONS = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** @param {string} text as JSON has it  @param {string} zone a time zone's name */
export function when(text, zone) {
  const parts = new Intl.DateTimeFormat("en-GB", { ...OPTIONS, timeZone: zone }).formatToParts(new Date(text));
  const { day, month, year, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${day} ${month} ${year}, ${hour}:${minute}`;
}

const UNITS = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]];

/** How long before `now` that was, in the largest unit that fits: 12 minutes ago. @param {number} now in ms */
export function ago(text, now) {
  const past = now - Date.parse(text);
  const [name, length] = UNITS.find(([, ms]) => past >= ms) ?? [];
  return name ? new Intl.RelativeTimeFormat("en").format(-Math.floor(past / length), name) : "just now";
}
