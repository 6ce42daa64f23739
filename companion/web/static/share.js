// This phone's part in the deals: a random number for each to come, sent by itself, and remembered for the page that
// explains it. The first fingerprint that a phone sees of a deal is the one that counts for it.

import { store, stored } from "./shares.js";
import { live } from "./table.js";

const SHARE_BYTES = 16;
const AGAIN_MS = 1000; // the program may have begun anew since, and have forgotten

const mine = stored(); // and what this page has made, also where nothing can be stored
let told = ""; // what has been sent for
let sent = 0; // and when

/** @param {typeof mine} [fresh] */
function remember(fresh) {
  Object.assign(mine, stored(), fresh); // another page of this phone may have stored something, too
  store(mine);
}

function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(SHARE_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send() {
  const line = live.querySelector("a[data-fair]");
  const deals = line?.dataset.fair;
  if (!deals || (deals === told && Date.now() - sent < AGAIN_MS)) return;
  told = deals;
  sent = Date.now();
  remember();
  const table = line.pathname.split("/")[2];
  /** @type {typeof mine} */
  const fresh = {};
  /** @type {typeof mine} */
  const given = {};
  const body = new URLSearchParams();
  for (const [place, commitment] of Object.entries(JSON.parse(deals))) {
    const key = `${table}/${place}`;
    const own = mine[key] ?? { commitment, share: random() };
    fresh[key] = own;
    if (own.commitment !== commitment) continue; // changed since: nothing of ours goes into it
    given[key] = { ...own, counts: true };
    body.append("commitment", commitment);
    body.append("share", own.share);
  }
  remember(fresh);
  try {
    const answer = await fetch(line.href, { method: "POST", body, cache: "no-store" });
    if (answer.ok) remember(given);
    else if (answer.status !== 409) told = ""; // 409: too late for this deal
  } catch {
    told = ""; // the next view, or the next connection, tries again
  }
}

live.addEventListener("table:shown", send); // also the first view of each connection
send();
