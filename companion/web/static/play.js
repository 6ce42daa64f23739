// A game whose plays are reported: sheets that open without a reload and stay open while the table moves on,
// and a nudge for whose turn it is. Without this script the same links open the same sheets as pages.

import { needed } from "./load.js";
import { isLeaving, LEAVE_MS } from "./stream.js";
import { focusHeading, live, renew, typed, unsent } from "./table.js";
import { kept } from "./tab.js";

const AGAIN_MS = 500; // a sheet that did not come is asked for once more
const SETTLE_MS = 500; // a finger on its way meant what stood there before

export const sheetBox = /** @type {HTMLElement} */ (document.getElementById("sheet"));

/** @type {HTMLElement | null} */
let opener = null;
let sending = ""; // the address of the sheet whose form is on its way
let untold = /** @type {Element | null} */ (null); // that a sheet did not come
let missing = ""; // the sign of what was tapped and did not arrive
let settled = 0; // when a sheet that became another one takes taps again
let strayed = false; // a play is said not to have been sent whose sheet is closed
let leaving = !!history.state?.sheet; // the entry of a sheet that was closed, or did not outlast a reload
let going = -LEAVE_MS; // when a link to another page was tapped last
let taps = 0; // that opened or closed a sheet: of several answers only the last tap's counts
let looks = 0; // at the open one, whose table has moved on

/** The address of the sheet that is open. */
export const opened = () => sheetBox.querySelector(".sheet")?.dataset.path || "";

/** @param {string} name @param {boolean} [detail] */
const tell = (name, detail) => live.dispatchEvent(new CustomEvent(`sheet:${name}`, { detail }));

/** What tells a link or a button again in a fresh sheet, also among forms of one nameless button each.
 * @param {any} control */
const signOf = ({ nodeName, name, value, href, form }) =>
  [nodeName, name, value, href, form && typed(form)].join();

/** A sheet, or why there is none in the program's words; null: neither came, or not whole.
 * @param {string} address */
async function lookUp(address) {
  try {
    const headers = { "X-Requested-With": "fetch" };
    const answer = await fetch(address, { headers, cache: "no-store" });
    const own = answer.ok || answer.headers.has("Content-Language"); // else a proxy's
    return own ? { answer, text: await answer.text() } : null;
  } catch {
    return null;
  }
}

/** @param {string} address @param {boolean} [tapped] @param {any} [by] what was tapped */
export async function open(address, tapped = true, by = document.activeElement) {
  const [tap, look] = [tapped ? ++taps : taps, ++looks];
  const meant = () => tap === taps && (tapped || look === looks);
  const version = live.dataset.version;
  if (tapped) untold?.remove();
  if (tapped && live.contains(by)) opener = by;
  let came = await lookUp(address);
  if (!came) {
    document.dispatchEvent(new CustomEvent("table:lost"));
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    if (meant()) came = await lookUp(address);
  }
  if (!meant()) return;
  if (!came) {
    const box = sheetBox.querySelector(".sheet") || live.querySelector("main");
    if (tapped && box) untold = unsent(box, null);
    return;
  }
  const { answer, text } = came;
  if (answer.status === 204) return close(false, tapped);
  if (!answer.ok) return tapped ? location.assign(address) : undefined;
  if (!tapped && opened() !== address) return;
  const was = sheetBox.querySelector(".sheet");
  const inside =
    was && !tapped && was.contains(document.activeElement) ? document.activeElement : null;
  const again = inside && signOf(inside);
  const top = was && !tapped ? was.scrollTop : 0;
  const fresh = document.createElement("template");
  fresh.innerHTML = text;
  const sheet = fresh.content.querySelector(".sheet");
  const actor = tapped ? "" : was?.dataset.actor;
  if (!sheet || (actor && actor !== sheet.dataset.actor)) return close(false, tapped); // the turn it was for is over
  if (!opened()) tell("opening");
  if (was && !tapped && sheet.dataset.kind === was.dataset.kind) renew(was, sheet.outerHTML);
  else sheetBox.replaceChildren(fresh.content);
  const shown = /** @type {HTMLElement} */ (sheetBox.querySelector(".sheet"));
  if (!tapped && sheet.dataset.kind !== was?.dataset.kind) settled = performance.now() + SETTLE_MS;
  if (tapped) missing = "";
  if (missing) missed();
  history.scrollRestoration = "manual"; // where the page stands then is for who closes the sheet
  if (!history.state?.sheet) history.pushState({ sheet: true }, "");
  shown.scrollTop = top;
  tell("shown", tapped);
  if (tapped && live.dataset.version !== version) open(opened(), false); // it has moved on meanwhile
  const heading = shown.querySelector("h2");
  if (tapped) heading?.focus({ preventScroll: true });
  else if (again && !(shown.contains(inside) && inside && signOf(inside) === again)) {
    const same = [...shown.querySelectorAll("a,button")].find((each) => signOf(each) === again);
    (same || heading)?.focus({ preventScroll: true });
  }
}

