// A browser that refuses cookies is told so before a name is typed; one that says nothing, by its form.
const lockedDown = document.querySelector("[data-cookies]");
if (lockedDown?.hidden && !navigator.cookieEnabled) lockedDown.hidden = false;

// Who has had a seat sees it soon after the host has freed it; everybody, who sits there and whether they play. What is
// typed meanwhile stays.
const SEAT_MS = 3_000;
const LOOK_MS = 10_000;
const ANSWER_MS = 5_000; // an answer that has not come by then is lost
const PARTS = ["free", "taken", "on", "later", "around"];

async function look() {
  if (document.hidden) return;
  const answer = await fetch(location.href, {
    headers: { "X-Requested-With": "fetch" },
    signal: AbortSignal.timeout?.(ANSWER_MS)
  });
  if (!answer.ok) return;
  // they play at another table, whose seats are others
  if (answer.redirected) return location.replace(answer.url);
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  const joining = now.getElementById("join-form");
  if (!now.getElementById("free") || !joining !== !document.getElementById("join-form"))
    return location.replace(location.href);
  for (const id of PARTS) {
    const [fresh, here] = [now.getElementById(id), document.getElementById(id)];
    if (!fresh || !here || fresh.textContent === here.textContent) continue;
    if (here.contains(document.activeElement)) continue; // whoever types or is about to tap there
    here.replaceChildren(...fresh.childNodes);
    if (id === "free") here.firstElementChild?.scrollIntoView({ block: "nearest" });
  }
}

const looked = () => look().catch(() => {}); // no connection: next time
async function keepLooking() {
  await looked();
  setTimeout(keepLooking, document.getElementById("again-h") ? SEAT_MS : LOOK_MS);
}
setTimeout(keepLooking, SEAT_MS);
document.addEventListener("visibilitychange", looked);
