// A table screen is read from three metres and nobody scrolls it: what luck has made too much for it
// is set smaller, all of it alike. Where that is not enough, as for who has the browser's text
// large, it stays as it is.

import { live } from "./table.js";

const STEP = 0.025;
const STEPS = 10; // down to three quarters
const SLACK = 3; // in pixels: letters may be higher than their line

const page = document.documentElement;
let size = 0; // of letters, in pixels, where nothing is set smaller
let steps = 0; // that they are smaller now
let within = ""; // a window of this size

/** A part that could be scrolled hides as much as the page does below its edge. */
function overflows() {
  const parts = [...document.querySelectorAll("main section")];
  return (
    page.scrollHeight > page.clientHeight ||
    parts.some((each) => each.scrollHeight > each.clientHeight + SLACK)
  );
}

/** @param {number} smaller */
function set(smaller) {
  steps = smaller;
  page.style.fontSize = steps ? `${size * (1 - steps * STEP)}px` : "";
}

/** As large as can be, from what it is: every step lays out the whole page. */
function fit() {
  const now = `${innerWidth} × ${innerHeight}`;
  if (now !== within) set(0);
  within = now;
  if (!steps) size = parseFloat(getComputedStyle(page).fontSize);
  if (overflows()) {
    do set(steps + 1);
    while (steps <= STEPS && overflows());
    if (steps > STEPS) set(0);
  } else
    while (steps) {
      set(steps - 1);
      if (!overflows()) continue;
      set(steps + 1);
      break;
    }
}

fit();
live.addEventListener("table:shown", fit);
live.addEventListener("toggle", fit, true); // what is unfolded has its place, too
addEventListener("resize", fit);
