// What this phone keeps of the deals: the first fingerprint and the first list of seals that it saw of each, its own
// number with its seal, whether the seal counts, and whether the number was opened.

const KEY = "fair";
const KEPT = 60;

/** @typedef {{commitment: string, share: string, seal?: string, counts?: boolean, list?: string, opened?: boolean}} Share */

/** @returns {Record<string, Share>} by table and deal */
export function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) || "{}");
  } catch {
    return {}; // storage is switched off: nothing is known
  }
}

/** @param {Record<string, Share>} shares */
export function store(shares) {
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries(Object.entries(shares).slice(-KEPT)))
    );
  } catch {
    // storage is switched off or full: the page remembers it while it is open
  }
}
