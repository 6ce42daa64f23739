// Trains under the fingers: numbers are typed on keys of our own, a row that is dealt sorts itself, and a wagon that
// is tapped goes where it is meant. Without this script the same forms open the same sheets as pages.

import { fieldsOf } from "../hold.js";
import { open, opened, sheetBox, turnBegan } from "../play.js";
import { keep, kept } from "../tab.js";
import { live } from "../table.js";

const PLACES = 7;
export const LAST = 84; // the highest number of a wagon
const NO_WAGON = "99"; // stands for a number in what the server says beforehand
const NOBODY = "@"; // and this for a name

/** @typedef {{where: string, name?: string}} Why the sentence that says what is wrong, and whose wagon it is about */

// What is typed: in a sheet that is open, else on the page.
const typing = () => sheetBox.querySelector("[data-typing]") || live.querySelector("[data-typing]");
/** @param {Element} box @returns {HTMLInputElement | HTMLParagraphElement} */
const entryOf = (box) => /** @type {HTMLInputElement} */ (box.querySelector("[data-entry]"));
/** @param {Element} box */
const read = (box) => {
  const entry = entryOf(box);
  return "value" in entry ? entry.value : entry.textContent;
};
/** @param {Element} box */
const rowOf = (box) => box.closest("form.deal");

/** @param {Element} box @param {string} number */
function write(box, number) {
  const entry = entryOf(box);
  if ("value" in entry) entry.value = number;
  else entry.textContent = number;
  putAt = NOWHERE;
  tapped = "";
  barred = null;
  note(box);
  judge(box);
  light();
  if (!rowOf(box)) heard(box).textContent = number;
}

/** @param {Element} box */
const heard = (box) => /** @type {Element} */ (box.querySelector("[data-said]"));

// Refused at once

/** @param {string} number @returns {Why | null} */
function taken(number) {
  /** @param {(each: HTMLElement) => boolean | undefined} lies */
  const owner = (lies) => [...live.querySelectorAll("[data-owner]")].find(lies)?.dataset.owner;
  const row = owner((each) =>
    [...each.querySelectorAll(".wag b")].some((wagon) => wagon.textContent === number)
  );
  if (row) return { where: "row", name: row };
  if (live.querySelector(`[data-n="${number}"]`)) return { where: "market" };
  for (const where of ["protection", "removed"]) {
    const name = owner((each) => each.dataset[where]?.split(" ").includes(number));
    if (name) return { where, name };
  }
  return null;
}

/** @param {Element} box @param {string} number @returns {Why | null} */
function wrong(box, number) {
  if (!(Number(number) >= 1 && Number(number) <= LAST)) return { where: "range" };
  const own = rowOf(box);
  if (own && numbersOf(own).includes(Number(number))) return { where: "twice" };
  return taken(String(Number(number)));
}

/** @param {string} number */
export const whole = (number) => number.length === 2 || Number(`${number}0`) > LAST;

/** The number that went into no row: why is said until something is typed.
 * @type {{row: string, number: string} | null} */
let barred = null;

// What is wrong with what is typed so far: of a row, also what somebody else has typed meanwhile.
/** @param {Element} box */
function judge(box) {
  const own = rowOf(box);
  const number = read(box);
  if (!own) return say(box, whole(number) ? wrong(box, number) : null, number);
  const lost = numbersOf(own).map(String).filter(taken);
  if (number) say(box, null);
  else if (lost.length) say(box, taken(lost[0]), lost[0]);
  else if (barred?.row === keyOf(own)) say(box, wrong(box, barred.number), barred.number);
  else say(box, null);
  for (const input of inputsOf(own))
    input.closest(".wag")?.classList.toggle("lost", lost.includes(input.value));
  const right = numbersOf(own).length === PLACES && !lost.length;
  const done = /** @type {HTMLButtonElement} */ (own.querySelector("button[data-done]"));
  const byKeys = box.contains(document.activeElement);
  done.disabled = !right;
  own.classList.toggle("whole", right);
  if (right && byKeys) done.focus({ preventScroll: true }); // the keys have gone
}

// A number goes from the entry to its place in the row before it is read out: so it is said beside, with how many lie
// there now.
/** @param {HTMLFormElement} own @param {string} number */
function tell(own, number) {
  const said = own.querySelector("[data-said]");
  if (said) said.textContent = `${number} · ${numbersOf(own).length}/${PLACES}`;
}

