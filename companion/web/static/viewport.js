// What of the maze is in sight: reckoning with views and frames, and nothing of the page itself.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {scale: number}} View the drawing's point in the middle of the frame; pixels a unit */
/**
 * @typedef {object} Frame
 * @property {number} x of the drawing, as all four in its own units
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} quarters quarter turns of the drawing, to the left
 * @property {number} wide of what can be seen of it, in pixels as all that follows
 * @property {number} high
 * @property {number} left
 * @property {number} top
 * @property {number} tools what buttons beside it need
 * @property {number} own how wide the page lays the whole drawing out
 * @property {boolean} covered by a sheet: all of it may be moved into what is left
 */

const WHOLE_PX = 20; // a card's short side: where the whole maze would lie smaller, a part of it is shown first
const LEAST_PX = 44; // where cards are to be tapped
export const CLOSE_PX = 66; // when a sheet asks about one
const MOST_PX = 140;
export const SHORT = 40; // a card's short side in the drawing's units
const REACH = 30; // in the drawing's units: from a card's middle to its end
const OUTER = 90; // and so much more than from middle to middle do cards need that are all in sight
const MARGIN_PX = 24;
const EDGE_PX = 8; // around the whole maze

/** @param {number} value @param {number} least @param {number} most */
const between = (value, least, most) => Math.min(Math.max(value, least), most);

/** @param {Frame} f */
const fitting = (f) =>
  Math.min(
    (f.wide - f.tools - 2 * EDGE_PX) / f.width,
    (f.high - 2 * EDGE_PX) / f.height,
    MOST_PX / SHORT
  );

/** Whether all of it can be shown at first, its places large enough for a finger. @param {Frame} f */
export const fits = (f) => fitting(f) * SHORT >= WHOLE_PX;

/** All of it in the middle, or as far from there as the buttons beside it need. @param {Frame} f @returns {View} */
export function whole(f) {
  const scale = fitting(f);
  const aside = Math.max(0, f.tools + EDGE_PX - (f.wide - f.width * scale) / 2) / scale;
  return { x: f.x + f.width / 2 + aside, y: f.y + f.height / 2, scale };
}

/** A part of it, where it does not fit. @param {Point} middle @returns {View} */
export const part = (middle) => ({ ...middle, scale: (0.75 * LEAST_PX) / SHORT });

/** A point of the board as the turned drawing has it. @param {number} quarters @param {Point} point @returns {Point} */
export const rotate = (quarters, { x, y }) =>
  [
    { x, y },
    { x: y, y: -x },
    { x: -x, y: -y },
    { x: -y, y: x }
  ][quarters % 4 || 0]; // a page may say nothing

/** Neither too small or large nor out of the frame. @param {View} view @param {Frame} f @returns {View} */
export function clamp(view, f) {
  const scale = between(view.scale, Math.min(fitting(f), LEAST_PX / SHORT) * 0.9, MOST_PX / SHORT);
  /** @param {number} at @param {number} start @param {number} size @param {number} span */
  const along = (at, start, size, span) => {
    const middle = start + size / 2;
    const spare = Math.max(0, size / 2 + (MARGIN_PX + f.tools - span / 2) / scale);
    return f.covered ? at : between(at, middle - spare, middle + spare);
  };
  return {
    x: along(view.x, f.x, f.width, f.wide),
    y: along(view.y, f.y, f.height, f.high),
    scale
  };
}

/** How the drawing moves and grows on the page, as a style. @param {View} view @param {Frame} f */
export function transform(view, f) {
  const x = f.wide / 2 - (view.x - f.x) * view.scale;
  const y = f.high / 2 - (view.y - f.y) * view.scale;
  const ratio = f.own ? view.scale / (f.own / f.width) : 1;
  return `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) scale(${ratio.toFixed(4)})`;
}

/** The drawing's point under one of the screen. @param {View} view @param {Frame} f @param {Point} at @returns {Point} */
export const pointAt = (view, f, at) => ({
  x: view.x + (at.x - f.left - f.wide / 2) / view.scale,
  y: view.y + (at.y - f.top - f.high / 2) / view.scale
});

/** @param {View} view @param {Point} from @param {Point} to both of the screen @returns {View} */
export const drag = ({ x, y, scale }, from, to) => ({
  x: x - (to.x - from.x) / scale,
  y: y - (to.y - from.y) / scale,
  scale
});

/** What was under one point of the screen lies under another. @param {View} view @param {Frame} f
 * @param {number} by @param {Point} from @param {Point} to @returns {View} */
export function zoom(view, f, by, from, to) {
  const { x, y } = pointAt(view, f, from);
  const scale = between(view.scale * by, fitting(f) * 0.5, MOST_PX / SHORT);
  const off = pointAt({ x: 0, y: 0, scale }, f, to);
  return { x: x - off.x, y: y - off.y, scale };
}

/** A card there is in sight. @param {View} view @param {Frame} f @param {Point} at */
export const shows = (view, f, at) =>
  Math.abs(at.x - view.x) <= f.wide / view.scale / 2 - REACH &&
  Math.abs(at.y - view.y) <= f.high / view.scale / 2 - REACH;

/** Cards as large as they all fit; no middle where they are too many to be tapped then. @param {Frame} f @param {Point[]} cards */
export function around(f, cards) {
  const [xs, ys] = [cards.map(({ x }) => x), cards.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    f.wide / (right - left + OUTER),
    f.high / (bottom - top + OUTER),
    CLOSE_PX / SHORT
  );
  if (scale < WHOLE_PX / SHORT) return { scale: WHOLE_PX / SHORT };
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
}
