// The start page. What a line says of a choice that was made below it; also after Back, when the browser makes it again.
function sayChosen() {
  for (const line of document.querySelectorAll("[data-chosen]")) {
    const named = `[name="${line.dataset.chosen}"]`;
    const made = /** @type {any} */ (
      document.querySelector(`select${named}, input${named}:checked`)
    );
    if (made)
      line.textContent =
        made.selectedOptions?.[0].text ?? made.closest("label").querySelector("b").textContent;
  }
}
document.addEventListener("change", sayChosen);
addEventListener("pageshow", sayChosen);
