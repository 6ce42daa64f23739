// A swipe down from the beginning of a sheet closes it. On a page that is enlarged it moves what is seen.

const SWIPE_PX = 70;
const ENLARGED = 1.01;

const isEnlarged = () => Number(window.visualViewport?.scale) > ENLARGED;

/** @param {HTMLElement} box where sheets open @param {() => void} close */
export function watch(box, close) {
  /** @type {Touch | null} */
  let from = null;
  box.addEventListener("touchstart", ({ target, touches }) => {
    const other = touches.length > 1 || isEnlarged() || target.closest(".sheet")?.scrollTop;
    from = other ? null : touches[0];
  });
  box.addEventListener("touchend", ({ changedTouches: [end] }) => {
    if (!from) return;
    const down = end.clientY - from.clientY;
    if (down > SWIPE_PX && down > Math.abs(end.clientX - from.clientX)) close();
  });
}
