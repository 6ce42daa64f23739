// The maze on this phone: what of it is in sight, what a tap on it means; what a sheet is about stays in sight above it.

import { load } from "../load.js";
import { open, opened, sheetBox, turnBegan } from "../play.js";
import { keep } from "../tab.js";
import { live } from "../table.js";
import {
  around,
  CLOSE_PX,
  clamp,
  drag,
  fits,
  part,
  pointAt,
  rotate,
  SHORT,
  shows,
  transform,
  whole,
  zoom
} from "../viewport.js";

/** @typedef {import("../viewport.js").Point} Point */
/** @typedef {import("../viewport.js").View} View */
/** @typedef {View & {fitted: boolean}} Shown the whole maze, if it is `fitted`: it stays so */

const FINGER_PX = 22; // on either side of a place's middle: so near it is meant
const SLOP_PX = 8; // less is a tap
const CLOSE_CALL_PX = 9; // nearer to one place than to another by less: either may be meant
const TWICE_MS = 320;
const SEEN_PX = 220; // of the maze above a sheet
const GLANCE_MS = 4000; // at a card that was laid out of sight
const LONG = 58; // a card's long side in the drawing's units
/** @type {Record<string, number[]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {Shown | null} */
let view = null; // not moved yet
/** @type {Shown | null} */
let beforeSheet = null;
/** @type {Shown | null} */
let beforeGlance = null;
let glancing = 0; // of a timer
let scrolled = 0; // the page, before a sheet moved it
let toMaze = false; // not to where the sheet was opened
/** @type {ReturnType<typeof measure>} */
let measured = null; // while fingers drag, the page is not measured again

const boxOf = () => live.querySelector(".mazebox .maze");
const panOf = () => live.querySelector(".mazebox svg.pan");
const hopsOf = () => [...live.querySelectorAll(".mazebox rect.hop")];

/** The middle of a card. @param {SVGUseElement | SVGRectElement} card @returns {Point} */
const middleOf = ({ x, y }) => ({ x: x.baseVal.value + SHORT / 2, y: y.baseVal.value + LONG / 2 });

// The view

/** Where an open sheet lies, if it is not beside the maze. @param {Element | null} box */
function sheetAbove(box) {
  const sheet = sheetBox.querySelector(".sheet")?.getBoundingClientRect();
  return sheet && box && sheet.left < box.getBoundingClientRect().right ? sheet : null;
}

function measure() {
  const box = boxOf();
  const pan = panOf();
  if (!pan || !box?.clientWidth) return null; // nor while the role is looked at
  const { x, y, width, height } = pan.viewBox.baseVal;
  const sheet = sheetAbove(box);
  const { left, top } = box.getBoundingClientRect();
  const cut = sheet ? Math.max(0, top + box.clientHeight - sheet.top) : 0;
  const buttons = /** @type {HTMLElement} */ (box.nextElementSibling);
  return {
    pan,
    x,
    y,
    width,
    height,
    left,
    top,
    quarters: Number(pan.dataset.quarters),
    wide: box.clientWidth,
    high: Math.max(box.clientHeight - cut, 120),
    tools: sheet ? 0 : buttons.offsetWidth + 8,
    own: pan.clientWidth,
    covered: !!sheet
  };
}

function frame() {
  if (!measured || !fingers.size) measured = measure();
  return measured;
}

function draw() {
  const f = frame();
  if (!f) return;
  const fitted = view ? view.fitted : fits(f);
  const meant = fitted ? whole(f) : view || part(rotate(f.quarters, newestOrStart()));
  view = { ...clamp(meant, f), fitted };
  f.pan.style.transform = transform(view, f);
}

const newestOrStart = () => newest() || { x: SHORT / 2, y: LONG / 2 };

function fit() {
  cancelGlance();
  if (view) view = { ...view, fitted: true };
  draw();
}

/** Moves what is out of sight into it, or, `strict`, into the middle. @param {Point} point */
function show(point, strict = false) {
  const f = frame();
  if (!f || !view) return false;
  const at = rotate(f.quarters, point);
  const moves = strict || !shows(view, f, at);
  const scale = strict ? Math.max(view.scale, CLOSE_PX / SHORT) : view.scale;
  if (moves) view = { ...at, scale, fitted: false };
  draw();
  return moves;
}

