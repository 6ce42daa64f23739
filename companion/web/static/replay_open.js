// A record is dropped anywhere on the page, or chosen; one that is too large is not sent. The tab
// keeps it, so that whoever loads the page of an opened one anew, or comes back from choosing another
// language or from the rules, sees it again.

const KEPT = "record";
const AGAIN = "again";

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);
const [form, field, large, drop] = ["open", "record", "large", "drop"].map(byId);

drop.hidden = !matchMedia("(pointer: fine)").matches;

function fits() {
  const fine = (field.files[0]?.size || 0) < Number(form.dataset.bytes);
  large.hidden = fine;
  return fine;
}

async function keep() {
  form.classList.remove("busy"); // another file need not wait for what the one before it began
  sessionStorage.removeItem(KEPT);
  if (!fits()) return;
  try {
    sessionStorage.setItem(KEPT, await field.files[0].text());
  } catch {
    // the tab keeps nothing: then the file is asked for again
  }
}

field.addEventListener("change", keep);
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
  await keep();
  form.requestSubmit();
});

// The page of an opened one has an address that the server knows no more of.
const watched =
  new URLSearchParams(location.search).has(AGAIN) || /^#(\d+|story)$/.test(location.hash);
const kept = watched && sessionStorage.getItem(KEPT);
if (byId("refusal")) sessionStorage.removeItem(KEPT);
else if (kept) {
  form.action = location.pathname + location.hash; // where it was
  history.replaceState(null, "", location.pathname); // Back leads here, and not on at once
  const files = new DataTransfer();
  files.items.add(new File([kept], "record.jsonl"));
  field.files = files.files;
  form.requestSubmit();
  form.action = location.pathname; // of another file, chosen where this one does not come
}
