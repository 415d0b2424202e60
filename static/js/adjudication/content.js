// What is decided about one target, as a document, and what it looks like laid over what was merged. Pure.

export const EMPTY = { verdict: null, suggestions: [], removed: [] };

/** The document that stands there, or an empty one. */
export function contentOf(target) {
  return target.decision?.content ?? EMPTY;
}

export function isEmpty(content) {
  return !content.verdict && !content.type && !content.suggestions.length && !content.removed.length;
}

function named(content) {
  return new Set([...content.removed, ...content.suggestions.flatMap((item) => item.from)]);
}

const ORIGIN = ["added", "edited"];

/** A target as it would be with this content: kept or not, its type, its chips in order, and what was removed. */
export function lay(target, content, keepAt) {
  const offered = new Map(target.offered.map((item) => [item.key, item]));
  const written = content.suggestions.map((item, index) => {
    const voters = new Set(item.from.flatMap((key) => offered.get(key)?.voters ?? []));
    return { text: item.text, voters: [...voters].sort(), origin: ORIGIN[item.from.length] ?? "joined", index, from: item.from };
  });
  const gone = named(content);
  const passing = target.offered.filter((item) => !gone.has(item.key)).map((item) => ({ ...item, origin: "merged" }));
  const chips = [...written, ...passing].sort((a, b) => b.voters.length - a.voters.length || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  const removed = content.removed.map((key) => ({ ...(offered.get(key) ?? { text: key, key, voters: [] }), isRemoved: true }));
  return { isKept: isKept(target, content, keepAt), type: content.type ?? target.merged?.type ?? target.type, chips, removed };
}

function isKept(target, content, keepAt) {
  if (content.verdict) return content.verdict === "keep";
  return Boolean(target.merged?.is_kept) || (target.moved_from.length > 0 && target.annotators >= keepAt);
}

// --- acts: each gives a new document ------------------------------------------------------------------------------

const plain = (content) => ({ verdict: content.verdict === "moved" ? null : content.verdict, ...(content.type ? { type: content.type } : {}), suggestions: content.suggestions, removed: content.removed });

/** As it stands: a tie of types is settled with it. */
export function keep(content, target) {
  const type = content.type ?? (target.type_tie ? target.type : "");
  return { ...plain(content), ...(type ? { type } : {}), verdict: "keep" };
}

/** What is kept is dropped; what was dropped comes back, by the merge where that kept it. */
export function drop(target, content, keepAt) {
  if (isKept(target, content, keepAt)) return { ...plain(content), verdict: "drop" };
  return { ...plain(content), verdict: target.merged?.is_kept ? null : "keep" };
}

export function retype(target, content, types) {
  const open = types.filter((type) => !type.is_retired);
  const now = content.type ?? target.type;
  const index = open.findIndex((type) => type.key === now);
  return { ...plain(content), type: open[(index + 1) % open.length].key };
}

export function add(content, text) {
  return { ...plain(content), suggestions: [...content.suggestions, { text, from: [] }] };
}

export function edit(content, chip, text) {
  if (chip.index !== undefined) {
    return { ...plain(content), suggestions: content.suggestions.map((item, index) => (index === chip.index ? { ...item, text } : item)) };
  }
  return { ...plain(content), suggestions: [...content.suggestions, { text, from: [chip.key] }] };
}

/** A removed one comes back; an edited or joined one goes with all it was made of. */
export function remove(content, chip) {
  if (chip.isRemoved) return { ...plain(content), removed: content.removed.filter((key) => key !== chip.key) };
  if (chip.index === undefined) return { ...plain(content), removed: [...content.removed, chip.key] };
  const gone = content.suggestions[chip.index];
  const suggestions = content.suggestions.filter((_, index) => index !== chip.index);
  return { ...plain(content), suggestions, removed: [...content.removed, ...gone.from] };
}

/** Several chips become one, which has the text of the first. */
export function join(content, chips) {
  const from = chips.flatMap((chip) => (chip.index === undefined ? [chip.key] : content.suggestions[chip.index].from));
  const joined = new Set(chips.filter((chip) => chip.index !== undefined).map((chip) => chip.index));
  const suggestions = content.suggestions.filter((_, index) => !joined.has(index));
  return { ...plain(content), suggestions: [...suggestions, { text: chips[0].text, from }] };
}

export function move(span) {
  return { verdict: "moved", span, suggestions: [], removed: [] };
}

/** In words, for whoever has to choose between two. */
export function spoken(content, types) {
  const parts = [];
  if (content.verdict) parts.push(content.verdict === "moved" ? "moved" : content.verdict);
  if (content.type) parts.push(types.find((type) => type.key === content.type)?.label ?? content.type);
  for (const item of content.suggestions ?? []) {
    parts.push(item.from.length > 1 ? `joined as “${item.text}”` : item.from.length ? `“${item.from[0]}” → “${item.text}”` : `added “${item.text}”`);
  }
  if (content.removed?.length) parts.push(`without ${content.removed.map((key) => `“${key}”`).join(", ")}`);
  return parts.join(", ") || "nothing decided";
}
