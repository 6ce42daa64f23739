// This phone's part in the deals: a random number for each to come, sent by itself, and remembered for the page that
// explains it. The first fingerprint that a phone sees of a deal is the one that counts for it.

const KEY = "shares";
const KEPT = 60;
const SHARE_BYTES = 16;
const AGAIN_MS = 1000; // the program may have begun anew since, and have forgotten

const live = document.getElementById("live");

const mine = {}; // "table/game.round": "commitment:share", and ":counts" once the program has said so
let told = ""; // what has been sent for
let sent = 0; // and when

function remember(fresh) {
  try {
    Object.assign(mine, JSON.parse(localStorage.getItem(KEY)), fresh);
    localStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries(Object.entries(mine).slice(-KEPT))),
    );
  } catch {
    Object.assign(mine, fresh); // storage is switched off or full: this page remembers it while it is open
  }
}

function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(SHARE_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send() {
  const line = live.querySelector("[data-fair]");
  const deals = line?.dataset.fair;
  if (!deals || (deals === told && Date.now() - sent < AGAIN_MS)) return;
  told = deals;
  sent = Date.now();
  remember();
  const table = line.pathname.split("/")[2];
  const fresh = {};
  const given = [];
  const body = new URLSearchParams();
  for (const deal of deals.split(" ")) {
    const [place, commitment] = deal.split(":");
    const key = `${table}/${place}`;
    mine[key] ??= fresh[key] = `${commitment}:${random()}`;
    const [seen, share] = mine[key].split(":");
    if (seen !== commitment) continue; // changed since: nothing of ours goes into it
    given.push(key);
    body.append("commitment", commitment);
    body.append("share", share);
  }
  remember(fresh);
  try {
    const answer = await fetch(line.href, { method: "POST", body, cache: "no-store" });
    if (answer.ok) {
      const counts = (key) => `${mine[key].split(":").slice(0, 2).join(":")}:counts`;
      remember(Object.fromEntries(given.map((key) => [key, counts(key)])));
    } else if (answer.status !== 409) told = ""; // 409: too late for this deal
  } catch {
    told = ""; // the next view, or the next connection, tries again
  }
}

live.addEventListener("table:shown", send); // also the first view of each connection
send();
