// Every page: the name is remembered on this phone, and nothing is sent twice.

const NAME = "name";
document.documentElement.classList.add("js");

function remembered() {
  try {
    return localStorage.getItem(NAME) || "";
  } catch {
    return ""; // storage is switched off
  }
}

for (const field of document.querySelectorAll("input[data-name]")) {
  if (!field.value) field.value = remembered();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const field = form.querySelector("input[data-name]");
  if (field) {
    try {
      localStorage.setItem(NAME, field.value.trim());
    } catch {
      // storage is switched off or full: the name is typed again next time
    }
  }
  if (form.hasAttribute("data-stay") || form.hasAttribute("data-hold")) return;
  if (form.classList.contains("busy")) event.preventDefault();
  form.classList.add("busy");
});

// A page that comes back from the browser's memory may send its forms again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form.busy")) form.classList.remove("busy");
});