/** What is new comes into sight for a moment, or nearer (`strict`); then the view is again what somebody had made of it.
 * @param {Point} point */
function glance(point, strict = false) {
  if (view?.fitted && !strict) return draw(); // all of it is in sight
  const made = asMade();
  if (!show(point, strict)) return;
  cancelGlance();
  beforeGlance = made;
  glancing = setTimeout(() => {
    if (beforeGlance) view = beforeGlance;
    cancelGlance();
    draw();
  }, GLANCE_MS);
}

/** The view as somebody has made it. */
const asMade = () => beforeGlance || view;

function cancelGlance() {
  clearTimeout(glancing);
  beforeGlance = null;
}

// Fingers, wheel and keys; an event's x and y are those of the screen

/** @type {Map<number, Point>} */
const fingers = new Map();
let moved = false;
/** @type {(Point & {far: number}) | null} */
let before = null; // of two fingers: middle and distance
/** @type {PointerEvent | null} */
let tapped = null;
let twice = false; // tapped in a row
let taking = 0; // of a timer: the tap on a card that may yet become a double tap
let due = false; // to be drawn

/** @param {Event} event */
const within = (event) => /** @type {Element} */ (event.target).closest(".mazebox .maze");

/** @param {Point} a @param {Point} b */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

function pinch() {
  const [a, b] = fingers.values();
  return { far: distance(a, b), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

/** @param {(view: View, f: NonNullable<typeof measured>) => View} change */
function move(change) {
  const f = frame();
  if (!f || !view) return;
  view = { ...change(view, f), fitted: false };
}

function drawSoon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    draw();
  });
}

live.addEventListener("pointerdown", (event) => {
  if (!within(event) || event.button) return;
  fingers.set(event.pointerId, event);
  measured = null;
  cancelGlance();
  if (fingers.size === 1) moved = false;
  before = fingers.size === 2 ? pinch() : null;
});
addEventListener("pointermove", (event) => {
  const finger = fingers.get(event.pointerId);
  if (!finger) return;
  if (!moved) {
    if (fingers.size === 1 && distance(event, finger) < SLOP_PX) return;
    moved = true;
    beforeSheet = null;
    boxOf()?.classList.add("drag");
  }
  fingers.set(event.pointerId, event);
  if (fingers.size === 1) move((now) => drag(now, finger, event));
  else {
    const [from, to] = [before, pinch()];
    if (from) move((now, f) => zoom(now, f, to.far / from.far, from, to));
    before = to;
  }
  drawSoon();
});

