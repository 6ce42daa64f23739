// This phone's part in the deals, by itself: it seals a random number for each to come, and opens it when the list of
// seals is fixed. The first fingerprint and the first list that a phone sees of a deal are the ones that count for it.

import { sha256 } from "./sha256.js";
import { store, stored } from "./shares.js";

const SHARE_BYTES = 16;
const TRIES_MS = [0, 200, 500, 5_000, 20_000]; // before each: a deal waits for a second only, a seal counts till then
const METHOD = "companion-fair-2";

/** @typedef {{at: string, seal: Record<string, string>, open: Record<string, (string | null)[]>}} Deal */
/** @typedef {ReturnType<typeof stored>} Shares */

const mine = stored(); // and what this page has made, also where nothing can be stored

/** @param {Shares} fresh */
function remember(fresh) {
  Object.assign(mine, stored(), fresh); // another page of this phone may have stored something, too
  store(mine);
}

function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(SHARE_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} commitment */
function sealed(commitment) {
  const share = random();
  const seal = sha256(`${METHOD} seal\ncommitment ${commitment}\nshare ${share}\n`);
  return { commitment, share, seal };
}

/** @param {Deal} deal */
export async function take({ at, seal, open }) {
  remember({});
  const table = at.split("/")[2];
  await Promise.all([opening(at, table, open), sealing(at, table, seal)]);
}

/** @param {string} at @param {string} table @param {Deal["seal"]} deals */
async function sealing(at, table, deals) {
  /** @type {Shares} */
  const own = {};
  /** @type {Shares} */
  const given = {};
  const body = new URLSearchParams();
  for (const [deal, commitment] of Object.entries(deals)) {
    const key = `${table}/${deal}`;
    own[key] = mine[key]?.seal ? mine[key] : sealed(commitment);
  }
  remember(own);
  const kept = stored();
  for (const [deal, commitment] of Object.entries(deals)) {
    const key = `${table}/${deal}`;
    const number = own[key];
    if (number.commitment !== commitment) continue; // changed since: nothing of ours goes into it
    if (kept[key]?.seal !== number.seal) continue; // it could not be opened after a reload: all would be told so
    given[key] = number;
    body.append("commitment", commitment);
    body.append("seal", /** @type {string} */ (number.seal));
  }
  await post(at, body, given, { counts: true });
}

/** @param {string} at @param {string} table @param {Deal["open"]} deals */
async function opening(at, table, deals) {
  /** @type {Shares} */
  const seen = {};
  /** @type {Shares} */
  const given = {};
  const body = new URLSearchParams();
  for (const [deal, seals] of Object.entries(deals)) {
    const key = `${table}/${deal}`;
    const own = mine[key];
    const list = sha256(JSON.stringify(seals));
    if (!own?.seal) continue;
    seen[key] = { list, ...own };
    if (seen[key].list !== list || !seals.includes(own.seal)) continue;
    given[key] = own;
    body.append("commitment", own.commitment);
    body.append("share", own.share);
  }
  remember(seen);
  await post(at, body, given, { opened: true });
}

/** What an answer says is added to what is known by then: meanwhile a list may have come, and been opened; or another
 * window of this phone has kept a number of its own, which does not count.
 * @param {string} at @param {URLSearchParams} body @param {Shares} given @param {Partial<Shares[string]>} now */
async function post(at, body, given, now) {
  if (![...body].length) return;
  const counted = await counting(at, body);
  if (!counted) return;
  remember({});
  const known = Object.entries(given).filter(([, sent]) => counted.includes(sent.commitment));
  remember(
    Object.fromEntries(
      known.map(([key, sent]) => [
        key,
        { ...(mine[key]?.seal === sent.seal ? mine[key] : sent), ...now }
      ])
    )
  );
}

/** Which of them count; null where none was heard of: the next connection of the stream says again what is to be done.
 * @param {string} at @param {URLSearchParams} body @returns {Promise<string[] | null>} */
async function counting(at, body) {
  for (const pause_ms of TRIES_MS) {
    await new Promise((done) => setTimeout(done, pause_ms));
    const answer = await fetch(at, { method: "POST", body, cache: "no-store" }).catch(() => null);
    if (answer?.ok) return answer.json().catch(() => null);
    if (answer?.headers.has("Content-Language")) return null; // refused by the program itself
  }
  return null;
}
