// A page beside the table asks whether a game has begun there. A table screen goes back to its table then.

import { asked, follow } from "./beside.js";

const EVERY_MS = 10_000;

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const address = new URL(`under-way${location.search}`, location.href);
const table = address.pathname.replace(/\/under-way$/, "");
/** @type {boolean | null} */
let playing = null; // whether a game is on there; one that was on when this page came is no news

follow(table.startsWith("/t/") ? table : "", ask, EVERY_MS);

async function ask() {
  const came = await asked(address);
  if (!came) return;
  const { answer, text } = came;
  const begun = answer.status === 200 && playing === false;
  playing = answer.status === 200;
  const screen = answer.headers.get("X-Location");
  if (begun && screen) location.assign(screen);
  else if (begun) live.insertAdjacentHTML("afterbegin", text);
  else if (!playing) live.querySelector(".under-way")?.remove();
}
