// Where a name is typed: it is remembered on this phone, for the next table.

const NAME = "name";

function remembered() {
  try {
    return localStorage.getItem(NAME) || "";
  } catch {
    return ""; // storage is switched off
  }
}

// After a refusal the page knows better what belongs there.
for (const field of document.querySelectorAll("input[data-name]:not([autofocus])")) {
  field.value = remembered() || field.value;
}

/** Wherever it goes: the page that follows may be the same one in another language.
 * @param {string} [deed] */
function remember(deed) {
  const name = document.querySelector("input[data-name]");
  try {
    if (deed?.endsWith("/do/take-name-out")) localStorage.removeItem(NAME);
    else if (name?.value.trim()) localStorage.setItem(NAME, name.value.trim());
  } catch {
    // storage is switched off or full: the name is typed again next time
  }
}

document.addEventListener("submit", ({ target }) => remember(target.action));
document.addEventListener("click", ({ target }) => {
  if (target.closest("a.lang")) remember();
});
