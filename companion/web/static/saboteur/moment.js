// When a round ends, the maze lies there for some seconds with what ended it in the light; then come the roles
// and the gold. It starts where this tab has shown the round, and goes on after a reload.

import { forget, keep, kept } from "../tab.js";

const MOMENT_MS = 6000;
const BEGAN = "moment"; // when the maze of the end was first shown

let timer = 0;
/** @type {HTMLElement | null} */
let shown = null;

/** @param {string} mark under which this tab has kept of which table it has shown a round until now */
export function begin(mark) {
  const fresh = kept(mark) === location.pathname;
  forget(mark);
  const still = document.querySelector("[data-moment]");
  if (!shown?.isConnected) stop(); // another end: the page has lost what it showed of the one before
  if (fresh && still) keep(BEGAN, `${Date.now()}`);
  const left = Number(kept(BEGAN)) + MOMENT_MS - Date.now();
  if (!still?.showPopover || left <= 0 || left > MOMENT_MS || timer) return;
  still.showPopover();
  shown = still;
  still.addEventListener("toggle", end);
  timer = setTimeout(() => {
    timer = 0;
    if (still.isConnected) still.hidePopover();
  }, left);
}

function stop() {
  clearTimeout(timer);
  timer = 0;
}

/** @param {any} event */
function end({ newState }) {
  if (newState === "open") return;
  stop();
  forget(BEGAN);
}
