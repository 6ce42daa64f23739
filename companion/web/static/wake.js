// A table screen stays on, where the browser allows it (HTTPS or this machine).

async function wake() {
  if (document.hidden || !navigator.wakeLock) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // low battery or not allowed: the screen sleeps as it likes
  }
}
document.addEventListener("visibilitychange", wake);
wake();
