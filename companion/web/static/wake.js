// A table screen stays on, where the browser allows it (HTTPS or this machine).

const AGAIN_MS = 10_000;

/** @type {EventTarget | null} */
let lock = null;

async function wake() {
  if (document.hidden || lock || !navigator.wakeLock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => {
      lock = null;
      setTimeout(wake, AGAIN_MS);
    });
  } catch {
    // low battery or not allowed: the screen sleeps as it likes
  }
}
document.addEventListener("visibilitychange", wake);
wake();
