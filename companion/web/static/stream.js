// The connection of a page with its table: it finds the table again by itself, and says so when it has lost touch.

import { isHeld } from "./hold.js";
import { assets, needed } from "./load.js";

const SILENCE_MS = 35_000; // longer than two heartbeats
const PATIENCE_MS = 2_500; // out of touch for so long before anyone is told
const SOONEST_MS = 100; // until it tries again, twice as long each time
const LATEST_MS = 600; // however long it has been away: whoever waits at the table sees it come back
const REFUSED_MS = 5_000; // where it was there, and refused: there are too many
// How long a connection may take, in turn: short, since a laptop that has just woken gets no answer; now and then long,
// for a slow network.
const OPEN_MS = [2_500, 2_500, 2_500, 10_000];
export const LEAVE_MS = 15_000; // a page that is still here by then stays
const FRESH_MS = 60_000; // a page that has just been loaded
const GONE = [403, 404, 410];
const TOO_MANY = 429;

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const offline = /** @type {HTMLElement} */ (document.getElementById("offline"));
const source = /** @type {string} */ (live.dataset.stream);
const spoken = document.documentElement.lang; // as the server has it: browsers that translate change it

/** What is done with a message and its version.
 * @type {(data: string, version: string) => void} */
let follower;
/** @type {EventSource | null} */
let stream = null;
let retry = 0; // of a timer: when the next try begins
let tries = 0; // since the table was last heard of
let delay_ms = SOONEST_MS;
let left = 0; // when the page was told to go
let heard = Date.now();
let lostSince = 0; // 0: the table is in touch

/** Also where the clock was set back meanwhile. @param {number} then */
const since = (then) => Math.abs(Date.now() - then);

function alive() {
  heard = Date.now();
  delay_ms = SOONEST_MS;
  tries = 0;
  clearTimeout(retry);
  lostSince = 0;
  showOffline();
}

function lost() {
  lostSince ||= Date.now();
  showOffline();
}

function showOffline() {
  const out = lostSince && since(lostSince) > PATIENCE_MS;
  if (offline.hidden === !out || isHeld()) return; // nothing moves meanwhile; it is looked at every second
  if (out) {
    const time = /** @type {Element} */ (offline.querySelector("time"));
    time.textContent = new Date(heard).toLocaleTimeString(spoken, {
      hour: "2-digit",
      minute: "2-digit"
    });
  }
  offline.hidden = !out;
  live.classList.toggle("lost", !!out);
}

// `etag` names what the page shows, so that the stream need not send it again. `lang`: another tab may have changed the
// cookie's.
function address() {
  const url = new URL(source, location.href);
  url.searchParams.set("lang", spoken);
  // A program that is another one by now has the page loaded anew; not at once, where several serve meanwhile.
  if (performance.now() > FRESH_MS) url.searchParams.set("made", `${assets?.split("/").pop()}`);
  if (live.dataset.etag) url.searchParams.set("etag", live.dataset.etag);
  return url;
}

// Closed while nobody looks, so that many tabs do not starve each other.
function connect() {
  clearTimeout(retry);
  stream?.close();
  stream = null;
  if (document.hidden) return;
  stream = new EventSource(address());
  stream.addEventListener("beat", alive);
  stream.addEventListener("deal", async ({ data }) =>
    (await needed("share.js")).take(JSON.parse(data))
  );
  stream.addEventListener("gone", reload);
  stream.addEventListener("message", ({ data, lastEventId }) => {
    delete live.dataset.etag; // also of what comes into the page later
    alive();
    follower(data, lastEventId);
  });
  stream.addEventListener("error", broken);
  retry = setTimeout(reconnect, OPEN_MS[tries++ % OPEN_MS.length]);
}

export const isLeaving = () => since(left) < LEAVE_MS;

async function broken() {
  lost();
  const closed = stream?.readyState === EventSource.CLOSED;
  stream?.close();
  if (isLeaving()) return again(LEAVE_MS); // it may have no part in the table any more
  again(delay_ms);
  delay_ms = Math.min(2 * delay_ms, LATEST_MS);
  if (!closed) return;
  const refusal = await status();
  if (GONE.includes(refusal)) reload();
  if (refusal === TOO_MANY && !isConnected()) again(REFUSED_MS);
}

/** Tries once more, not all phones in one moment. @param {number} in_ms */
function again(in_ms) {
  clearTimeout(retry);
  retry = setTimeout(connect, in_ms * (0.75 + Math.random() / 2));
}

// Why a stream was refused, which an EventSource does not tell; 0 also where a proxy knows nobody behind it.
async function status() {
  const enough = new AbortController();
  try {
    const answer = await fetch(source, { cache: "no-store", signal: enough.signal });
    enough.abort();
    const own = answer.headers.has("Content-Language");
    return own || answer.status === TOO_MANY ? answer.status : 0;
  } catch {
    return 0;
  }
}

/** @param {typeof follower} by */
export function follow(by) {
  follower = by;
  needed("links.js").then(({ wait }) => wait(isConnected));
  connect();
}

export const isConnected = () => stream?.readyState === EventSource.OPEN;

export function reconnect() {
  lost();
  connect();
}

/** The page goes: that its table is gone no longer matters, unless it stays after all.
 * @param {string} [on] where to, if not of itself */
export function leave(on) {
  left = Date.now();
  if (on) location.assign(on);
}

/** The page as it is now, once no card is held; one that goes already would come back. */
export function reload() {
  if (isHeld()) document.addEventListener("card:covered", reload, { once: true });
  else if (!isLeaving()) location.reload();
}

offline.querySelector("button")?.addEventListener("click", reconnect);
document.addEventListener("table:lost", reconnect);
addEventListener("online", reconnect);
addEventListener("offline", reconnect); // which tells whether it is the table that is out of touch
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  left = 0;
  reconnect();
});
document.addEventListener("visibilitychange", () => {
  heard = Math.max(heard, Date.now() - SILENCE_MS + 5000); // five seconds to find the table again
  lostSince &&= Date.now();
  connect();
});
setInterval(() => {
  if (document.hidden) return;
  if (since(heard) > SILENCE_MS) {
    heard = Date.now();
    reconnect();
  }
  showOffline();
}, 1000);
