// A page at a table: what is new takes its place, what is open stays, and forms are sent without a reload.

import { fieldsOf, isHeld } from "./hold.js";
import { assets, needed } from "./load.js";
import { follow, isConnected, leave, reconnect, reload } from "./stream.js";
import { kept } from "./tab.js";

const ANSWER_MS = 15_000;
const TOO_MANY = 429;
const TOGETHER = ["settled", "over"]; // stages
const SHOWN_MS = 2_000; // until the stream must have brought what was accepted
const READ_MS = 10_000; // a refusal stays for so long, whatever else happens at the table
const AGAIN_MS = 1_000; // what did not come is asked for again
const MERGER_MS = 2_000; // a page that follows its table late is worse than one that loses a fold

export const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const news = /** @type {HTMLElement} */ (document.getElementById("news"));
const sprite = /** @type {HTMLElement} */ (document.querySelector(".sprite[data-rest]"));
const title = document.title;

/** @type {[string, string][]} */
let pending = []; // what came while a card was held or before it can be merged, with its version
let refused = 0; // when a play of this phone was
let announced = aloud();

// What the page needs only when it changes comes when it is in sight.
/** @type {typeof import("./parts.js")} */
let parts;
let merges = false;
const merging = Promise.all([
  needed("parts.js"),
  new Promise((done) => {
    bringMerger(done);
    setTimeout(done, MERGER_MS);
  })
]).then(([came]) => {
  parts = came;
  merges = true;
  if (!isHeld()) catchUp();
});
needed("drawings.js").then(({ bring }) => bring(sprite));

// What is typed outlives another language: watched once something is, or was on the page before.
const watchTyped = () => needed("kept.js");
if (kept("kept")) watchTyped();
addEventListener("input", watchTyped, { once: true });

/** What merges HTML into a page, as often as it takes. @param {(_: any) => void} came */
function bringMerger(came) {
  const script = document.createElement("script");
  script.onload = came;
  script.onerror = () => setTimeout(bringMerger, AGAIN_MS, came);
  script.src = `${assets}/vendor/idiomorph.min.js`;
  document.head.append(script);
}

// What is new takes its place.

/** Lines of JSON. @param {string} text */
const read = (text) => text.split("\n").map((line) => JSON.parse(line));

/** @typedef {Record<string, import("./parts.js").Change>[]} Lines */

/** Of the whole page. @param {Lines} lines */
const isWhole = (lines) => lines.some((said) => live.id in said);

const isRead = () => Date.now() - refused > READ_MS; // the refusal of a play

/** @param {Lines} lines @param {string} version */
function swap(lines, version) {
  delete live.dataset.etag; // of the page as it was loaded; this may be the answer to a form
  const inside = live.contains(document.activeElement);
  const before = stage();
  /** What was said not to be sent stays on a page that was only loaded anew. @param {any} node */
  const goes = (node) =>
    (node.id !== "refusal" || isRead()) && !(node.matches?.(".unsaid") && isWhole(lines));
  if (!lines.every((said) => parts.apply(live, said, goes))) return reconnect();
  if (version) live.dataset.version = version;
  if (unheard && !isOpen(unheard))
    for (const each of live.querySelectorAll(".unsaid")) each.remove();
  if (!document.querySelector(".unsaid")) unmark();
  const refusal = document.getElementById("refusal");
  if (refusal && refused && isRead()) refusal.remove();
  if (stage() !== before) toHead();
  afterChange(inside);
}

const stage = () => live.querySelector("main")?.dataset.stage;

// Another stage of the game begins where it can be read: at its head, and not at a role once more; what all look at
// together, on the table screen, where this page was only opened to report for somebody.
function toHead() {
  const fromScreen = new URLSearchParams(location.search).has("screen");
  if (fromScreen && TOGETHER.includes(stage() || "")) leave(`/t/${live.dataset.table}/screen`);
  if (location.hash === "#look") location.replace("#live");
  scrollTo(0, 0);
}

/** @param {Element} element @param {string} html */
export const renew = (element, html) => parts.renew(element, html);

/** @param {boolean} inside whether the focus was in the page */
function afterChange(inside) {
  const needs = live.querySelector("[data-needs]")?.dataset.needs;
  if (needs && !sprite.dataset.rest?.includes(`/${needs}.svg`)) return reload(); // another way to play: other drawings
  const active = document.activeElement === document.body ? null : document.activeElement;
  if (inside && !active?.getClientRects().length) focusHeading();
  if (location.hash === "#look" && !document.getElementById("look")?.firstChild)
    location.replace("#live");
  const now = aloud();
  if (now !== announced) news.textContent = now ?? "";
  announced = now;
  entitle();
  live.dispatchEvent(new CustomEvent("table:shown"));
}

