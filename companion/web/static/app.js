// Every page: nothing is sent twice.

const TWICE_MS = 350;
const UNREAD_MS = 800; // other words than were tapped: nobody has read them by then
const NEAR_PX = 24;
const AGAIN_MS = 5_000; // a page that has not come by then may have been stopped
document.documentElement.classList.add("js");

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("[data-stay], [data-hold]")) return;
  if ("busy" in form.dataset) event.preventDefault();
  form.dataset.busy = "";
  setTimeout(() => delete form.dataset.busy, AGAIN_MS);
});

// The second of two quick taps is not meant for what has come to lie under the finger meanwhile.
let tap = { deed: "", words: "", timeStamp: 0, x: 0, y: 0 };

/** @param {HTMLButtonElement | null} control */
function deedOf(control) {
  if (!control) return "";
  // what goes a step at each tap is the same, wherever it has come to
  const step = control.getAttribute("rel") || control.id;
  if (step) return step;
  const sends = control.type === "submit" ? control.form : null;
  const fields = sends ? new URLSearchParams(/** @type {any} */ (new FormData(sends))) : "";
  return [
    sends?.action,
    fields,
    control.name,
    control.value,
    control.getAttribute("href"),
    control.textContent
  ].join();
}

/** @param {Element | null} element @returns {HTMLButtonElement | null} */
const controlOf = (element) =>
  /** @type {HTMLButtonElement | null | undefined} */ (element?.closest("a, button, summary")) ||
  null;

/** @param {{x: number, y: number}} point */
const controlAt = ({ x, y }) => controlOf(document.elementFromPoint(x, y));

addEventListener(
  "click",
  (event) => {
    if (!event.detail) return; // by key
    const { timeStamp, x, y } = event;
    const control = controlOf(event.target);
    const deed = deedOf(control);
    const words = control?.textContent || "";
    const within_ms = words === tap.words ? TWICE_MS : UNREAD_MS;
    const soon =
      timeStamp - tap.timeStamp < within_ms && Math.hypot(x - tap.x, y - tap.y) < NEAR_PX;
    const again = event.pointerType === "mouse" ? event.detail > 1 : soon;
    const other =
      again && tap.deed && deed && deed !== tap.deed && deedOf(controlAt(tap)) !== tap.deed;
    tap = other ? { ...tap, timeStamp, x, y } : { deed, words, timeStamp, x, y };
    if (!other) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true
);
document.addEventListener("click", ({ target }) => {
  // What somebody unfolds is in sight, above the dock; if it is higher than the window, its top.
  const fold = /** @type {HTMLDetailsElement} */ (target.closest("summary")?.parentElement);
  if (fold) setTimeout(() => fold.open && fold.scrollIntoView({ block: "nearest" }));
});

// A page that comes back from the browser's memory may send its forms again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-busy]")) delete form.dataset.busy;
});
