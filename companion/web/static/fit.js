// A table screen is read from three metres and nobody scrolls it: what luck has made too much for it
// is set smaller, all of it alike. Where that is not enough, as for who has the browser's text
// large, it stays as it is.

import { live } from "./table.js";

const SMALLEST = 0.75;
const STEP = 0.025;
const SLACK = 3; // in pixels: letters may be higher than their line

const page = document.documentElement;

/** A part that could be scrolled hides as much as the page does below its edge. */
function overflows() {
  const parts = [...document.querySelectorAll("main section")];
  return (
    page.scrollHeight > page.clientHeight ||
    parts.some((each) => each.scrollHeight > each.clientHeight + SLACK)
  );
}

function fit() {
  page.style.fontSize = "";
  const size = parseFloat(getComputedStyle(page).fontSize);
  for (let part = 1; overflows(); part -= STEP) {
    page.style.fontSize = part < SMALLEST ? "" : `${size * part}px`;
    if (part < SMALLEST) break;
  }
}

fit();
live.addEventListener("table:shown", fit);
addEventListener("resize", fit);
