// A link or a form that leads to another page waits while the table is out of touch, and goes when it is back: the
// browser would put a page of its own in the place of this one.

const EVERY_MS = 300;

const live = /** @type {HTMLElement} */ (document.getElementById("live"));

/** @type {{control: Element, go: () => void} | null} */
let waits = null;
let timer = 0;
let isConnected = () => false;
let isSilent = () => live.classList.contains("lost");

/** @param {() => boolean} connected with the table: where the machine that serves has no network, its own browser takes
 * itself to be offline, and is not
 * @param {() => boolean} [silent] the table has not answered for a while */
export function wait(connected, silent = isSilent) {
  isConnected = connected;
  isSilent = silent;
}

const isLost = () => isSilent() || !(navigator.onLine || isConnected());

function forget() {
  waits?.control.removeAttribute("aria-busy");
  clearInterval(timer);
  waits = null;
}

function goOn() {
  if (!waits || isLost()) return;
  const { go } = waits;
  forget();
  go();
}

/** @param {Event} event @param {Element} control @param {() => void} go */
function hold(event, control, go) {
  event.preventDefault();
  forget();
  waits = { control, go };
  timer = setInterval(goOn, EVERY_MS);
  control.setAttribute("aria-busy", "true");
}

// On the window: whatever else wants a tap has had it.
addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest("a[href]"));
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!link || !isLost() || link.getAttribute("href")?.startsWith("#")) return;
  hold(event, link, () => location.assign(link.href));
});
// Before anything else takes it for sent.
addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (form.method !== "post" || form.matches("[data-stay], [data-hold]") || !isLost()) return;
    event.stopImmediatePropagation();
    const { submitter } = /** @type {SubmitEvent} */ (event);
    const { version } = live.dataset;
    hold(event, submitter || form, () => {
      // what has happened meanwhile may have made it another deed; iOS 15 has no requestSubmit
      if (form.isConnected && live.dataset.version === version) submitter?.click();
    });
  },
  true
);
// Whoever does something else meanwhile stays here.
for (const begins of ["pointerdown", "input"])
  addEventListener(
    begins,
    (event) => {
      if (!waits?.control.contains(/** @type {Node} */ (event.target))) forget();
    },
    true
  );
