// A page at a table: it follows the table by itself, keeps what is open, and says so when it has lost touch.

import { isHeld, whenCovered } from "./hold.js";

const SILENCE_MS = 35_000; // longer than two heartbeats
const PATIENCE_MS = 2_500; // out of touch for so long before anyone is told
const RETRY_MS = 2_000;
const CONNECT_MS = 8_000;

const live = document.getElementById("live");
const offline = document.getElementById("offline");
const news = document.getElementById("news");

let connection = null; // of hx-sse
let connecting = false;
let leaving = false;
let heard = Date.now();
let down = 0; // since when the table is out of touch; 0: it is not
let late = null; // what came while a card was held
let told = live.querySelector("[data-news]")?.dataset.news;

htmx.registerExtension("table", {
  // What somebody has opened stays open.
  htmx_before_morph_attr: (element, { attrName }) => !(attrName === "open" && element.matches("details, dialog")),
});

function alive() {
  heard = Date.now();
  down = 0;
  show();
}

function lost() {
  down ||= Date.now();
  show();
}

function show() {
  const out = down && Date.now() - down > PATIENCE_MS;
  if (offline.hidden === !out) return;
  if (out) {
    const time = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    offline.querySelector("time").textContent = time.format(heard);
  }
  offline.hidden = !out;
  live.classList.toggle("lost", !!out);
}

// Not by an hx-sse:connect attribute: htmx may look for those before hx-sse is there.
function connect() {
  if (connection || connecting || document.hidden) return;
  connecting = true;
  htmx
    .ajax("GET", live.dataset.stream, { source: live, timeout: CONNECT_MS })
    .catch(lost)
    .finally(() => {
      connecting = false;
      if (!connection) setTimeout(connect, RETRY_MS);
    });
}

function reconnect() {
  lost();
  if (document.hidden) return;
  if (!connection) connect();
  else if (connection.delayCanceller) connection.delayCanceller();
  else if (connection.reader) connection.reader.cancel().catch(lost);
  else connection.abortController.abort();
}

live.addEventListener("htmx:sse:before:connection", (event) => {
  connection = event.detail.connection;
  if (connection.attempt) lost();
});
live.addEventListener("htmx:sse:error", (event) => {
  if ([403, 404, 410].includes(event.detail.status)) location.reload();
  lost();
});
live.addEventListener("htmx:sse:close", () => {
  connection = null;
  lost();
  setTimeout(connect, RETRY_MS);
});
live.addEventListener("htmx:error", lost);
// What was sent and accepted is not left standing in its form.
live.addEventListener("htmx:finally:request", (event) => {
  const { sourceElement, response } = event.detail.ctx;
  if (sourceElement !== live && response?.status < 400) sourceElement.reset?.();
});
live.addEventListener("htmx:response:error", (event) => {
  if (event.detail.ctx.sourceElement === live) location.reload();
});
live.addEventListener("gone", () => leaving || location.reload());
document.addEventListener("submit", (event) => {
  leaving = !event.target.matches("[hx-post], [data-hold]"); // the page goes of itself
});

// While a card is held nothing moves; the newest state follows when it is let go.
live.addEventListener("htmx:sse:before:message", (event) => {
  alive();
  const { message } = event.detail;
  if (message.event || !isHeld()) return;
  late = message.data;
  event.preventDefault();
});
whenCovered(() => {
  if (late === null) return;
  const text = late;
  late = null;
  htmx.swap({ text, target: live, swap: "innerMorph", sourceElement: live });
});

let inside = false;
live.addEventListener("htmx:before:swap", () => (inside = live.contains(document.activeElement)));
live.addEventListener("htmx:after:swap", () => {
  const needs = live.querySelector("[data-needs]")?.dataset.needs;
  if (needs && !document.getElementById(needs)) return location.reload(); // another way to play: other drawings
  const refusal = document.getElementById("refusal");
  if (refusal) refusal.scrollIntoView({ block: "nearest" });
  const active = document.activeElement === document.body ? null : document.activeElement;
  if (inside && !active?.getClientRects().length) {
    const heading = [...live.querySelectorAll("h1")].find((each) => each.getClientRects().length);
    if (heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
  }
  if (location.hash === "#look" && !document.getElementById("look")) location.replace("#live");
  const now = live.querySelector("[data-news]")?.dataset.news;
  if (now && now !== told) news.textContent = now;
  told = now;
});

offline.querySelector("button").addEventListener("click", reconnect);
document.addEventListener("table:lost", reconnect);
addEventListener("online", reconnect);
addEventListener("offline", lost);
addEventListener("pageshow", (event) => event.persisted && reconnect());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  heard = Math.max(heard, Date.now() - SILENCE_MS + 5000); // hx-sse is reconnecting: five seconds for it
  if (!connection) connect();
  wake();
});
setInterval(() => {
  if (document.hidden) return;
  if (Date.now() - heard > SILENCE_MS) {
    heard = Date.now();
    reconnect();
  }
  show();
}, 1000);

// A table screen stays on, where the browser allows it (HTTPS or this machine).
async function wake() {
  if (!live.classList.contains("tv") || !navigator.wakeLock) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // low battery or not allowed: the screen sleeps as it likes
  }
}
wake();
connect();
