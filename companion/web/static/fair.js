// What this phone knows of the deals on this page: whether its number is in them, and whether the fingerprint is still
// the one that it saw first.

import { stored } from "./shares.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main.fair"));
const mine = stored();

/** @param {DOMStringMap} deal */
function verdict({ place, commitment, shares }) {
  const known = mine[`${main.dataset.table}/${place}`];
  if (!known) return shares === undefined ? "" : "none";
  if (known.commitment !== commitment) return "changed";
  if (shares === undefined) return known.counts ? "sent" : "";
  if (JSON.parse(shares).includes(known.share)) return "in";
  return known.counts ? "out" : "none";
}

for (const deal of document.querySelectorAll("[data-place]")) {
  const told = verdict(deal.dataset);
  const line = deal.querySelector(".mine");
  if (!told || !line) continue;
  line.textContent = /** @type {string} */ (main.dataset[told]);
  line.classList.toggle("bad", told === "changed" || told === "out");
  line.hidden = false;
}
