// Whoever reads beside the table has a page without a stream. Its phone still hears from the table, seals and opens the
// numbers for a deal, and waits with a link while the table is out of touch.

import { needed } from "./load.js";

const SILENCE_MS = 35_000; // longer than two heartbeats
const REFUSED_MS = 5_000; // as by a proxy while the server starts: browsers give up then

/** @param {string} table its address @param {() => void} changed called whenever it is another */
export function hear(table, changed) {
  /** @type {EventSource | null} */
  let stream = null;
  let retry = 0;
  /** @type {boolean | null} */
  let reached = null; // whether anybody answered when it was last tried
  /** @param {number} in_ms unless it is heard of before */
  function again(in_ms) {
    clearTimeout(retry);
    retry = setTimeout(connect, in_ms);
  }
  function connect() {
    clearTimeout(retry);
    stream?.close();
    stream = null;
    reached &&= null;
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
    stream.addEventListener("open", () => {
      reached = true;
    });
    stream.addEventListener("error", () => {
      reached = stream?.readyState === EventSource.CLOSED; // refused
      if (reached) again(REFUSED_MS);
    });
  }
  connect();
  document.addEventListener("visibilitychange", connect);
  addEventListener("online", connect);
  addEventListener("offline", connect); // which tells whether it is the table that is out of touch
  needed("links.js").then(({ wait }) =>
    wait(
      () => reached === true,
      () => reached === false
    )
  );
}
