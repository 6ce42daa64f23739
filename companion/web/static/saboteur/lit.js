// On the table screen: an entry of the log that is tapped lies lit in the maze for a while.

const LIT_MS = 5000;

document.addEventListener("click", ({ target }) => {
  const [x, y] = (target.closest("[data-lit]")?.dataset.lit || "").split(",").map(Number);
  if (y === undefined) return;
  for (const each of document.querySelectorAll(".pan .mark")) each.remove();
  for (const each of document.querySelectorAll("#glow, #newest")) {
    const light = /** @type {Element} */ (each.cloneNode(true));
    light.removeAttribute("id");
    light.removeAttribute("visibility");
    light.setAttribute("transform", `translate(${40 * x} ${-58 * y})`);
    light.classList.add("mark");
    each.after(light);
    setTimeout(() => light.remove(), LIT_MS);
  }
});
