// A row that was said to have risen and has not: until the table moves on, what was typed is there again when its
// sheet is.

import { sheetBox } from "../play.js";
import { live } from "../table.js";

/** @type {FormData | null} */
let claimed = null;
let sent = false; // a sheet that is closed unsent is forgotten
let version = live.dataset.version;
const claim = () => sheetBox.querySelector("form.claim");

sheetBox.addEventListener("input", (event) => {
  const form = claim();
  if (!form) return;
  claimed = new FormData(form);
  const field = /** @type {HTMLInputElement} */ (event.target);
  const next = field.nextElementSibling;
  if (field.name === "row" && field.value.length === 2 && next instanceof HTMLInputElement)
    next.focus();
});
sheetBox.addEventListener("submit", () => {
  sent = !!claim();
});
live.addEventListener("sheet:shown", () => {
  const form = claim();
  if (!form || !claimed) return;
  const row = claimed.getAll("row");
  for (const [at, input] of form.querySelectorAll("input[name=row]").entries())
    input.value = `${row[at] ?? ""}`;
  const seat = claimed.get("seat");
  for (const option of form.querySelectorAll("option"))
    if (option.value === seat) option.selected = true;
});
live.addEventListener("sheet:closed", () => {
  if (!sent) claimed = null;
  sent = false;
});
live.addEventListener("table:shown", () => {
  if (version !== live.dataset.version && !claim()) claimed = null;
  version = live.dataset.version;
});
