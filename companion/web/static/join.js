// A browser that refuses cookies is told so before a name is typed; one that says nothing, by its form.
const lockedDown = document.querySelector("[data-cookies]");
if (lockedDown?.hidden && !navigator.cookieEnabled) lockedDown.hidden = false;

// Who has had a seat sees it soon after the host has freed it. What is typed meanwhile stays.
const LOOK_MS = 3_000;

async function look() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok) return;
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [free, joining] = ["free", "join-form"].map((id) => now.getElementById(id));
  const here = /** @type {Element} */ (document.getElementById("free"));
  if (!free || !joining !== !document.getElementById("join-form")) location.replace(location.href);
  else if (free.textContent !== here.textContent) here.replaceChildren(...free.childNodes);
}

if (document.getElementById("again-h")) {
  const looked = () => look().catch(() => {}); // no connection: next time
  setInterval(looked, LOOK_MS);
  document.addEventListener("visibilitychange", looked);
}
