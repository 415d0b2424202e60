// Sending one act of a slot, and what its answer means. No DOM in here.

import { canonical } from "../shared/canonical.js";

const LONGEST_WAIT = 20000; // ms for one response before the request counts as lost

/** @returns {Promise<object>} {status, body}; status 0 where no answer came */
export async function deliver(url, request, version, deps) {
  try {
    const response = await deps.fetch(`${url}/decisions/${request.place}`, {
      method: request.kind === "decide" ? "PUT" : "POST", // of one decision, on the version that was seen
      headers: { "Content-Type": "application/json", "If-Match": `"${version}"`, "X-CSRFToken": deps.csrf() },
      body: JSON.stringify(request.body),
      credentials: "same-origin",
      redirect: "error",
      keepalive: true,
      signal: deps.timeout?.(LONGEST_WAIT),
    });
    return { body: Object(await response.json()), status: response.status };
  } catch {
    return { body: {}, status: 0 };
  }
}

/** Of a 412: carried out and decided anew since, so theirs stands; or both say the same. */
export function isDoneWith(request, { stored }) {
  const { content, reason } = request.body;
  return stored.has_arrived || Boolean(content && canonical(content) === canonical(stored.content) && reason === stored.reason);
}

/** By place the version of everything on a passage, as it stands. */
export function versionsOf(passage) {
  const found = { passage: passage.decision?.version ?? 0 };
  for (const target of passage.targets) found[`${target.start}-${target.end}`] = target.decision?.version ?? 0;
  return found;
}
