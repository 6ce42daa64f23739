// The host's page: what was changed is sent without a button, and the page says when it is saved. What is
// typed goes when the fields are left, or the page.

import { live } from "./table.js";

/** @param {Event} event @returns {HTMLFormElement | null} */
const formOf = (event) => /** @type {Element} */ (event.target).closest("form[data-saves]");
const MOVES_MS = 1_500; // after the answer, at most, since the stream brings it
const changed = new Set();
const saving = new Set();
/** What was changed again while the change before was on its way. @type {Map<HTMLFormElement, FormData>} */
const later = new Map();

/** @param {HTMLFormElement} form */
const isTyped = (form) => form.querySelector("input:not([type=hidden], [type=radio])") !== null;

/** @param {HTMLFormElement} form */
function save(form) {
  if (!changed.has(form) || !form.checkValidity()) return;
  changed.delete(form);
  if ("busy" in form.dataset) return later.set(form, new FormData(form));
  saving.add(form);
  // the page sends it: iOS 15 has no requestSubmit
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
}

live.addEventListener("input", (event) => {
  const form = formOf(event);
  if (!form) return;
  changed.add(form);
  /** @type {Element} */ (form.querySelector(".saved")).textContent = "";
});
live.addEventListener("change", (event) => {
  const form = formOf(event);
  if (form && !isTyped(form)) save(form);
});
live.addEventListener("form:answered", (event) => {
  const form = formOf(event);
  const wanted = form && later.get(form);
  if (!wanted) return;
  later.delete(form);
  if (changed.has(form)) return; // once more: it goes when it is left
  for (const [name, value] of wanted) {
    const field = /** @type {any} */ (form.elements.namedItem(name));
    if (field && name !== "version") field.value = value;
  }
  changed.add(form);
  save(form);
});
live.addEventListener("focusout", (event) => {
  const form = formOf(event);
  if (form && !form.contains(/** @type {Node | null} */ (event.relatedTarget))) save(form);
});
live.addEventListener("submit", (event) => {
  const form = formOf(event);
  if (!form) return;
  if ("busy" in form.dataset) later.set(form, new FormData(form));
  changed.delete(form);
  saving.add(form);
});
// What was accepted is not left standing in its form.
live.addEventListener("reset", (event) => {
  const form = formOf(event);
  if (!form || !saving.delete(form)) return;
  const said = /** @type {HTMLElement} */ (form.querySelector(".saved"));
  said.textContent = said.dataset.saved || "";
});
// Of a choice without a button that did not arrive the page shows what holds, to be chosen again.
for (const fails of ["form:unsent", "form:refused"])
  live.addEventListener(fails, (/** @type {any} */ { detail: { form } }) => {
    if (!form.matches("[data-saves]") || isTyped(form)) return;
    saving.delete(form);
    form.reset();
  });
// A seat that moves stays under the finger, as far as the page can be scrolled.
let moving = ""; // a row
let stood = 0; // how far down the page
let refused = 0; // of a timer: when it is given up that it moves
live.addEventListener("submit", ({ submitter }) => {
  clearTimeout(refused);
  const row = submitter?.closest(".tools")?.closest("li");
  moving = row?.id || "";
  stood = row?.offsetTop ?? 0;
});
live.addEventListener("table:shown", () => {
  const row = document.getElementById(moving);
  if (!row || row.offsetTop === stood) return; // something else was told first
  scrollBy(0, row.offsetTop - stood);
  moving = "";
  const tools = row.querySelector(".tools");
  // the last arrow in that direction has gone
  if (!tools?.contains(document.activeElement)) tools?.querySelector("button")?.focus();
  /** @type {Element} */ (document.getElementById("news")).textContent =
    row.querySelector(".who")?.textContent ?? "";
});
live.addEventListener("form:answered", () => {
  clearTimeout(refused);
  refused = setTimeout(() => {
    moving = ""; // what moves later was not asked for
  }, MOVES_MS);
});
addEventListener("pagehide", () => changed.forEach(save));