// A sentence of the server's, with the number and the name in their places.
/** @param {Element} box @param {Why | null} why */
function say(box, why, number = "") {
  const says = /** @type {HTMLElement} */ (box.querySelector("[data-says]"));
  const said = why ? sentence(/** @type {string} */ (says.dataset[why.where]), why, number) : [];
  const text = said.map((each) => (each instanceof Node ? each.textContent : each)).join("");
  if (says.textContent !== text) says.replaceChildren(...said); // else it would be read out again
}

/** @param {string} form @param {Why} why @param {string} number */
function sentence(form, why, number) {
  const [before, after] = form.replace(NO_WAGON, `${Number(number)}`).split(NOBODY);
  if (why.name === undefined) return [before];
  const name = document.createElement("bdi");
  name.translate = false;
  name.textContent = why.name;
  return [before, name, after || ""];
}

// Keys

let tapped = ""; // the number that was tapped in the row: the next digit begins another one
let went = false; // the last number, into the row by itself: Enter after it means no more than that

/** @param {string} digit */
function key(digit) {
  const box = typing();
  if (!box) return;
  const before = read(box);
  const number = before.length < 2 && before !== tapped ? before + digit : digit;
  if (number === "0") return;
  write(box, number);
  if (!whole(number)) return;
  went = !!rowOf(box);
  enter(box);
}

function erase() {
  const box = typing();
  if (!box) return;
  const number = read(box);
  if (number) return write(box, number.slice(0, -1));
  const own = rowOf(box);
  if (own) out(own, typedOf(own).at(-1));
}

/** Out of the row, and out of mind. @param {HTMLFormElement} own @param {number | undefined} number */
function out(own, number) {
  if (number === undefined) return;
  fill(
    own,
    typedOf(own).filter((each) => each !== number)
  );
  tell(own, `−${number}`);
}

/** Out of the row, to be typed otherwise. @param {HTMLInputElement} input */
function change(input) {
  const own = input.form;
  const box = own?.querySelector("[data-typing]");
  if (!own || !box || !input.value) return;
  const number = input.value;
  const back = tapped && read(box) === tapped ? [Number(tapped)] : []; // was not meant
  fill(own, [...typedOf(own).filter((each) => each !== Number(number)), ...back]);
  write(box, number);
  tapped = number;
  tell(own, `−${number}`);
}

// A deal: each number takes its place in the row.

/** @param {HTMLFormElement} own */
const inputsOf = (own) => [...own.querySelectorAll("input[name=row]")];
/** @param {HTMLFormElement} own */
const numbersOf = (own) =>
  inputsOf(own).flatMap((input) => (input.value ? [Number(input.value)] : []));

/** Under which the row of a form is kept. @param {HTMLFormElement} own */
const keyOf = (own) => own.querySelector("[data-typing]")?.dataset.typing ?? "";

// A row, and half a number, last as long as their game: what is taken back, or drawn anew while somebody types,
// need not be typed again.
/** @param {Element} box */
function note(box) {
  const own = rowOf(box);
  if (own) keep(keyOf(own), `${typedOf(own)};${read(box)}`);
}

/** Of a row, in the order in which they were typed. @param {HTMLFormElement} own */
function typedOf(own) {
  const row = kept(keyOf(own));
  return row === null ? numbersOf(own) : (row.split(";")[0].match(/\d+/g) ?? []).map(Number);
}

/** @param {HTMLFormElement} own @param {number[]} numbers */
function fill(own, numbers) {
  barred = null;
  const half = own.querySelector("[data-entry]")?.textContent;
  keep(keyOf(own), `${numbers};${half}`);
  ready();
}

/** @param {HTMLFormElement} own */
function restore(own) {
  const row = kept(keyOf(own));
  const entry = own.querySelector("[data-entry]");
  if (row === null || !entry) return;
  const sorted = typedOf(own).sort((a, b) => b - a);
  for (const [at, input] of inputsOf(own).entries()) input.value = `${sorted[at] ?? ""}`;
  entry.textContent = row.split(";")[1];
}

