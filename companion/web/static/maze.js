// The maze under the fingers: drag, pinch, double tap to fit; what a sheet is about stays in sight above it.

import { attend, open, opened, place } from "./play.js";

const LEAST_PX = 44; // a cell's short side, at first
const CLOSE_PX = 66; // when a sheet asks about it
const MOST_PX = 140;
const SHORT = 40; // a card's short side in the drawing's units
const SLOP_PX = 8; // less is a tap
const TWICE_MS = 320;
const MARGIN_PX = 24;
const EDGE_PX = 8; // around the whole maze

const live = document.getElementById("live");

let view = null; // {x, y, scale}: the drawing's point in the middle of the box, pixels a unit; null: not moved yet
let fitted = true; // the whole maze is shown: it stays so
let kept = null; // the view before a sheet moved it
let measured = null; // while fingers drag, the page is not measured again

const boxOf = () => live.querySelector(".mazebox .maze");
const panOf = () => live.querySelector(".mazebox .pan");

// The view

function frame() {
  if (measured && fingers.size) return measured;
  const box = boxOf();
  const pan = panOf();
  if (!box || !pan || !place) return null;
  const { x, y, width, height } = pan.viewBox.baseVal;
  const wide = box.clientWidth;
  const sheet = place.querySelector(".sheet");
  const { left, top } = box.getBoundingClientRect();
  const cut = sheet ? Math.max(0, top + box.clientHeight - sheet.getBoundingClientRect().top) : 0;
  const high = Math.max(box.clientHeight - cut, 120);
  measured = { pan, x, y, width, height, wide, high, left, top, own: pan.clientWidth };
  return measured;
}

const fitting = (f) => Math.min((f.wide - 2 * EDGE_PX) / f.width, (f.high - 2 * EDGE_PX) / f.height, MOST_PX / SHORT);

// A point of the board as the turned drawing has it.
function seen(f, x, y) {
  switch (Number(f.pan.dataset.turn)) {
    case 1: return { x: y, y: -x };
    case 2: return { x: -x, y: -y };
    case 3: return { x: -y, y: x };
  }
  return { x, y };
}

function held(f) {
  const least = Math.min(fitting(f), LEAST_PX / SHORT) * 0.9;
  view.scale = Math.min(Math.max(view.scale, least), MOST_PX / SHORT);
  const spare = (size, span) => Math.max(0, size / 2 - span / view.scale / 2 + MARGIN_PX / view.scale);
  const middle = { x: f.x + f.width / 2, y: f.y + f.height / 2 };
  const reach = place.querySelector(".sheet") ? 1e9 : 0;
  const dx = Math.max(spare(f.width, f.wide), reach);
  const dy = Math.max(spare(f.height, f.high), reach);
  view.x = Math.min(Math.max(view.x, middle.x - dx), middle.x + dx);
  view.y = Math.min(Math.max(view.y, middle.y - dy), middle.y + dy);
}

function draw() {
  const f = frame();
  if (!f) return;
  fitted ||= !view;
  if (fitted) view = { ...middleOf(f), scale: fitting(f) };
  held(f);
  const ratio = f.own ? view.scale / (f.own / f.width) : 1;
  const px = f.wide / 2 - (view.x - f.x) * view.scale;
  const py = f.high / 2 - (view.y - f.y) * view.scale;
  f.pan.style.transform = `translate(${px.toFixed(1)}px,${py.toFixed(1)}px) scale(${ratio.toFixed(4)})`;
}

const middleOf = (f) => ({ x: f.x + f.width / 2, y: f.y + f.height / 2 });

function fit() {
  fitted = true;
  draw();
}

function show(x, y, strict) {
  const f = frame();
  if (!f || !view) return;
  const at = seen(f, x, y);
  const out = Math.abs(at.x - view.x) > f.wide / view.scale / 2 - 30 || Math.abs(at.y - view.y) > f.high / view.scale / 2 - 30;
  if (!out && !strict) return draw();
  fitted = false;
  view = { ...at, scale: strict ? Math.max(view.scale, CLOSE_PX / SHORT) : view.scale };
  draw();
}

// Fingers