// What was tapped lies marked, to be tapped again.
function missed() {
  const sheet = sheetBox.querySelector(".sheet");
  const button = [...sheetBox.querySelectorAll("button")].find((each) => signOf(each) === missing);
  if (sheet && button) unsent(sheet, button);
}

/** @param {boolean} [played] @param {boolean} [tapped] else what was tapped meanwhile still opens */
export function close(played = false, tapped = true) {
  if (tapped) taps++;
  missing = "";
  if (!sheetBox.firstChild) return;
  const inside = sheetBox.contains(document.activeElement);
  sheetBox.replaceChildren();
  if (history.state?.sheet && !leaving && !isLeaving() && performance.now() - going > LEAVE_MS) {
    // going back would stop that
    leaving = true;
    history.back();
  }
  if (opener?.isConnected && !played) opener.focus({ preventScroll: true });
  else if (inside) focusHeading();
  opener = null;
  tell("closed");
}

// On the window: whatever else wants a tap has had it.
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("[data-sheet], [data-close], .log a");
  if (!link && event.target.closest("a[href]:not([download], [href^='#'])"))
    going = performance.now();
  if (!link) return;
  event.preventDefault();
  if (link.hasAttribute("data-close")) return close();
  link.setAttribute("aria-busy", "true");
  open(/** @type {string} */ (link.getAttribute("href")), true, link).finally(() =>
    link.removeAttribute("aria-busy")
  );
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && opened()) close();
});
// A tap beside a sheet closes it, where nothing else answers; some parts answer everywhere.
const ANSWERS = "#sheet, a, button, summary, input, .mazebox, .own";
addEventListener("click", (event) => {
  if (!opened() || event.defaultPrevented || !event.target.isConnected) return;
  if (!event.target.closest(ANSWERS)) close();
});

// What else a sheet does comes with the first one, or where one was open on the page before.
const watchSheets = () =>
  needed("sheets.js").then(({ swiped, lasts }) => {
    swiped(sheetBox, () => opened() && close());
    lasts(live.dataset.table, opened, open);
  });
if (kept("sheet")) watchSheets();
else live.addEventListener("sheet:opening", watchSheets, { once: true });
if (leaving) history.back(); // else Back would do nothing, once
// The phone's Back closes a sheet; one that was closed otherwise takes its entry with it.
addEventListener("popstate", () => {
  // not before WebKit has asked, after this event, whether to scroll to where the page stood
  setTimeout(() => {
    if (!history.state?.sheet) history.scrollRestoration = "auto";
  });
  if (!leaving) return history.state?.sheet || close();
  leaving = false;
  if (opened() && !history.state?.sheet) history.pushState({ sheet: true }, ""); // another was opened meanwhile
});
sheetBox.addEventListener("submit", () => {
  sending = opened();
  missing = "";
});
sheetBox.addEventListener(
  "click",
  (event) => {
    if (performance.now() >= settled) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true
);
live.addEventListener("form:unsent", (event) => {
  const { form, button } = event.detail;
  // it was the play itself that has closed the sheet
  if (!form.isConnected && (!isMyTurn() || question())) event.preventDefault();
  if (!form.isConnected) sending = "";
  strayed ||= !form.isConnected && !event.defaultPrevented;
  if (!sheetBox.contains(form)) return;
  event.preventDefault();
  sending = "";
  missing = button ? signOf(button) : "";
  missed();
});

live.addEventListener("form:refused", () => {
  sending = ""; // nothing was played
});

const isMyTurn = () => live.querySelector("main")?.dataset.turn === "mine";
let mine = isMyTurn();
let began = false;
/** Whether it has become somebody's turn here with what was shown last. */
export const turnBegan = () => began;
// An end that waits, for some seconds: a sheet would hide that it can be stopped, and so would the role.
const isAsked = () => !!live.querySelector(".asks");
let asked = isAsked();
if (asked && location.hash === "#look") location.replace("#live");
// What this phone is asked at once: the goal card that its player has reached.
const question = () => live.querySelector("main .sheet");
let questioned = !!question();
let stood = 0; // the page, before a question moved it
question()?.scrollIntoView({ block: "nearest" });

live.addEventListener("table:shown", () => {
  const before = asked;
  asked = isAsked();
  if (asked && !before) {
    close(true);
    if (location.hash === "#look") location.replace("#live");
  }
  const now = isMyTurn();
  if (strayed && (!now || question())) {
    // it has arrived after all, or can be sent no more
    strayed = false;
    live.querySelector("main > .unsaid")?.remove();
  }
  began = now && !mine;
  if (began && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(150);
  mine = now;
  if (sending) {
    // else it was closed meanwhile, and perhaps another one opened
    if (opened() === sending) close(true); // the page is where it was before the sheet
    sending = "";
    document.getElementById("corrected")?.scrollIntoView({ block: "nearest" });
  }
  const sheet = question();
  if (sheet && !questioned) {
    stood = scrollY;
    sheet.scrollIntoView({ block: "nearest" });
  }
  if (!sheet && questioned) scrollTo(0, Math.min(stood, scrollY));
  questioned = !!sheet;
  if (!opened()) return;
  tell("stays");
  open(opened(), false);
});
