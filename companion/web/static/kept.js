// What was typed and chosen here outlives the choice of another language, and a look at the rules: these are pages of
// their own.

import { forget, keep, kept } from "./tab.js";

const KEPT = "kept";

/** @returns {any[]} */
const fields = () => [...document.querySelectorAll("main input:not([type=hidden]), main select")];
const names = () => fields().map((each) => each.name);

/** @param {any} field */
const isTicked = (field) => ["radio", "checkbox"].includes(field.type);
/** @param {any} field */
const part = (field) => (isTicked(field) ? "checked" : "value");
// What nobody has touched is as the other language has it.
/** @param {any} field */
const differs = (field) =>
  isTicked(field)
    ? field.checked !== field.defaultChecked
    : field.options
      ? !field.selectedOptions[0]?.defaultSelected
      : field.value !== field.defaultValue;
/** @type {WeakSet<Element>} */
const brought = new WeakSet(); // from the page before, where it was chosen
/** @param {any} field */
const touched = (field) => brought.has(field) || differs(field);

document.addEventListener("click", ({ target }) => {
  if (!target.closest("a.lang, a.rules")) return;
  const held = fields().map((each) => (touched(each) ? each[part(each)] : null));
  keep(KEPT, JSON.stringify([location.pathname, names(), held]));
});

function restore() {
  const [page, named, held] = JSON.parse(kept(KEPT) || "[]");
  forget(KEPT);
  if (page !== location.pathname || `${named}` !== `${names()}`) return;
  for (const [at, each] of fields().entries()) {
    if (held[at] === null) continue;
    each[part(each)] = held[at];
    brought.add(each);
  }
}
if (document.readyState === "complete") restore();
addEventListener("pageshow", restore);
