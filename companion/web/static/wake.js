// A table screen stays on, where the browser allows it (HTTPS or this machine).

const AGAIN_MS = 10_000;

async function wake() {
  if (document.hidden || !navigator.wakeLock) return;
  try {
    const lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => setTimeout(wake, AGAIN_MS), { once: true });
  } catch {
    // low battery or not allowed: the screen sleeps as it likes
  }
}
document.addEventListener("visibilitychange", wake);
wake();
