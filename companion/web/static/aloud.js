// A secret is read aloud, by a button that asks once more: others may hear it. As one that is held, it is out of the
// page when five seconds are over, or when the page loses sight or focus.

const SHOWN_MS = 5000;
const ARMED_MS = 8000;
const HEARD_MS = 500; // a press before that is none of who has heard what is asked

/** @type {HTMLButtonElement | null} */
let armed = null; // the button that has asked whether to read aloud
let since = 0; // when it did, by the page's clock
let disarms = 0; // the timer at whose end it no longer asks
/** @type {WeakMap<Element, string>} */
const labels = new WeakMap(); // of these buttons while they ask

let quiet = 0; // the timer at whose end nothing is read any more
let reading = new AbortController(); // of what is fetched to be read
/** @type {((on: boolean) => void) | null} */
let speaking = null; // told when it is over; null: nothing is read

/** @param {Element | null} box */
const words = (box) =>
  [.../** @type {Element} */ (box).childNodes].map((each) => each.textContent?.trim()).join(" ");

const voiceOf = () => /** @type {HTMLElement} */ (document.getElementById("aloud"));

/** @param {HTMLButtonElement} button
 * @param {(form: HTMLFormElement, signal: AbortSignal) => Promise<DocumentFragment>} secret
 * @param {(on: boolean) => void} speak */
export async function aloud(button, secret, speak) {
  // where the page was drawn anew meanwhile, it asks no more
  if (armed !== button || button.textContent !== button.dataset.ask) return arm(button);
  if (performance.now() - since < HEARD_MS) return;
  armed = null;
  speaking = speak;
  speak(true);
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    hush(); // the page is held as long for the answer
    document.dispatchEvent(new CustomEvent("table:lost"));
  }, SHOWN_MS);
  reading = new AbortController();
  const mine = reading;
  try {
    const content = await secret(/** @type {HTMLFormElement} */ (button.form), mine.signal);
    if (mine.signal.aborted) return; // nobody listens any more
    voiceOf().textContent = words(
      content.querySelector("[data-say]") || content.querySelector(".plaque")
    );
    clearTimeout(quiet);
    quiet = setTimeout(hush, SHOWN_MS);
  } catch {
    if (mine.signal.aborted) return; // it is over already
    if (reading === mine) hush();
    document.dispatchEvent(new CustomEvent("table:lost", { detail: button.form }));
  }
}

/** @param {HTMLButtonElement} button */
function arm(button) {
  const ask = /** @type {string} */ (button.dataset.ask);
  const label = button.textContent === ask ? labels.get(button) : button.textContent;
  labels.set(button, label ?? "");
  armed = button;
  since = performance.now();
  voiceOf().textContent = button.textContent = ask;
  clearTimeout(disarms);
  disarms = setTimeout(() => {
    if (button.textContent === ask) button.textContent = labels.get(button) ?? "";
    if (armed !== button) return;
    armed = null;
    voiceOf().textContent = "";
  }, ARMED_MS);
}

function hush() {
  if (!speaking) return;
  clearTimeout(quiet);
  reading.abort();
  voiceOf().textContent = "";
  const speak = speaking;
  speaking = null;
  speak(false);
}

for (const end of ["blur", "pagehide"]) addEventListener(end, hush);
document.addEventListener("visibilitychange", () => document.hidden && hush());
