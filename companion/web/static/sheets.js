// What else a sheet does: a swipe closes it, and it outlives the choice of another language.

import { forget, keep, kept } from "./tab.js";

const LEFT = "sheet"; // the one that was open when another language was to be chosen
const SWIPE_PX = 70; // down, and the sheet is meant to go
const ENLARGED = 1.01;

const isEnlarged = () => Number(window.visualViewport?.scale) > ENLARGED;

/** A swipe down from the sheet's beginning; on a page that is enlarged it moves what is seen.
 * @param {HTMLElement} box where sheets open @param {() => void} close */
export function swiped(box, close) {
  /** @type {Touch | null} */
  let from = null;
  box.addEventListener("touchstart", ({ target, touches }) => {
    const other = touches.length > 1 || isEnlarged() || target.closest(".sheet")?.scrollTop;
    from = other ? null : touches[0];
  });
  box.addEventListener("touchend", ({ changedTouches: [end] }) => {
    if (!from) return;
    const down = end.clientY - from.clientY;
    if (down > SWIPE_PX && down > Math.abs(end.clientX - from.clientX)) close();
  });
}

/** The other language is a page of its own. @param {string} table
 * @param {() => string} opened the address of the sheet that is open @param {(address: string) => void} open */
export function lasts(table, opened, open) {
  document.addEventListener("click", ({ target }) => {
    if (target.closest("a.lang")) keep(LEFT, opened());
  });
  function again() {
    const left = kept(LEFT);
    forget(LEFT);
    if (!opened() && left?.startsWith(`/t/${table}/`)) open(left);
  }
  if (document.readyState === "complete") again();
  addEventListener("pageshow", again);
}
