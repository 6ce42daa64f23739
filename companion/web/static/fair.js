// What this phone knows of the deals on this page: whether its number is in them, and whether the fingerprint and the
// list of seals are still those that it saw first.

import { sha256 } from "./sha256.js";
import { stored } from "./shares.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main.fair"));
const mine = stored();

/** @param {DOMStringMap} dataset */
function verdict({ deal, commitment, seals, shares, late, seated }) {
  const known = mine[`${main.dataset.table}/${deal}`];
  if (!known) return seals || shares ? "none" : "";
  if (known.commitment !== commitment) return "changed";
  if (seals && known.list && known.list !== sha256(JSON.stringify(JSON.parse(seals))))
    return "list";
  if (seals && !seals.includes(known.seal || "-"))
    return !known.counts ? "none" : seated || known.list ? "out" : "unseated"; // lists go to seats alone
  if (late?.includes(known.seal || "-")) return known.opened ? "out" : "late";
  if (!shares) return known.counts ? "sent" : "";
  if (shares.includes(known.share)) return "in";
  return known.counts ? "out" : "none";
}

for (const deal of document.querySelectorAll("[data-deal]")) {
  const told = verdict(deal.dataset);
  const line = deal.querySelector(".mine");
  if (!told || !line) continue;
  line.textContent = /** @type {string} */ (main.dataset[told]);
  line.classList.toggle("bad", ["changed", "list", "out"].includes(told));
  line.hidden = false;
}
