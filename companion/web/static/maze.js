// The maze under the fingers: drag, pinch, double tap to fit; what a sheet is about stays in sight above it.

import { open, opened, sheetBox } from "./play.js";
import { live } from "./table.js";

const WHOLE_PX = 20; // a card's short side: where the whole maze would lie smaller, a part of it is shown first
const LEAST_PX = 44; // where cards are to be tapped
const CLOSE_PX = 66; // when a sheet asks about one
const FINGER_PX = 22; // on either side of a place's middle: so near it is meant
const SEEN_PX = 220; // of the maze above a sheet
const MOST_PX = 140;
const SHORT = 40; // a card's short side in the drawing's units
const SLOP_PX = 8; // less is a tap
const TWICE_MS = 320;
const MARGIN_PX = 24;
const EDGE_PX = 8; // around the whole maze
const GLANCE_MS = 4000; // at a card that was laid out of sight
const GOALS = { "8,2": "north", "8,0": "middle", "8,-2": "south" };

let view = null; // {x, y, scale}: the drawing's point in the middle of the box, pixels a unit; null: not moved yet
let fitted = true; // the whole maze is shown: it stays so
let kept = null; // the view before a sheet moved it
let back = null; // the view before a glance at what is new
let glancing = 0; // of a timer
let scrolled = 0; // the page, before a sheet moved it
let measured = null; // while fingers drag, the page is not measured again

const boxOf = () => live.querySelector(".mazebox .maze");
const panOf = () => live.querySelector(".mazebox .pan");

// The view

function frame() {
  if (measured && fingers.size) return measured;
  const box = boxOf();
  const pan = panOf();
  if (!box || !pan || !sheetBox) return null;
  const { x, y, width, height } = pan.viewBox.baseVal;
  const wide = box.clientWidth;
  const sheet = sheetBox.querySelector(".sheet");
  const { left, top } = box.getBoundingClientRect();
  const cut = sheet ? Math.max(0, top + box.clientHeight - sheet.getBoundingClientRect().top) : 0;
  const high = Math.max(box.clientHeight - cut, 120);
  const tools = sheet ? 0 : box.nextElementSibling.offsetWidth + EDGE_PX;
  measured = { pan, x, y, width, height, wide, high, left, top, tools, own: pan.clientWidth };
  return measured;
}

const fitting = (f) =>
  Math.min(
    (f.wide - f.tools - 2 * EDGE_PX) / f.width,
    (f.high - 2 * EDGE_PX) / f.height,
    MOST_PX / SHORT,
  );

// All of it in the middle, or as far from there as the buttons beside it need.
function whole(f) {
  const scale = fitting(f);
  const { x, y } = middleOf(f);
  return {
    x: x + Math.max(0, f.tools + EDGE_PX - (f.wide - f.width * scale) / 2) / scale,
    y,
    scale,
  };
}

// A point of the board as the turned drawing has it.
function seen(f, x, y) {
  switch (Number(f.pan.dataset.turn)) {
    case 1:
      return { x: y, y: -x };
    case 2:
      return { x: -x, y: -y };
    case 3:
      return { x: -y, y: x };
  }
  return { x, y };
}

function held(f) {
  const least = Math.min(fitting(f), LEAST_PX / SHORT) * 0.9;
  view.scale = Math.min(Math.max(view.scale, least), MOST_PX / SHORT);
  const spare = (size, span) =>
    Math.max(0, size / 2 + (MARGIN_PX + f.tools - span / 2) / view.scale);
  const middle = { x: f.x + f.width / 2, y: f.y + f.height / 2 };
  const reach = sheetBox.querySelector(".sheet") ? 1e9 : 0;
  const dx = Math.max(spare(f.width, f.wide), reach);
  const dy = Math.max(spare(f.height, f.high), reach);
  view.x = Math.min(Math.max(view.x, middle.x - dx), middle.x + dx);
  view.y = Math.min(Math.max(view.y, middle.y - dy), middle.y + dy);
}