/** @param {PointerEvent} event */
function lift(event) {
  if (!fingers.delete(event.pointerId)) return;
  before = null;
  if (fingers.size) return;
  boxOf()?.classList.remove("drag");
  if (moved || event.type === "pointercancel" || event.target.closest?.("a")) return;
  twice =
    !!tapped &&
    event.timeStamp - tapped.timeStamp < TWICE_MS &&
    distance(event, tapped) < FINGER_PX;
  if (twice) fit();
  tapped = twice ? null : event;
}
addEventListener("pointerup", lift);
addEventListener("pointercancel", lift);
// After a flick the browser would take the next tap for one that stops it.
live.addEventListener("touchmove", (event) => within(event) && event.preventDefault(), {
  passive: false
});
live.addEventListener("dragstart", (event) => within(event) && event.preventDefault());
live.addEventListener(
  "wheel",
  (event) => {
    if (!within(event) || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    cancelGlance();
    move((now, f) => zoom(now, f, Math.exp(-event.deltaY / 300), event, event));
    drawSoon();
  },
  { passive: false }
);
live.addEventListener("keydown", (event) => {
  const step = event.target === boxOf() && STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  cancelGlance();
  move((now) => ({ ...now, x: now.x + step[0] * SHORT, y: now.y + step[1] * SHORT }));
  draw();
});
live.addEventListener("focusin", (event) => {
  const card = event.target.closest?.(".mazebox a")?.querySelector("use");
  if (card && event.target.matches(":focus-visible")) show(middleOf(card));
});

// Sheets

live.addEventListener("sheet:opening", () => {
  scrolled = scrollY;
  beforeSheet = asMade();
  cancelGlance();
});
live.addEventListener("sheet:shown", ({ detail: fresh }) => {
  if (fresh) raise();
  measured = null;
  mark(true);
});
live.addEventListener("sheet:stays", () => mark(false));
live.addEventListener("sheet:closed", () => {
  const refusal = document.getElementById("refusal");
  const box = boxOf();
  if (refusal) refusal.scrollIntoView({ block: "nearest" });
  else if (box) {
    scrollTo(0, scrolled); // else the round is over, and begins to be read at its top
    const { top } = box.getBoundingClientRect();
    if (toMaze && top < 0) {
      scrollBy(0, top);
      box.focus({ preventScroll: true });
    }
  }
  toMaze = false;
  measured = null;
  for (const each of live.querySelectorAll(".pan .mark")) each.remove();
  if (beforeSheet) view = beforeSheet;
  beforeSheet = null;
  draw();
});

// The page moves up, so that enough of the maze stays in sight above the sheet.
function raise() {
  const top = boxOf()?.getBoundingClientRect().top ?? 0;
  const sheet = sheetAbove(boxOf());
  const short = sheet ? SEEN_PX - sheet.top + top : 0;
  if (top < 0 && sheetBox.querySelector("g.mark")) scrollBy(0, top);
  if (top > 0 && short > 0) scrollBy(0, Math.min(top, short));
}

/** What the sheet is about is drawn into the maze and stays in sight above the sheet. @param {boolean} strict */
function mark(strict) {
  const pan = panOf();
  if (!pan) return;
  for (const each of pan.querySelectorAll(".mark")) each.remove();
  const about = sheetBox.querySelector("g.mark");
  if (!about) {
    if (strict && picking()) showTunnels();
    return draw();
  }
  pan.querySelector("g")?.append(about.cloneNode(true));
  if (moving()) {
    if (strict) showTunnels();
    return draw();
  }
  const { x, y } = about.dataset;
  show({ x: Number(x) + SHORT / 2, y: Number(y) + LONG / 2 }, strict);
}

const moving = () => sheetBox.querySelector(".sheet[data-kind=move]");

/** Where a card lies that was reported elsewhere. @param {MouseEvent} event */
function moveTo(event) {
  const { link, at } = targetOf(event);
  const place = link && new URL(`${link.getAttribute("href")}`, location.href);
  const to = new URL(opened(), location.href);
  to.searchParams.set("to", place?.searchParams.get("place") || at || "1");
  open(to.pathname + to.search);
}

const picking = () => sheetBox.querySelector(".sheet")?.dataset.kind === "action";

// Above the action card's sheet the tunnels and the places beside them lie as large as they all fit, and large enough to be tapped.
function showTunnels() {
  const cards = live.querySelectorAll(
    '.pan :is([href^="#t-"],[href^="#d-"],[href="#start"],[href="#place"])'
  );
  move((_, f) => ({
    ...rotate(f.quarters, newestOrStart()),
    ...around(
      f,
      [...cards].map((card) => rotate(f.quarters, middleOf(/** @type {any} */ (card))))
    )
  }));
}

// Taps

/** What lies under a finger: a place (the nearest one, if its own cell is small), or a card.
 * `close`: the point, where another place may as well be meant.
 * @param {MouseEvent} event
 * @returns {{link?: Element | null, at?: string, empty?: boolean, close?: Point | false}} */
function targetOf(event) {
  const f = frame();
  if (!f || !view) return {};
  const { x, y } = rotate(4 - f.quarters, pointAt(view, f, event));
  const reach = FINGER_PX / view.scale;
  /** @param {SVGUseElement | SVGRectElement} each */
  const away = (each) => {
    const middle = middleOf(each);
    return [Math.abs(x - middle.x), Math.abs(y - middle.y)];
  };
  let link = null;
  let nearest = Infinity;
  let second = Infinity;
  for (const hop of hopsOf()) {
    const [across, down] = away(hop);
    const far = Math.hypot(across, down);
    if (across > Math.max(SHORT / 2, reach) || down > Math.max(LONG / 2, reach)) continue;
    if (far < nearest) link = hop.closest("a");
    [nearest, second] = [nearest, second, far].sort((a, b) => a - b);
  }
  const close = (second - nearest) * view.scale < CLOSE_CALL_PX && view.scale < 1 && { x, y };
  const [column, row] = [Math.floor(x / SHORT), Math.floor(y / LONG)];
  const card = /** @type {SVGUseElement | null} */ (
    f.pan.querySelector(
      `use[x="${column * SHORT}"][y="${row * LONG}"]:not([href="#place"], .mark *)`
    )
  );
  if (!card) {
    const at = rotate(f.quarters, { x, y });
    const inside = at.x > f.x && at.y > f.y && at.x < f.x + f.width && at.y < f.y + f.height;
    return inside ? { link, at: `${column},${-row}`, empty: true, close } : { link, close };
  }
  const [across, down] = away(card);
  const own = across < 10 && down < 14; // a card's own middle
  return { link: own ? null : link, at: `${column},${-row}`, close: !own && close };
}

/** A card that a rockfall took, or a goal card that was looked at; an empty cell says why no card fits there.
 * @param {string} at @param {boolean} [empty] */
function take(at, empty) {
  const ask = live.querySelector("[data-take]")?.dataset.take;
  if (!ask) return;
  const to = new URL(ask, location.href);
  to.searchParams.delete("fall");
  to.searchParams.set(empty ? "place" : "fall", at);
  open(to.pathname + to.search);
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  clearTimeout(taking); // what is tapped next is meant, wherever it lies
  if (event.target.closest("[data-fit]")) return fit();
  toMaze = !!event.target.closest(".main[data-close]");
  if (!within(event)) return;
  if (event.detail && (moved || twice)) {
    event.preventDefault();
    moved = twice = false;
    return;
  }
  const { link, at, empty, close } = event.detail ? targetOf(event) : {};
  if (close && !opened()) {
    event.preventDefault();
    return glance(close, true); // where places touch each other, a thumb may mean another one
  }
  if (event.detail && moving()) {
    event.preventDefault();
    return moveTo(event);
  }
  if (!event.detail || event.target.closest("a")) return; // by key, or right on a place: the link leads on
  if (at && !empty && picking()) take(at);
  else if (link) link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  else if (at) taking = setTimeout(take, TWICE_MS, at, empty);
});

