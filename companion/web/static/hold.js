// Hold to reveal: the secret is fetched when the card is pressed and is out of the page when it is let go,
// when five seconds are over, or when the page loses sight or focus, whichever comes first.

import { load } from "./load.js";

const SHOWN_MS = 5000;
const SEEN_MS = 300; // so long it was shown: whoever held it has seen it
const SHORT_MS = 4000; // that a hold was too short is said
const LIFTED_MS = 400;
const AWAY_MS = 6000;
const AGAIN_MS = 1500; // that a card was seen is told again, if it was lost on its way
const TIMES = 4;
const ANSWER_MS = 5000; // an answer that has not come by then is lost
/** @type {{pad: HTMLButtonElement, slot: HTMLElement, cover: Node[], gone: AbortController, timer: number, seen: number, lost: boolean} | null} */
let held = null; // the hold that is going on
let away = 0; // of a timer: when a card that lies covered on a phone of several players goes
let short = 0; // of a timer: how long it is said of what was held last
let lifted = -LIFTED_MS; // when a finger last left a pad
let speaking = false; // a secret is read aloud: what changes meanwhile would cut it off

export const isHeld = () => held !== null || speaking;
const sayCovered = () => document.dispatchEvent(new CustomEvent("card:covered"));

/** What a form would send. @param {HTMLFormElement} form */
export const fieldsOf = (form) => new URLSearchParams(/** @type {any} */ (new FormData(form)));

/** @param {HTMLFormElement} [detail] whose answer is missed, by whoever has tapped */
const sayLost = (detail) => document.dispatchEvent(new CustomEvent("table:lost", { detail }));

/** @param {HTMLFormElement} form @param {AbortSignal} [signal] @param {boolean} [peek] only asked for: it may yet be let go before it is seen */
async function secret(form, signal, peek = false) {
  const fields = fieldsOf(form);
  if (peek) fields.append("peek", "1");
  const answer = await fetch(form.action, {
    method: "POST",
    body: fields,
    headers: { "X-Requested-With": "fetch" },
    cache: "no-store",
    keepalive: !peek, // also when the phone is locked at once
    signal
  });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const box = document.createElement("template");
  box.innerHTML = await answer.text();
  return box.content;
}

/** @param {HTMLButtonElement} pad */
async function press(pad) {
  if (held) return;
  const form = /** @type {HTMLFormElement} */ (pad.form);
  const slot = /** @type {HTMLElement} */ (form.querySelector("[data-slot]"));
  const mine = {
    pad,
    slot,
    cover: [...slot.childNodes],
    gone: new AbortController(),
    timer: 0,
    seen: 0,
    lost: false
  };
  held = mine;
  delete pad.dataset.short;
  form.querySelector(".unsaid")?.remove();
  pad.classList.add("on");
  slot.scrollIntoView({ block: "nearest" }); // what is shown may lie higher up than its button
  const dock = pad.closest(".dock")?.getBoundingClientRect();
  if (dock) scrollBy(0, Math.max(0, slot.getBoundingClientRect().bottom - dock.top)); // not behind it
  try {
    const content = await secret(form, mine.gone.signal, true);
    if (held !== mine) return; // let go meanwhile: never shown
    slot.replaceChildren(content);
    pad.classList.add("shown");
    mine.timer = setTimeout(cover, SHOWN_MS);
    if (form.matches(".hold")) mine.seen = setTimeout(() => seen(form, mine), SEEN_MS);
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") return;
    mine.lost = true;
    cover();
    sayLost(form);
  }
}

/** The others learn that this player has looked. @param {HTMLFormElement} form @param {NonNullable<typeof held>} mine */
function seen(form, mine, times = TIMES) {
  mine.seen = 0;
  // where browsers cannot give up by themselves, one that fails is all that is told again
  secret(form, AbortSignal.timeout?.(ANSWER_MS)).catch(() => {
    sayLost();
    if (times > 1 && form.isConnected) setTimeout(() => seen(form, mine, times - 1), AGAIN_MS);
  });
}

function cover() {
  if (!held) return;
  const { pad, slot, gone, timer, seen: early, lost } = held;
  const before = held.cover;
  held = null;
  clearTimeout(timer);
  clearTimeout(early);
  if (early || !(lost || pad.classList.contains("shown"))) {
    pad.dataset.short = "";
    clearTimeout(short);
    short = setTimeout(() => {
      for (const each of document.querySelectorAll("[data-short]"))
        each.removeAttribute("data-short");
    }, SHORT_MS);
  }
  gone.abort();
  slot.replaceChildren(...before);
  pad.classList.remove("on", "shown");
  sayCovered();
}

/** @param {boolean} on */
function speak(on) {
  speaking = on;
  if (!on) sayCovered();
}

/** @param {Event} event */
const padOf = (event) => /** @type {Element} */ (event.target).closest?.("button[data-pad]");

/** The card itself can be held, too. @param {Event} event @returns {HTMLButtonElement | null} */
function padUnder(event) {
  const card = /** @type {Element} */ (event.target).closest?.(".hold [data-slot]");
  return padOf(event) || card?.closest("form")?.querySelector("button[data-pad]") || null;
}

document.addEventListener("pointerdown", (event) => {
  lifted = -LIFTED_MS; // a new touch is meant
  const pad = padUnder(event);
  if (!pad || event.button !== 0) return;
  pad.setPointerCapture?.(event.pointerId);
  press(pad);
});
/** @param {KeyboardEvent} event */
const byKey = ({ key }) => key === " " || key === "Enter";
document.addEventListener("keydown", (event) => {
  const pad = padOf(event);
  if (!pad || !byKey(event)) return;
  event.preventDefault();
  if (!event.repeat) press(/** @type {HTMLButtonElement} */ (pad));
});
document.addEventListener("keyup", (event) => {
  if (!byKey(event)) return;
  if (padOf(event)) event.preventDefault();
  cover();
});
for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
  document.addEventListener(end, (event) => {
    if (held || padOf(event)) lifted = performance.now();
    cover();
  });
}
// The page may have changed under the finger: what lies there now was not meant.
for (const tap of ["mousedown", "click"]) {
  addEventListener(
    tap,
    (event) => {
      if (performance.now() - lifted > LIFTED_MS || padOf(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true
  );
}
// On a phone of several players a card waits only for a moment for whose it is.
document.addEventListener("card:covered", () => {
  clearTimeout(away);
  away = setTimeout(() => {
    const back = /** @type {HTMLAnchorElement?} */ (document.querySelector("#look [data-away]"));
    if (back && location.hash === "#look" && !isHeld()) location.replace(back.href);
  }, AWAY_MS);
});
document.addEventListener("focusout", (event) => event.target === held?.pad && cover());
for (const end of ["blur", "pagehide"]) addEventListener(end, cover);
document.addEventListener("visibilitychange", () => document.hidden && cover());
document.addEventListener("contextmenu", (event) => padUnder(event) && event.preventDefault());
document.addEventListener(
  "submit",
  (event) => event.target.hasAttribute("data-hold") && event.preventDefault()
);
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-aloud]");
  if (!button) return;
  try {
    const { aloud } = await load("aloud.js");
    aloud(/** @type {HTMLButtonElement} */ (button), secret, speak);
  } catch {
    sayLost();
  }
});