// What has happened and, where that is told too, what is to be done: as this phone is told first.
function aloud() {
  const told = /** @type {HTMLElement?} */ (live.querySelector("[data-news]"))?.dataset;
  const first = live.querySelector("[data-to-do]")?.dataset.toDo;
  return told?.toDo ? `${told.news} ${first}` : told?.news;
}

// The tab says what the page says first: whose turn it is.
function entitle() {
  const first = live.querySelector(".turn.mine h1, #mine h1, #turn h1")?.textContent;
  document.title = first ? `${first} – ${title}` : title;
}

/** Until the page shows this version of the table. @param {number} version */
async function untilVersion(version) {
  const until = Date.now() + SHOWN_MS;
  while (Number(live.dataset.version) < version && Date.now() < until)
    await new Promise((done) => setTimeout(done, 20));
  if (Number(live.dataset.version) < version) reconnect();
}

// Where who reads by ear or key goes on: at what the phone asks, or whose turn it is.
export function focusHeading() {
  const heading = [...live.querySelectorAll("main .sheet h2"), ...live.querySelectorAll("h1")].find(
    (each) => each.getClientRects().length
  );
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

// While a card is held nothing moves; the newest state follows when it is let go.
function catchUp() {
  const messages = pending;
  pending = [];
  for (const [data, version] of messages) swap(read(data), version);
}
document.addEventListener("card:covered", () => merges && !isHeld() && catchUp());

document.addEventListener("table:lost", ({ detail }) => detail && unsent(detail, null));

// Forms: each is sent once, and its answer is the fresh part of this page or the way to another.

/** What is on its way of each form, and the version of the table that it was sent for.
 * @type {WeakMap<HTMLFormElement, {deed: string, shown?: string, button: HTMLButtonElement | null}>} */
const inFlight = new WeakMap();
/** What was sent last, if no answer came, and the version of the table that it was sent for: it may
 * have arrived, so while the page says that it did not, the same is sent for that version again.
 * @type {{deed: string, version: string} | null} */
let unheard = null;

function unmark() {
  for (const each of document.querySelectorAll("[data-unsent]"))
    each.removeAttribute("data-unsent");
}

/** Says in `box` that what was tapped did not arrive, or why not.
 * @param {Element} box @param {Element | null} button @param {string} [why] as HTML */
export function unsent(box, button, why) {
  box.querySelector(".unsaid")?.remove();
  const said = /** @type {HTMLTemplateElement} */ (document.getElementById("unsent"));
  box.prepend(said.content.cloneNode(true));
  const words = box.querySelector(".unsaid span");
  if (words && why) words.innerHTML = why;
  button?.setAttribute("data-unsent", "");
  return box.querySelector(".unsaid");
}

/** Where it is said of a form: its sheet may have been closed meanwhile. @param {HTMLFormElement} form */
const boxOf = (form) =>
  form.isConnected ? form.closest(".dock, .answers") || form : live.querySelector("main") || live;

/** The table stays in sight, and what is said goes when it is over.
 * @param {HTMLFormElement} form @param {string} page that says so @param {number} wait_s */
async function tooOften(form, page, wait_s) {
  await merging;
  live.dispatchEvent(new CustomEvent("form:refused", { detail: { form } }));
  const said = unsent(boxOf(form), null, parts.reason(page));
  setTimeout(() => said?.remove(), 1000 * wait_s || READ_MS); // a proxy may not say how long
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement | null} button */
const deedOf = (form, button) => [form.action, typed(form), button?.name, button?.value].join();

/** Whether the page may still ask for it to be sent again: nothing has happened since, or nothing but
 * itself, and it can be sent as it was. @param {NonNullable<typeof unheard>} sending */
const isOpen = ({ deed, version }) =>
  live.dataset.version === version ||
  (Number(live.dataset.version) <= Number(version) + 1 &&
    [...live.querySelectorAll("form")].some((form) =>
      [null, ...form.querySelectorAll("button")].some((button) => deedOf(form, button) === deed)
    ));

/** What is in a form, but for the version that is there. @param {HTMLFormElement} form */
export function typed(form) {
  const fields = fieldsOf(form);
  fields.delete("version");
  return `${fields}`;
}

/** What was accepted is not left standing; what was typed meanwhile is.
 * @param {HTMLFormElement} form @param {string} before */
function empty(form, before) {
  if (typed(form) === before) form.reset();
}

/** @param {HTMLFormElement} form @param {URLSearchParams} fields @param {AbortSignal} signal */
const post = (form, fields, signal) =>
  fetch(form.action, {
    method: "POST",
    keepalive: true, // also when the page is left meanwhile
    body: fields,
    headers: { "X-Requested-With": "fetch", "X-Stream": isConnected() ? "open" : "" },
    signal
  });

/** While a card is held nothing moves. */
async function letGo() {
  while (isHeld())
    await new Promise((done) => document.addEventListener("card:covered", done, { once: true }));
}

/** @param {HTMLFormElement} form @param {Response} answer @param {string} before what was typed in it */
async function answered(form, answer, before) {
  const on = answer.headers.get("X-Location");
  const text = await answer.text();
  await letGo();
  if (answer.status !== TOO_MANY) unheard = null;
  if (on) return leave(on);
  if (answer.status === 204) {
    refused = 0;
    document.getElementById("refusal")?.remove();
    await untilVersion(Number(answer.headers.get("X-Version")));
    empty(form, before);
    return afterChange(live.contains(document.activeElement));
  }
  if (answer.status === TOO_MANY)
    return tooOften(form, text, Number(answer.headers.get("Retry-After")));
  if (!answer.headers.has("Content-Language")) throw new Error(`${answer.status}`); // a proxy's own words
  await merging;
  const json = answer.headers.get("Content-Type")?.startsWith("application/json");
  const lines = json ? read(text) : [{ live: text }];
  const now = answer.headers.get("X-Version") || live.dataset.version || "";
  const overtaken = Number(now) < Number(live.dataset.version); // the stream was faster
  const whole = isWhole(lines);
  refused = 0;
  swap(lines, whole && !overtaken ? now : "");
  if (overtaken) reconnect();
  else if (!whole) untilVersion(Number(now)); // only the stream brings what others have done
  if (answer.ok) return empty(form, before);
  refused = Date.now();
  document.getElementById("refusal")?.scrollIntoView({ block: "nearest" });
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement | null} button */
async function send(form, button) {
  const before = typed(form);
  const stood = live.contains(form);
  const deed = deedOf(form, button);
  const waits = inFlight.get(form);
  // Where the table has told first, the form may have become another one; what changes only the view here goes a
  // step at each tap.
  const isOther =
    !form.version || (waits && waits.deed !== deed && waits.shown !== live.dataset.version);
  if (waits && (!isOther || form.matches("[data-saves]"))) return;
  const mine = { deed, shown: live.dataset.version, button };
  if (unheard?.deed === deed && form.version && document.querySelector(".unsaid"))
    form.version.value = unheard.version;
  const version = form.version?.value;
  for (const each of document.querySelectorAll(".unsaid")) each.remove();
  unmark();
  const fields = fieldsOf(form);
  if (button?.name) fields.append(button.name, button.value);
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), ANSWER_MS);
  inFlight.set(form, mine);
  form.dataset.busy = "";
  button?.setAttribute("aria-busy", "true");
  try {
    await answered(form, await post(form, fields, enough.signal), before);
  } catch {
    reconnect(); // which tells whether it was the line
    const then = version ?? live.dataset.version;
    unheard = then && form.isConnected ? { deed, version: then } : null;
    const detail = { form, button };
    await letGo();
    // a form of the page goes by nothing but what the table says: it has arrived, or cannot be sent any more
    if (stood && !form.isConnected) return;
    if (live.dispatchEvent(new CustomEvent("form:unsent", { detail, cancelable: true })))
      unsent(boxOf(form), button);
  } finally {
    clearTimeout(timer);
    const last = inFlight.get(form) === mine;
    if (last || inFlight.get(form)?.button !== button) button?.removeAttribute("aria-busy");
    if (last) {
      inFlight.delete(form);
      delete form.dataset.busy;
    }
    form.dispatchEvent(new CustomEvent("form:answered", { bubbles: true }));
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (live.contains(form) && form.version) form.version.value = live.dataset.version; // a stream names none
  if (form.matches("[data-stay]")) {
    event.preventDefault();
    send(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
  } else if (!form.matches("[data-hold]")) leave(); // the page goes of itself
});

addEventListener("hashchange", focusHeading); // to the role once more, and back
follow((data, version) => {
  if (isHeld() || !merges) pending.push([data, version]);
  else swap(read(data), version);
});
