// A record is dropped anywhere on the page, or chosen; one that is too large is not sent.

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);
const [form, field, large, drop] = ["open", "record", "large", "drop"].map(byId);

drop.hidden = !matchMedia("(pointer: fine)").matches;

function fits() {
  const fine = (field.files[0]?.size || 0) < Number(form.dataset.bytes);
  large.hidden = fine;
  return fine;
}

field.addEventListener("change", fits);
form.addEventListener("submit", (/** @type {Event} */ event) => {
  if (fits()) return;
  event.preventDefault();
  event.stopPropagation();
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (!event.dataTransfer?.files.length) return;
  field.files = event.dataTransfer.files;
  form.requestSubmit();
});
