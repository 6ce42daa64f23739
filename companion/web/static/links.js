// A link that is tapped while the table is out of touch leads on when it is back: the browser would put a page of its
// own in the place of this one.

const live = /** @type {HTMLElement} */ (document.getElementById("live"));

/** @type {HTMLAnchorElement | null} */
let waits = null;
let inTouch = () => false;

/** @param {() => boolean} isConnected with the table: where the machine that serves has no network, its own browser takes
 * itself to be offline, and is not */
export function wait(isConnected) {
  inTouch = isConnected;
}

const isLost = () => live.classList.contains("lost") || !(navigator.onLine || inTouch());

function goOn() {
  if (!waits || isLost()) return;
  waits.removeAttribute("aria-busy");
  location.assign(waits.href);
  waits = null;
}

// On the window: whatever else wants a tap has had it.
addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[href]"));
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!link || !isLost() || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  waits?.removeAttribute("aria-busy");
  waits = link;
  link.setAttribute("aria-busy", "true");
});
// Whoever does something else meanwhile stays here.
addEventListener(
  "pointerdown",
  (event) => {
    if (!waits || waits.contains(/** @type {Node} */ (event.target))) return;
    waits.removeAttribute("aria-busy");
    waits = null;
  },
  true
);
new MutationObserver(goOn).observe(live, { attributeFilter: ["class"] });
addEventListener("online", goOn);