const fingers = new Map();
let moved = false;
let before = null; // of two fingers: distance and middle
let tapped = 0;
let due = false;

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
  if (fingers.size === 1) moved = false;
  before = null;
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
    const [a, b] = [...fingers.values()];
    const now = { far: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
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
  if (event.timeStamp - tapped < TWICE_MS) fit();
  tapped = event.timeStamp;
}
addEventListener("pointerup", lift);
addEventListener("pointercancel", lift);
live.addEventListener("dragstart", (event) => event.target.closest(".maze") && event.preventDefault());
live.addEventListener("wheel", (event) => {
  if (!event.target.closest(".mazebox .maze") || !view || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const at = { x: event.clientX, y: event.clientY };
  fitted = false;
  zoom(Math.exp(-event.deltaY / 300), at, at);
  later();
}, { passive: false });
live.addEventListener("focusin", (event) => {
  const rect = event.target.closest?.(".mazebox a")?.querySelector("use");
  if (rect && event.target.matches(":focus-visible")) show(rect.x.baseVal.value + 20, rect.y.baseVal.value + 29);
});
live.addEventListener("keydown", (event) => {
  if (!event.target.matches(".maze") || !view) return;
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step) return;
  event.preventDefault();
  fitted = false;
  view.x += step[0] * 40;
  view.y += step[1] * 40;
  draw();
});

// Sheets

attend({
  opening() {
    if (view) kept = { ...view, fitted };
  },
  shown() {
    measured = null;
    mark(true);
  },
  again: () => mark(false),
  closed() {
    measured = null;
    live.querySelectorAll(".pan .mark").forEach((each) => each.remove());
    if (kept) {
      fitted = kept.fitted;
      view = { x: kept.x, y: kept.y, scale: kept.scale };
      kept = null;
    }
    draw();
  },
});

// What the sheet is about is drawn into the maze and stays in sight above the sheet.
function mark(strict) {
  const pan = panOf();
  if (!pan) return;
  pan.querySelectorAll(".mark").forEach((each) => each.remove());
  const about = place.querySelector(".mark");
  if (!about) {
    if (strict && picking() && fitted) near();
    return draw();
  }
  pan.querySelector("g").append(about.cloneNode(true));
  show(Number(about.dataset.x) + 20, Number(about.dataset.y) + 29, strict);
}

// Above the action card's sheet the cards lie large enough to be tapped.
function near() {
  const f = frame();
  if (!f) return;
  fitted = false;
  const [x, y] = (newest() || "20,29").split(",").map(Number);
  view = { ...seen(f, x, y), scale: Math.max(fitting(f), LEAST_PX / SHORT) };
}

const picking = () => place.querySelector(".sheet")?.dataset.kind === "action";

// In the action card's sheet the cards themselves are the targets.
function picked(event) {
  if (!picking()) return null;
  const use = event.target.closest(".pan use");
  if (!use) return null;
  const x = Math.round(use.x.baseVal.value / 40);
  const y = -Math.round(use.y.baseVal.value / 58);
  const goal = { "8,2": "north", "8,0": "middle", "8,-2": "south" }[`${x},${y}`];
  const to = new URL(opened(), location.href);
  to.searchParams.delete("act");
  to.searchParams.set("fall", goal || `${x},${y}`);
  return to.pathname + to.search;
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const inMaze = event.target.closest(".mazebox .maze");
  if (inMaze && moved) {
    event.preventDefault();
    moved = false;
    return;
  }
  if (inMaze && picking()) {
    const to = picked(event);
    if (to) {
      event.preventDefault();
      open(to);
      return;
    }
  }
  if (event.target.closest("[data-fit]")) fit();
});

// The table moves on

function arrived() {
  ready();
  measured = null;
  const was = last;
  last = newest();
  if (last && last !== was && !opened()) show(...last.split(",").map(Number), false);
  draw();
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
  live.querySelectorAll("[data-fit]").forEach((each) => (each.hidden = false));
}

let turn = panOf()?.dataset.turn;
let last = newest();
live.addEventListener("table:shown", () => {
  const turned = panOf()?.dataset.turn;
  if (turned !== turn) view = null;
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
