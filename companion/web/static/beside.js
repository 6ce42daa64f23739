// Whoever reads beside the table has a page without a stream. Its phone still hears from the table, and seals and opens
// the numbers for a deal.

import { needed } from "./load.js";

/** @param {string} table its address @param {() => void} changed called whenever it is another */
export function hear(table, changed) {
  /** @type {EventSource | null} */
  let stream = null;
  function connect() {
    stream?.close();
    stream = null;
    if (document.hidden) return;
    stream = new EventSource(`${table}/live?page=myseat`); // a small page, whose parts nobody needs here
    stream.addEventListener("message", changed);
    stream.addEventListener("deal", async ({ data }) =>
      (await needed("share.js")).take(JSON.parse(data))
    );
  }
  connect();
  document.addEventListener("visibilitychange", connect);
}