function draw() {
  const f = frame();
  if (!f) return;
  if (!view) begin(f);
  else if (fitted) view = whole(f);
  held(f);
  const ratio = f.own ? view.scale / (f.own / f.width) : 1;
  const px = f.wide / 2 - (view.x - f.x) * view.scale;
  const py = f.high / 2 - (view.y - f.y) * view.scale;
  f.pan.style.transform = `translate(${px.toFixed(1)}px,${py.toFixed(1)}px) scale(${ratio.toFixed(4)})`;
}

const middleOf = (f) => ({ x: f.x + f.width / 2, y: f.y + f.height / 2 });

// At first all of it; where its places would be too small for a finger, what is new.
function begin(f) {
  fitted = fitting(f) * SHORT >= WHOLE_PX;
  view = fitted ? whole(f) : { ...seen(f, ...middleOfNew()), scale: (0.75 * LEAST_PX) / SHORT };
}

const middleOfNew = () => (newest() || "20,29").split(",").map(Number);

function fit() {
  stay();
  fitted = true;
  draw();
}

function show(x, y, strict) {
  const f = frame();
  if (!f || !view) return;
  const at = seen(f, x, y);
  const out =
    Math.abs(at.x - view.x) > f.wide / view.scale / 2 - 30 ||
    Math.abs(at.y - view.y) > f.high / view.scale / 2 - 30;
  if (!out && !strict) return draw();
  fitted = false;
  view = { ...at, scale: strict ? Math.max(view.scale, CLOSE_PX / SHORT) : view.scale };
  draw();
  return true;
}

// What is new comes into sight for a moment; then the view is again what somebody had made of it.
function glance(x, y) {
  const was = back || { ...view };
  if (!show(x, y)) return;
  stay();
  back = was;
  glancing = setTimeout(() => {
    view = back;
    stay();
    draw();
  }, GLANCE_MS);
}

function stay() {
  clearTimeout(glancing);
  back = null;
}

// Fingers

const fingers = new Map();
let moved = false;
let before = null; // of two fingers: distance and middle
let tapped = null; // when and where
let twice = false; // in a row
let card = 0; // of a timer: the tap on a card that may yet become a double tap
let due = false;

function pinch() {
  const [a, b] = [...fingers.values()];
  return { far: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function later() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    draw();
  });
}

live.addEventListener("pointerdown", (event) => {
  if (!event.target.closest(".mazebox .maze") || event.button) return;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  measured = null;
  stay();
  if (fingers.size === 1) moved = false;
  before = fingers.size === 2 ? pinch() : null;
});
addEventListener("pointermove", (event) => {
  const finger = fingers.get(event.pointerId);
  if (!finger || !view) return;
  const dx = event.clientX - finger.x;
  const dy = event.clientY - finger.y;
  if (!moved && fingers.size === 1 && Math.hypot(dx, dy) < SLOP_PX) return;
  if (!moved) {
    moved = true;
    kept = null;
    boxOf()?.classList.add("drag");
  }
  finger.x = event.clientX;
  finger.y = event.clientY;
  fitted = false;
  if (fingers.size === 1) {
    view.x -= dx / view.scale;
    view.y -= dy / view.scale;
  } else {
    const now = pinch();
    if (before) zoom(now.far / before.far, before, now);
    before = now;
  }
  later();
});

function zoom(by, from, to) {
  const f = frame();
  if (!f) return;
  const x = view.x + (from.x - f.left - f.wide / 2) / view.scale;
  const y = view.y + (from.y - f.top - f.high / 2) / view.scale;
  view.scale = Math.min(Math.max(view.scale * by, fitting(f) * 0.5), MOST_PX / SHORT);
  view.x = x - (to.x - f.left - f.wide / 2) / view.scale;
  view.y = y - (to.y - f.top - f.high / 2) / view.scale;
}

