// A page beside the table has no stream: it asks from time to time whether a game has begun there. A table screen goes
// back to its table then.

import { hear } from "./beside.js";

const EVERY_MS = 10_000;
const GONE = [403, 404, 410];

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const address = new URL(`under-way${location.search}`, location.href);
/** @type {boolean | null} */
let playing = null; // whether a game is on there; one that was on when this page came is no news

async function ask() {
  if (document.hidden) return;
  let answer, text;
  try {
    answer = await fetch(address, { cache: "no-store" });
    text = await answer.text();
  } catch {
    return; // it is asked again
  }
  const own = answer.headers.has("Content-Language"); // else a proxy's
  if (playing !== null && own && GONE.includes(answer.status)) return location.reload();
  if (!answer.ok) return;
  const begun = answer.status === 200 && playing === false;
  playing = answer.status === 200;
  const screen = answer.headers.get("X-Location");
  if (begun && screen) location.assign(screen);
  else if (begun) live.insertAdjacentHTML("afterbegin", text);
  else if (!playing) live.querySelector(".under-way")?.remove();
}

ask();
const table = address.pathname.replace(/\/under-way$/, "");
if (table.startsWith("/t/")) hear(table, ask);
setInterval(ask, EVERY_MS);
document.addEventListener("visibilitychange", ask);
