// Rules, and how a deal is checked, are read beside a table, which may want its reader meanwhile: it is asked often,
// since the end of a round can be stopped for some seconds only.

import { asked, follow } from "./beside.js";

const EVERY_MS = 3_000;

const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const address = live.querySelector("main")?.dataset.wanted || "";
let said = "";

follow(address.replace(/\/wanted$/, ""), ask, EVERY_MS);

async function ask() {
  const came = await asked(address);
  if (!came || came.text === said) return;
  said = came.text;
  const before = live.querySelector(".under-way");
  const inside = before?.contains(document.activeElement);
  before?.remove();
  live.insertAdjacentHTML("afterbegin", said);
  if (inside) live.querySelector(".under-way a")?.focus({ preventScroll: true });
}