/** @param {Element} box */
function enter(box) {
  const own = rowOf(box);
  const number = read(box);
  if (!own) return putChosen(box);
  if (!number) return;
  const why = wrong(box, number);
  const numbers = typedOf(own);
  // Where the row is full, the number goes where one stands that somebody else has now.
  const lost = numbers.length < PLACES ? 0 : numbers.find((each) => taken(`${each}`));
  if (!why && lost !== undefined)
    fill(own, [...numbers.filter((each) => each !== lost), Number(number)]);
  write(box, "");
  if (why) {
    barred = { row: keyOf(own), number };
    say(box, why, number);
  } else if (lost !== undefined) tell(own, number); // a full row takes no more
}

// A drawn wagon: its number, then the wagon that it replaces; or the other way round.

const NOWHERE = { form: "", at: "" };
let chosen = NOWHERE; // the wagon that was tapped first
let putAt = NOWHERE; // the wagon that was tapped last: it is marked while the answer is on its way

/** @param {HTMLFormElement} form */
const entryFor = (form) => document.querySelector(`input[data-entry][form="${form.id}"]`);

/** @param {typeof NOWHERE} place @param {HTMLFormElement} form @param {HTMLButtonElement} button */
const isAt = (place, form, button) => place.form === form.id && place.at === button.value;

function light() {
  const sheet = using();
  for (const form of document.querySelectorAll("form.put")) {
    const entry = entryFor(form);
    const box = entry?.closest("[data-typing]");
    const number = entry?.value || "";
    const fits = !!box && number !== "" && !wrong(box, number);
    form.classList.toggle("ready", fits && !sheet);
    const at = sheet ? sheet.dataset.at : chosen.form === form.id && chosen.at;
    for (const each of form.querySelectorAll("button[name=at]")) {
      const is = each.value === at || isAt(putAt, form, each);
      each.classList.toggle("chosen", is);
      each.ariaPressed = is ? "true" : null;
    }
    const label = box?.querySelector("label");
    const asks = (fits ? label?.dataset.then : label?.dataset.first) ?? "";
    if (label && label.textContent !== asks) label.textContent = asks; // else it would be read out again
  }
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement} button */
function put(form, button) {
  const entry = entryFor(form);
  const box = entry?.closest("[data-typing]");
  if (!entry || !box) return;
  const number = entry.value;
  if (!number) {
    chosen = isAt(chosen, form, button) ? NOWHERE : { form: form.id, at: button.value };
    return light();
  }
  const why = wrong(box, number);
  if (why) {
    say(box, null); // so that it is read out again
    return say(box, why, number);
  }
  chosen = NOWHERE; // for one number
  putAt = { form: form.id, at: button.value };
  light();
  if (button.hasAttribute("data-known")) {
    const posting = /** @type {HTMLFormElement} */ (form.nextElementSibling);
    for (const [name, value] of Object.entries({ card: number, at: button.value })) {
      /** @type {HTMLInputElement} */ (posting.elements.namedItem(name)).value = value;
    }
    // the page sends it: iOS 15 has no requestSubmit
    return void posting.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  }
  const asked = fieldsOf(form);
  asked.set("card", number);
  asked.set("at", button.value);
  open(`${form.action}?${asked}`);
}

/** @param {Element} box */
function putChosen(box) {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById(chosen.form));
  if (!form || !read(box) || entryFor(form)?.closest("[data-typing]") !== box) return;
  const button = form.querySelector(`button[name=at][value="${chosen.at}"]`);
  if (button) put(form, /** @type {HTMLButtonElement} */ (button));
}

// The form of a turn comes again when a play is taken back: what was tapped before is forgotten.
function forget() {
  if (!document.getElementById(chosen.form)) chosen = NOWHERE;
  if (!document.getElementById(putAt.form)) putAt = NOWHERE;
}

// A face-up card: the places that it reaches are lit in the row, too.

const using = () => sheetBox.querySelector('.sheet[data-kind="use"]');

function reach() {
  const sheet = using();
  const places = sheet?.dataset.reach?.split(",") ?? [];
  for (const each of live.querySelectorAll("form.put button[name=at]")) {
    each.classList.toggle("can", places.includes(each.value));
  }
  for (const each of live.querySelectorAll("[data-use]")) {
    each.toggleAttribute("data-chosen", !!sheet?.dataset.path?.includes(`use=${each.dataset.use}`));
  }
  light();
}

