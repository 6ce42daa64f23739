// What this phone knows of the deals on this page: whether its number is in them, and whether the fingerprint is still
// the one that it saw first.

const main = document.querySelector("main.fair");
let mine = {};
try {
  mine = JSON.parse(localStorage.getItem("shares")) || {};
} catch {
  // storage is switched off: nothing is known
}

function found({ place, commitment, shares }) {
  const known = mine[`${main.dataset.table}/${place}`];
  if (!known) return shares === undefined ? "" : "none";
  const [seen, share, counts] = known.split(":");
  if (seen !== commitment) return "changed";
  if (shares === undefined) return counts ? "sent" : "";
  if (shares.split(" ").includes(share)) return "in";
  return counts ? "out" : "none";
}

for (const deal of document.querySelectorAll("[data-place]")) {
  const told = found(deal.dataset);
  const line = deal.querySelector(".mine");
  if (!told || !line) continue;
  line.textContent = main.dataset[told];
  line.classList.toggle("bad", told === "changed" || told === "out");
  line.hidden = false;
}