function lift(event) {
  if (!fingers.delete(event.pointerId)) return;
  before = null;
  if (fingers.size) return;
  boxOf()?.classList.remove("drag");
  if (moved || event.type === "pointercancel" || event.target.closest?.("a")) return;
  const { timeStamp, clientX, clientY } = event;
  twice =
    !!tapped &&
    timeStamp - tapped.timeStamp < TWICE_MS &&
    Math.hypot(clientX - tapped.clientX, clientY - tapped.clientY) < FINGER_PX;
  if (twice) fit();
  tapped = twice ? null : { timeStamp, clientX, clientY };
}
addEventListener("pointerup", lift);
addEventListener("pointercancel", lift);
// After a flick the browser would take the next tap for one that stops it.
live.addEventListener(
  "touchmove",
  (event) => event.target.closest(".mazebox .maze") && event.preventDefault(),
  { passive: false },
);
live.addEventListener(
  "dragstart",
  (event) => event.target.closest(".maze") && event.preventDefault(),
);
live.addEventListener(
  "wheel",
  (event) => {
    if (!event.target.closest(".mazebox .maze") || !view || !(event.ctrlKey || event.metaKey))
      return;
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    stay();
    fitted = false;
    zoom(Math.exp(-event.deltaY / 300), at, at);
    later();
  },
  { passive: false },
);
live.addEventListener("focusin", (event) => {
  const rect = event.target.closest?.(".mazebox a")?.querySelector("use");
  if (rect && event.target.matches(":focus-visible"))
    show(rect.x.baseVal.value + 20, rect.y.baseVal.value + 29);
});
live.addEventListener("keydown", (event) => {
  if (!event.target.matches(".maze") || !view) return;
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
    event.key
  ];
  if (!step) return;
  event.preventDefault();
  stay();
  fitted = false;
  view.x += step[0] * 40;
  view.y += step[1] * 40;
  draw();
});

// Sheets

live.addEventListener("sheet:opening", () => {
  scrolled = scrollY;
  if (view) kept = { ...(back || view), fitted };
  stay();
});
live.addEventListener("sheet:shown", ({ detail: fresh }) => {
  if (fresh) raise();
  measured = null;
  mark(true);
});
live.addEventListener("sheet:stays", () => mark(false));
live.addEventListener("sheet:closed", () => {
  scrollTo(0, scrolled);
  measured = null;
  for (const each of live.querySelectorAll(".pan .mark")) each.remove();
  if (kept) {
    fitted = kept.fitted;
    view = { x: kept.x, y: kept.y, scale: kept.scale };
    kept = null;
  }
  draw();
});

// The page moves up, so that enough of the maze stays in sight above the sheet.
function raise() {
  const { top } = boxOf()?.getBoundingClientRect() || {};
  const short = SEEN_PX - (sheetBox.querySelector(".sheet").getBoundingClientRect().top - top);
  if (top > 0 && short > 0) scrollBy(0, Math.min(top, short));
}

// What the sheet is about is drawn into the maze and stays in sight above the sheet.
function mark(strict) {
  const pan = panOf();
  if (!pan) return;
  for (const each of pan.querySelectorAll(".mark")) each.remove();
  const about = sheetBox.querySelector(".mark");
  if (!about) {
    if (strict && picking()) near();
    return draw();
  }
  pan.querySelector("g").append(about.cloneNode(true));
  show(Number(about.dataset.x) + 20, Number(about.dataset.y) + 29, strict);
}

// Above the action card's sheet the tunnels and the places beside them lie as large as they all fit, and large enough to be tapped.
function near() {
  const f = frame();
  if (!f) return;
  fitted = false;
  const all = [
    ...f.pan.querySelectorAll('[href^="#t-"],[href^="#d-"],[href="#start"],[href="#place"]'),
  ].map((use) => seen(f, use.x.baseVal.value + 20, use.y.baseVal.value + 29));
  const [left, right] = [Math.min(...all.map((at) => at.x)), Math.max(...all.map((at) => at.x))];
  const [top, bottom] = [Math.min(...all.map((at) => at.y)), Math.max(...all.map((at) => at.y))];
  const fits = Math.min(
    f.wide / (right - left + 90),
    f.high / (bottom - top + 90),
    CLOSE_PX / SHORT,
  );
  const scale = Math.max(fits, WHOLE_PX / SHORT);
  view =
    fits === scale
      ? { x: (left + right) / 2, y: (top + bottom) / 2, scale }
      : { ...seen(f, ...middleOfNew()), scale };
}

const picking = () => sheetBox.querySelector(".sheet")?.dataset.kind === "action";

