// A row that was said to have risen: its numbers are typed on keys of our own. Where it has not risen, that is said in
// its sheet, which stays; and until the table moves on, what was typed is there again when the sheet is.

import { sheetBox } from "../play.js";
import { forget, keep, kept } from "../tab.js";
import { live } from "../table.js";
import { LAST, whole } from "./trains.js";

const LEFT = "claim"; // what was typed when another language was to be chosen

/** @type {FormData | null} */
let claimed = null;
let sent = false; // a sheet that is closed unsent is forgotten
/** @type {Element | null} */
let refusal = null; // of what was typed, in the sheet
let again = false; // it has come into the sheet as that was shown anew, as it is at once
let version = live.dataset.version;
const claim = () => sheetBox.querySelector("form.claim");

/** @param {Element} form @returns {HTMLInputElement[]} */
const fieldsIn = (form) => [...form.querySelectorAll("input[name=row]")];

// Keys

/** @type {HTMLInputElement | null} */
let current = null; // where the next digit goes

/** The focus goes along from field to field, but leaves no key. @param {HTMLInputElement} field */
function turn(field) {
  if (document.activeElement?.matches("form.claim input")) field.focus({ preventScroll: true });
  current = field;
  mark();
}

function mark() {
  for (const field of sheetBox.querySelectorAll("form.claim input"))
    field.classList.toggle("now", field === current);
}

// A whole row needs no keys, until a field of it is tapped.
/** @param {HTMLFormElement} form */
function judge(form) {
  if (document.activeElement?.matches("form.claim input")) return;
  const byKeys = document.activeElement?.closest(".claim .keys");
  const full = fieldsIn(form).every((field) => field.value);
  form.classList.toggle("whole", full);
  if (full && byKeys) form.querySelector("button.main")?.focus({ preventScroll: true }); // the keys have gone
}

/** @param {HTMLInputElement} field @param {number} by */
function go(field, by) {
  const fields = fieldsIn(/** @type {Element} */ (field.form));
  const to = fields[fields.indexOf(field) + by] ?? field;
  turn(to);
  return to;
}

/** @param {HTMLInputElement} field @param {string} value */
function write(field, value) {
  turn(field);
  field.value = value;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  const said = sheetBox.querySelector("[data-said]");
  const fields = fieldsIn(/** @type {Element} */ (field.form));
  if (whole(value)) judge(/** @type {HTMLFormElement} */ (field.form));
  if (said) said.textContent = `${value} · ${fields.indexOf(field) + 1}/${fields.length}`;
}

/** @param {Element} form */
function pointed(form) {
  const fields = fieldsIn(form);
  if (current && fields.includes(current)) return current;
  const fault = refusal ? atFault(form) : null;
  return fault ?? fields.find((each) => !each.value) ?? fields[fields.length - 1];
}

/** Why it is no row that has risen: it has no wagon's number, or none above the one before it. @param {Element} form */
function atFault(form) {
  const fields = fieldsIn(form);
  const numbers = fields.map((field) => Number(field.value));
  const none = numbers.findIndex((number) => number < 1 || number > LAST);
  const falls = numbers.findIndex((number, place) => number <= numbers[place - 1]);
  return fields[none < 0 ? falls : none];
}

/** @param {HTMLInputElement} field @param {string} digit */
function key(field, digit) {
  const number = field.value.length < 2 ? field.value + digit : digit;
  if (number !== "0") write(field, number);
}

/** @param {HTMLInputElement} field */
function erase(field) {
  const full = field.value ? field : go(field, -1);
  write(full, full.value.slice(0, -1));
}

// A key under the mouse takes no focus.
sheetBox.addEventListener("mousedown", (event) => {
  if (event.target.closest(".claim .keys")) event.preventDefault();
});
sheetBox.addEventListener("click", (event) => {
  const form = claim();
  const button = event.target.closest("[data-digit], [data-erase], [data-next]");
  if (!form || !button) return;
  const field = pointed(form);
  if (button.dataset.digit) key(field, button.dataset.digit);
  else if (button.hasAttribute("data-erase")) erase(field);
  else {
    go(field, 1);
    judge(form);
  }
});
document.addEventListener("keydown", (event) => {
  const form = claim();
  if (!form || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, select, textarea")) return;
  if (/^\d$/.test(event.key)) key(pointed(form), event.key);
  else if (event.key === "Backspace") erase(pointed(form));
  else return;
  event.preventDefault();
});
sheetBox.addEventListener("focusin", ({ target }) => {
  if (target.matches("form.claim input[name=row]")) {
    turn(/** @type {HTMLInputElement} */ (target));
    claim()?.classList.remove("whole");
  }
});
sheetBox.addEventListener("input", (event) => {
  const form = claim();
  if (!form) return;
  claimed = new FormData(form);
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.name === "row" && whole(field.value)) go(field, 1);
});

// Sent, refused, and there again

sheetBox.addEventListener("submit", () => {
  sent = !!claim();
  refusal?.remove();
  refusal = null;
});
// Before the sheet would close.
document.addEventListener(
  "table:shown",
  () => {
    const form = claim();
    const said = sent ? live.querySelector("#refusal") : null;
    if (!form || !said) return;
    sent = false;
    [refusal, again] = [said, false];
    live.dispatchEvent(new CustomEvent("form:refused"));
    form.prepend(said);
    said.scrollIntoView({ block: "nearest" });
    current = null;
    point(form);
  },
  true
);
/** @param {Element} form */
function point(form) {
  current = pointed(form);
  mark();
}
live.addEventListener("sheet:shown", () => {
  const form = claim();
  if (!form) return;
  for (const field of fieldsIn(form)) field.inputMode = "none"; // our own keys stand in for the phone's
  if (claimed) restore(form, claimed);
  if (refusal && !form.contains(refusal)) {
    if (again) refusal.removeAttribute("role"); // it has been read out
    again = true;
    form.prepend(refusal);
  }
  point(form);
  judge(form);
});

/** @param {Element} form @param {FormData} typed */
function restore(form, typed) {
  const row = typed.getAll("row");
  for (const [at, field] of fieldsIn(form).entries()) field.value = `${row[at] ?? ""}`;
  const seat = typed.get("seat");
  for (const option of form.querySelectorAll("option"))
    if (option.value === seat) option.selected = true;
}
// It outlives the choice of another language, as its sheet does.
document.addEventListener("click", ({ target }) => {
  if (target.closest("a.lang") && claim() && claimed)
    keep(LEFT, JSON.stringify([live.dataset.table, version, [...claimed]]));
});
const [table, at, fields] = JSON.parse(kept(LEFT) || "[]");
forget(LEFT);
if (table === live.dataset.table && at === version) {
  claimed = new FormData();
  for (const [name, value] of fields) claimed.append(name, value);
}
live.addEventListener("sheet:closed", () => {
  if (!sent) claimed = null;
  sent = false;
  refusal = null;
});
live.addEventListener("table:shown", () => {
  if (version !== live.dataset.version && !claim()) claimed = null;
  version = live.dataset.version;
});
