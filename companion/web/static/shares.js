// What this phone keeps of the deals: the first fingerprint that it saw of each, its number, and whether that counts.

const KEY = "fair";
const KEPT = 60;

/** @typedef {{commitment: string, share: string, counts?: boolean}} Share */

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
