// A record is dropped anywhere on the page, or chosen; one that is too large is not sent. The tab
// keeps it, so that whoever loads the page of an opened one anew, or comes back from choosing another
// language or from the rules, sees it again.

import { forget, keep, kept } from "./tab.js";

const RECORD = "record";
const AGAIN = "again";
const PASSED = "passed";

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);
const [form, field, large, drop] = ["open", "record", "large", "drop"].map(byId);

const watch = () => form.querySelector("button").click(); // iOS 15 has no requestSubmit

drop.hidden = !matchMedia("(pointer: fine)").matches;

function fits() {
  const fine = (field.files[0]?.size || 0) < Number(form.dataset.bytes);
  large.hidden = fine;
  return fine;
}

async function choose() {
  delete form.dataset.busy; // another file need not wait for what the one before it began
  forget(RECORD);
  const [file] = field.files;
  if (fits() && file) keep(RECORD, await file.text());
}

field.addEventListener("change", choose);
form.addEventListener("submit", (/** @type {Event} */ event) => {
  if (fits()) return;
  event.preventDefault();
  event.stopPropagation();
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  if (!event.dataTransfer?.files.length) return;
  field.files = event.dataTransfer.files;
  await choose();
  watch();
});

// Whoever touches the page while it sends what is watched makes a step of the history of it: Back goes
// past it, too.
const past = () => history.state === PASSED && history.back();
const [arrived] = performance.getEntriesByType("navigation");
if (/** @type {PerformanceNavigationTiming} */ (arrived).type === "back_forward") past();
addEventListener("pageshow", (event) => event.persisted && past());

// The page of an opened one has an address that the server knows no more of.
const watched =
  new URLSearchParams(location.search).has(AGAIN) || /^#(\d+|story)$/.test(location.hash);
const record = watched && kept(RECORD);
if (byId("refusal")) forget(RECORD);
else if (record) {
  form.action = location.pathname + location.hash; // where it was
  history.replaceState(PASSED, "", location.pathname); // Back does not lead on at once
  const files = new DataTransfer();
  files.items.add(new File([record], "record.jsonl"));
  field.files = files.files;
  watch();
  form.action = location.pathname; // of another file, chosen where this one does not come
}