// What lies under a finger: a place (the nearest one, if its own cell is small), or a card.
function meant(event) {
  const f = frame();
  if (!f || !view) return {};
  const [x, y] = unseen(
    f,
    view.x + (event.clientX - f.left - f.wide / 2) / view.scale,
    view.y + (event.clientY - f.top - f.high / 2) / view.scale,
  );
  let link = null;
  let least = Infinity;
  for (const hop of f.pan.querySelectorAll(".hop")) {
    const wide = Math.abs(x - hop.x.baseVal.value - 20) * view.scale;
    const high = Math.abs(y - hop.y.baseVal.value - 29) * view.scale;
    const far = Math.hypot(wide, high);
    if (
      wide > Math.max(20 * view.scale, FINGER_PX) ||
      high > Math.max(29 * view.scale, FINGER_PX) ||
      far > least
    )
      continue;
    least = far;
    link = hop.closest("a");
  }
  const at = [Math.floor(x / 40), Math.floor(y / 58)];
  const lies = f.pan.querySelector(
    `use[x="${at[0] * 40}"][y="${at[1] * 58}"]:not([href="#place"])`,
  );
  const onto = lies && Math.abs(x - 40 * at[0] - 20) < 10 && Math.abs(y - 58 * at[1] - 29) < 14; // a card's own middle
  return { link: onto ? null : link, at: lies && `${at[0]},${-at[1]}` };
}

function unseen(f, x, y) {
  switch (Number(f.pan.dataset.turn)) {
    case 1:
      return [-y, x];
    case 2:
      return [-x, -y];
    case 3:
      return [y, -x];
  }
  return [x, y];
}

// A card that a rockfall took, or a goal card that was looked at.
function take(at) {
  const ask = live.querySelector("[data-take]");
  if (!ask?.isConnected) return;
  const to = new URL(ask.dataset.take, location.href);
  to.searchParams.set("fall", GOALS[at] || at);
  open(to.pathname + to.search);
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("[data-fit]")) return fit();
  if (!event.target.closest(".mazebox .maze")) return;
  clearTimeout(card);
  if (moved || twice) {
    event.preventDefault();
    moved = twice = false;
    return;
  }
  if (!event.detail || event.target.closest("a")) return; // by key, or right on a place: the link leads on
  const { link, at } = meant(event);
  if (at && picking()) take(at);
  else if (link) link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  else if (at) card = setTimeout(take, TWICE_MS, at);
});

// The table moves on

function arrived() {
  ready();
  measured = null;
  const was = last;
  last = newest();
  if (last && last !== was && !opened()) glance(...last.split(",").map(Number));
  draw();
  const now = live.querySelector("main")?.dataset.turn === "mine";
  if (now && !mine && !opened()) places();
  mine = now;
}

// When it becomes somebody's turn, what can be tapped is in sight.
function places() {
  const f = frame();
  const hops = f ? [...f.pan.querySelectorAll(".hop")] : [];
  const inside = (hop) => {
    const { left, top, right, bottom } = hop.getBoundingClientRect();
    return left >= f.left && right <= f.left + f.wide && top >= f.top && bottom <= f.top + f.high;
  };
  if (hops.length && !hops.some(inside)) {
    stay();
    view = null;
    draw();
  }
}

// Where a card was laid or turned last; a goal card that was only looked at draws no eyes.
function newest() {
  const glow = panOf()?.querySelector(".glow2");
  if (!glow) return "";
  const [x, y] = [glow.cx.baseVal.value, glow.cy.baseVal.value];
  const down = panOf().querySelector(`use[href="#goal-b"][x="${x - 20}"][y="${y - 29}"]`);
  return down ? "" : `${x},${y}`;
}

function ready() {
  for (const each of live.querySelectorAll("[data-fit]")) each.hidden = false;
}

let turn = panOf()?.dataset.turn;
let last = newest();
let mine = false;
live.addEventListener("table:shown", () => {
  const turned = panOf()?.dataset.turn;
  if (turned !== turn) {
    stay();
    view = null;
  }
  turn = turned;
  arrived();
});
let broad = innerWidth;
addEventListener("resize", () => {
  measured = null;
  if (!opened() && innerWidth !== broad) view = null; // not when only the address bar went
  broad = innerWidth;
  draw();
});
ready();
draw();
