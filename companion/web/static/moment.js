// When a round ends, the maze lies there for some seconds with what ended it in the light; then come the roles
// and the gold. It starts where this page has seen the round, and goes on after a reload.

import { live } from "./table.js";

const MOMENT_MS = 6000;
const SEEN = "round"; // the page whose round this browser tab shows
const BEGAN = "moment"; // when the maze of its end was first shown

let timer = 0;

function show() {
  if (document.getElementById("pan")) return sessionStorage.setItem(SEEN, location.pathname);
  /** @type {HTMLElement | null} */
  const still = live.querySelector("[data-moment]");
  if (sessionStorage.getItem(SEEN) === location.pathname) {
    sessionStorage.removeItem(SEEN);
    if (still) sessionStorage.setItem(BEGAN, `${Date.now()}`);
  }
  const left = Number(sessionStorage.getItem(BEGAN)) + MOMENT_MS - Date.now();
  if (!still?.showPopover || left <= 0 || left > MOMENT_MS || timer) return;
  still.showPopover();
  still.addEventListener("toggle", end);
  timer = setTimeout(() => {
    timer = 0;
    if (still.isConnected) still.hidePopover();
  }, left);
}

/** @param {any} event */
function end({ newState }) {
  if (newState === "open") return;
  clearTimeout(timer);
  timer = 0;
  sessionStorage.removeItem(BEGAN);
}

live.addEventListener("table:shown", show);
show();