// The table moves on

function update() {
  endMoment();
  const pan = panOf();
  if (pan?.dataset.quarters !== quarters) reset();
  quarters = pan?.dataset.quarters;
  measured = null;
  const now = newest();
  const same = now?.x === last?.x && now?.y === last?.y;
  last = now;
  const free = !opened() && !fingers.size;
  if (now && !same && free) glance(now);
  else draw();
  if (turnBegan() && free) {
    scrollTo(0, 0); // however far down the log was read
    showPlaces();
  }
}

// The end of a round that this tab has shown is a moment of its own.
async function endMoment() {
  if (document.getElementById("pan")) return keep("round", location.pathname);
  if (!document.getElementById("still")) return;
  try {
    const { begin } = await load("saboteur/moment.js");
    begin("round");
  } catch {
    // it comes with what the table says next
  }
}

function reset() {
  cancelGlance();
  view = null;
}

// When it becomes somebody's turn, what can be tapped is in sight.
function showPlaces() {
  draw();
  const f = frame();
  const hops = hopsOf();
  if (!f || !hops.length) return;
  const inside = hops.some((hop) => {
    const { left, top, right, bottom } = hop.getBoundingClientRect();
    return left >= f.left && right <= f.left + f.wide && top >= f.top && bottom <= f.top + f.high;
  });
  if (inside) return;
  reset();
  draw();
}

/** Where a card was laid or turned last; a goal card that was only looked at draws no eyes. @returns {Point | null} */
function newest() {
  /** @type {any} */
  const glow = live.querySelector(".mazebox #glow");
  const at = glow?.transform.baseVal.consolidate()?.matrix;
  if (!at) return null;
  const [x, y] = [at.e + SHORT / 2, at.f + LONG / 2];
  const back = `.pan use[href="#goal-b"][x="${x - SHORT / 2}"][y="${y - LONG / 2}"]`;
  return live.querySelector(back) ? null : { x, y };
}

let quarters = panOf()?.dataset.quarters;
let last = newest();
endMoment();
live.addEventListener("table:shown", update);
let broad = innerWidth;
addEventListener("resize", () => {
  if (!opened() && innerWidth !== broad) view = null; // not when only the address bar went
  broad = innerWidth;
  draw();
});
addEventListener("hashchange", showPlaces); // nothing of it was in sight while the role was
draw();
