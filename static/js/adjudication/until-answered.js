// One request that is sent until the server answers it, each time with the same id, so that it is carried out once. No DOM.

const FIRST_PAUSE = 1000; // ms before the first new try; doubled each time
const LONGEST_PAUSE = 15000;
const LONGEST_WAIT = 20000; // ms for one response before the request counts as lost

// The states: asking, unknown (no answer came: it may have been carried out), signed-out, answered, refused.
export class UntilAnswered {
  /**
   * @param {string} url
   * @param {object} body without the act
   * @param {object} deps {fetch, newId, setTimeout, clearTimeout, csrf, timeout}
   * @param {function} change called with this after each change of state
   */
  constructor(url, body, deps, change) {
    Object.assign(this, { url, deps, change, body: { act: deps.newId(), ...body }, state: "asking", reply: {}, pause: FIRST_PAUSE, timer: null, isUnderWay: false, isLost: false });
  }

  get isOver() {
    return this.state === "answered" || this.state === "refused";
  }

  async send() {
    if (this.isUnderWay || this.isOver) return;
    this.deps.clearTimeout(this.timer);
    this.isUnderWay = true;
    const { status, reply } = await this.ask();
    this.isUnderWay = false;
    this.received(status, reply);
  }

  async ask() {
    try {
      const response = await this.deps.fetch(this.url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": this.deps.csrf() },
        body: JSON.stringify(this.body),
        credentials: "same-origin",
        redirect: "error",
        signal: this.deps.timeout?.(LONGEST_WAIT),
      });
      return { status: response.status, reply: Object(await response.json()) };
    } catch {
      return { status: 0, reply: {} };
    }
  }

  received(status, reply) {
    if (status === 200) this.set("answered", reply);
    else if (status === 401 || reply.code === "somebody_else") this.set("signed-out", reply);
    else if (status >= 400 && status < 500 && ![408, 429].includes(status)) this.set("refused", reply);
    else this.again();
  }

  /** No answer, or none that says what was done. */
  again() {
    this.isLost = true;
    this.timer = this.deps.setTimeout(() => this.send(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
    this.set("unknown", {});
  }

  set(state, reply) {
    Object.assign(this, { state, reply });
    this.change(this);
  }
}

const SIGNED_OUT = "You are signed out: sign in, and it is sent again.";

/** What the page says of it; "" once it is answered. */
export function toldOf({ state, reply, isLost }) {
  if (state === "asking") return "Sending …";
  if (state === "unknown") return "No answer came: it is not known whether this was carried out. The same is sent again until it is; it is carried out once.";
  if (state === "signed-out") return isLost ? `${SIGNED_OUT} Until then it is not known whether the first try was carried out.` : `Nothing was done. ${SIGNED_OUT}`;
  if (state === "refused") return reply.problems?.map(({ message }) => message).join(" ") || reply.detail || "The server refused this.";
  return "";
}

/** What was taken back, of an act on many passages. */
export function undoneLine({ of, taken_back: times, is_under_way: isUnderWay }) {
  if (isUnderWay) return "A worker takes it back: look again in a moment.";
  if (times === of) return "Taken back.";
  const stay = `${of - times} of ${of} had been decided anew since, or taken back already, and stay as they are.`;
  return times ? `${times} taken back. ${stay}` : `Nothing was taken back: ${stay}`;
}
