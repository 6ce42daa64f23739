// Whoever reads beside the table has a page without a stream. Its phone still hears from the table, and seals and opens
// the numbers for a deal.

import { needed } from "./load.js";

const SILENCE_MS = 35_000; // longer than two heartbeats
const REFUSED_MS = 5_000; // as by a proxy while the server starts: browsers give up then

/** @param {string} table its address @param {() => void} changed called whenever it is another */
export function hear(table, changed) {
  /** @type {EventSource | null} */
  let stream = null;
  let retry = 0;
  /** @param {number} in_ms unless it is heard of before */
  function again(in_ms) {
    clearTimeout(retry);
    retry = setTimeout(connect, in_ms);
  }
  function connect() {
    clearTimeout(retry);
    stream?.close();
    stream = null;
    if (document.hidden) return;
    again(SILENCE_MS);
    stream = new EventSource(`${table}/live?page=myseat`); // a small page, whose parts nobody needs here
    stream.addEventListener("beat", () => again(SILENCE_MS));
    stream.addEventListener("message", () => {
      again(SILENCE_MS);
      changed();
    });
    stream.addEventListener("deal", async ({ data }) =>
      (await needed("share.js")).take(JSON.parse(data))
    );
    stream.addEventListener("error", () => {
      if (stream?.readyState === EventSource.CLOSED) again(REFUSED_MS);
    });
  }
  connect();
  document.addEventListener("visibilitychange", connect);
}
