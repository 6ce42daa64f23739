// A game whose plays are reported: sheets that open without a reload and stay open while the table moves on,
// and a nudge for whose turn it is. Without this script the same links open the same sheets as pages.

import { home, live } from "./table.js";

export const sheetBox = /** @type {HTMLElement} */ (document.getElementById("sheet"));

let path = ""; // of the sheet that is open
/** @type {HTMLElement | null} */
let opener = null;
let sending = false;
let leaving = false; // the entry of a sheet that was closed

export const opened = () => path;

/** @param {string} name @param {boolean} [detail] */
const tell = (name, detail) => live.dispatchEvent(new CustomEvent(`sheet:${name}`, { detail }));

/** What tells a link or a button again in a fresh sheet. @param {Element} control */
const signOf = (control) =>
  [control.nodeName, ...["name", "value", "href"].map((name) => control.getAttribute(name))].join();

/** @param {string} address */
export async function open(address, focus = true) {
  let answer;
  try {
    answer = await fetch(address, { headers: { "X-Requested-With": "fetch" }, cache: "no-store" });
  } catch {
    document.dispatchEvent(new CustomEvent("table:lost"));
    return;
  }
  if (answer.status === 204) return close();
  if (!answer.ok) return location.assign(address);
  const text = await answer.text();
  if (!focus && path !== address) return; // closed meanwhile
  const was = sheetBox.querySelector(".sheet");
  const keep =
    was && !focus && was.contains(document.activeElement) ? document.activeElement : null;
  const again = keep && signOf(keep);
  const top = was && !focus ? was.scrollTop : 0;
  if (!path) tell("opening");
  sheetBox.innerHTML = text;
  path = address;
  const sheet = sheetBox.querySelector(".sheet");
  if (!sheet) return close();
  if (!history.state?.sheet) history.pushState({ sheet: true }, "");
  sheet.scrollTop = top;
  tell("shown", focus);
  const heading = sheet.querySelector("h2");
  if (focus) heading?.focus({ preventScroll: true });
  else if (again) {
    const same = [...sheet.querySelectorAll("a,button")].find((each) => signOf(each) === again);
    (same || heading)?.focus({ preventScroll: true });
  }
}

export function close(played = false) {
  if (!path && !sheetBox.firstChild) return;
  const inside = sheetBox.contains(document.activeElement);
  path = "";
  sheetBox.replaceChildren();
  if (history.state?.sheet && !leaving) {
    leaving = true;
    history.back();
  }
  if (opener?.isConnected && !played) opener.focus({ preventScroll: true });
  else if (inside) home();
  opener = null;
  tell("closed");
}

// On the window: whatever else wants a tap has had it.
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("[data-sheet], [data-close]");
  if (!link) return;
  event.preventDefault();
  if (link.hasAttribute("data-close")) return close();
  if (!sheetBox.contains(link)) opener = link;
  open(/** @type {string} */ (link.getAttribute("href")));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && path) close();
});
// The phone's Back closes a sheet; one that was closed otherwise takes its entry with it.
addEventListener("popstate", () => {
  if (!leaving) return history.state?.sheet || close();
  leaving = false;
  if (path && !history.state?.sheet) history.pushState({ sheet: true }, ""); // another was opened meanwhile
});
sheetBox.addEventListener("submit", () => (sending = true));

export const isMyTurn = () => live.querySelector("main")?.dataset.turn === "mine";
let mine = isMyTurn();

live.addEventListener("table:shown", () => {
  const now = isMyTurn();
  if (now && !mine && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(150);
  mine = now;
  if (sending) {
    sending = false;
    close(true);
  }
  if (!path) return;
  tell("stays");
  open(path, false);
});

path = sheetBox.querySelector(".sheet")?.dataset.path || "";