// The row is in sight above the sheet; or else above the keys, with as many of the face-up cards as fit below it, if they
// can be used.
function lift() {
  const row = live.querySelector("form.put")?.closest("section");
  if (!row) return;
  const sheet = using();
  const last = (!sheet && live.querySelector("#cards > :last-child > .mk:not(.dim)")) || row;
  const below = (sheet || live.querySelector(".dock:has(.typing)"))?.getBoundingClientRect();
  const covered = last.getBoundingClientRect().bottom - (below?.top ?? innerHeight);
  const { top } = row.getBoundingClientRect();
  scrollBy(0, Math.min(Math.floor(top), Math.max(Math.ceil(covered), 0))); // by whole pixels
}

live.addEventListener("sheet:shown", ({ detail: fresh }) => {
  ready();
  reach();
  if (fresh && using()) lift();
});
live.addEventListener("sheet:closed", () => {
  putAt = NOWHERE;
  reach();
});

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const button = /** @type {HTMLButtonElement} */ (event.submitter);
    if (!form.matches("form.put")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const sheet = using();
    if (!sheet) return put(form, button);
    open(sheet.dataset.why + button.value);
  },
  true
);

// A key under the mouse takes no focus, or Enter would press it again.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest(".typing .keys button")) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-digit], [data-erase], [data-enter]");
  if (button?.dataset.digit) return key(button.dataset.digit);
  if (button?.hasAttribute("data-erase")) return erase();
  const pad = button?.closest("[data-typing]");
  if (pad) return enter(pad);
  const input = event.target.closest("form.deal input[name=row]");
  if (!input) return;
  change(input);
  input.blur(); // another wagon is there now
});

// Keys mean the number to be typed, unless something else has the focus that they could be meant for.
const ELSEWHERE = "a, button, summary, select, textarea, input";
/** @param {Element} target @param {Element} box */
const meant = (target, box) =>
  box.contains(target) || !!target.closest("form.deal, form.put") || !target.matches(ELSEWHERE);

document.addEventListener("keydown", (event) => {
  const box = typing();
  if (event.ctrlKey || event.metaKey || event.altKey || !box) return;
  if (opened() && !sheetBox.contains(box)) return; // the sheet lies above the keys
  if (event.target.matches("input:not([readonly]), select, textarea")) return;
  if (!meant(event.target, box)) return;
  const wagon = event.target.closest("form.deal input[name=row]");
  const enters = event.key === "Enter";
  const done = went && enters;
  went = false;
  if (done) return event.preventDefault();
  if (wagon?.value && (event.key === " " || (enters && !read(box)))) change(wagon);
  else if (wagon?.value && ["Backspace", "Delete"].includes(event.key))
    out(/** @type {HTMLFormElement} */ (wagon.form), Number(wagon.value));
  else if (/^\d$/.test(event.key)) key(event.key);
  else if (event.key === "Backspace") erase();
  else if (enters && !event.target.closest("a, button")) enter(box);
  else return;
  event.preventDefault();
});

// Our own keys stand in for the phone's.
function ready() {
  for (const form of document.querySelectorAll("form.deal")) restore(form);
  for (const input of document.querySelectorAll(
    "form.deal input[name=row], [data-typing] input[data-entry]"
  )) {
    input.readOnly = true;
    input.inputMode = "none";
    input.closest(".wag")?.classList.toggle("empty", !input.value);
  }
  for (const box of document.querySelectorAll("[data-typing]")) judge(box);
  once();
  light();
}

// What is said at the keys, where it is set right, is not said at the head of the page, too.
function once() {
  const refusal = document.getElementById("refusal");
  const why = refusal?.querySelector("p")?.textContent;
  const same = [...document.querySelectorAll("[data-says]")].find(
    (says) => says.textContent === why
  );
  if (!same) return;
  refusal?.remove();
  same.scrollIntoView({ block: "nearest" });
}

matchMedia("(orientation: portrait)").addEventListener("change", () => {
  if (!opened()) lift();
});
live.addEventListener("table:shown", () => {
  forget();
  ready();
  reach();
  if (turnBegan() && !opened()) lift(); // however far down somebody has looked at the others' rows
});
ready();
reach();
requestAnimationFrame(() => opened() || lift()); // once the keys are there
