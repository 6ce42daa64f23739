// Whoever reads beside the table has a page that does not follow it. The phone still hears from the table, seals and
// opens the numbers for a deal, asks what has become of the table, and waits with a link while it is out of touch.

import { needed } from "./load.js";

const SILENCE_MS = 35_000; // longer than two heartbeats
const REFUSED_MS = 5_000; // as by a proxy while the server starts: browsers give up then
const ANSWER_MS = 5_000; // an answer that has not come by then is lost
const GONE = [403, 404, 410];

let found = false; // the table, once

/** What is said at an address of the table; null: nothing, or not by the program. A page whose table goes is loaded anew.
 * @param {string | URL} address */
export async function asked(address) {
  if (document.hidden) return null;
  try {
    const signal = AbortSignal.timeout?.(ANSWER_MS);
    const answer = await fetch(address, { cache: "no-store", signal });
    if (answer.status !== 204 && !answer.headers.has("Content-Language")) return null; // a proxy's
    if (found && GONE.includes(answer.status)) location.reload();
    if (!answer.ok) return null;
    found = true;
    return { answer, text: await answer.text() };
  } catch {
    return null; // it is asked again
  }
}

/** Calls `ask` at once, when the table has changed, and every so often, since a connection may die unnoticed.
 * @param {string} table its address; empty where this page knows none @param {() => void} ask @param {number} every_ms */
export function follow(table, ask, every_ms) {
  ask();
  setInterval(ask, every_ms);
  document.addEventListener("visibilitychange", ask);
  if (table) hear(table, ask);
}

/** @param {string} table @param {() => void} changed */
function hear(table, changed) {
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
