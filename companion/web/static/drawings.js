// The drawings that a page does not show yet: its stream may bring what is drawn with them at any moment.

const ANSWER_MS = 30_000; // a request that hangs is given up then
const AGAIN_MS = 1_000;

/** @param {HTMLElement} sprite where drawings lie, and the address of the rest of them */
export async function bring(sprite) {
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), ANSWER_MS);
  try {
    const answer = await fetch(`${sprite.dataset.rest}`, { signal: enough.signal });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const box = document.createElement("template");
    box.innerHTML = `<svg>${await answer.text()}</svg>`;
    for (const each of box.content.querySelectorAll("svg > [id]"))
      if (!document.getElementById(each.id)) sprite.append(each);
  } catch {
    setTimeout(bring, AGAIN_MS, sprite); // the stream may stay open for the whole evening
  } finally {
    clearTimeout(timer);
  }
}
