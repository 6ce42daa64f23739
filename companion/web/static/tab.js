// What this tab keeps; what the browser does not keep, as long as the page is there.

/** @type {Map<string, string>} */
const here = new Map();

/** @template T @param {(storage: Storage) => T} way */
function tried(way) {
  try {
    return way(sessionStorage);
  } catch {
    return null; // it is switched off or full
  }
}

/** @param {string} key */
export const kept = (key) => here.get(key) ?? tried((storage) => storage.getItem(key));

/** @param {string} key */
export function forget(key) {
  here.delete(key);
  tried((storage) => storage.removeItem(key));
}

/** @param {string} key @param {string} value */
export function keep(key, value) {
  forget(key); // what was there before is not there again, even if there is no room for this
  tried((storage) => storage.setItem(key, value));
  if (kept(key) !== value) here.set(key, value);
}
