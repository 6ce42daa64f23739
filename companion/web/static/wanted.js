// Rules, and how a deal is checked, are read beside a table, which may want its reader meanwhile: it is asked often,
// since the end of a round can be stopped for some seconds only.

import { hear } from "./beside.js";

const EVERY_MS = 3_000;

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const address = live.querySelector("main")?.dataset.wanted || "";
let said = "";

async function ask() {
  if (document.hidden) return;
  const answer = await fetch(address, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok || (answer.status === 200 && !answer.headers.has("Content-Language"))) return; // it is asked again
  const text = await answer.text();
  if (text === said) return;
  said = text;
  live.querySelector(".under-way")?.remove();
  live.insertAdjacentHTML("afterbegin", text);
}

ask();
hear(address.replace(/\/wanted$/, ""), ask);
setInterval(ask, EVERY_MS);
document.addEventListener("visibilitychange", ask);
