// A game watched again: all its scenes are on the page, the first one whole and of the others what each changed. Any
// of them comes to the stage by what differs from the one that is there.

import { apply } from "./parts.js";

const PLAY_MS = 1400; // until the next play
const ROUND_MS = 4000; // and after the last one of a round
const SETTLED_MS = 400; // until the address follows: browsers allow few changes of it

/** Of a part: its HTML; that of its children by id, in their order; or attributes.
 * @typedef {string | Map<string, string> | Record<string, string | null>} Shown
 * @typedef {Map<string, Shown>} Scene by the id of each part
 * @typedef {Record<string, any>} Said see `parts.js` */

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);
const [stage, seek, run, said, news] = ["stage", "seek", "run", "said", "news"].map(byId);
/** @type {HTMLElement[]} */
const lines = [...document.querySelectorAll(".plays li > a")];
const [back, on] = ["prev", "next"].map((rel) => document.querySelector(`.controls [rel=${rel}]`));
const list = document.querySelector(".plays .list");
const beside = matchMedia("(orientation: landscape) and (min-width: 46em) and (min-height: 20em)"); // as in replay.css

/** @param {Map<string, string>} was @param {Said} change */
function children(was, change) {
  const now = new Map(was);
  for (const gone of change["-"] || []) now.delete(gone);
  for (const [key, html] of Object.entries(change["+"] || {})) now.set(key, html);
  let order = [...now.keys()];
  for (const [key, behind] of Object.entries(change.b || {}).reverse()) {
    order = order.filter((each) => each !== key);
    order.splice(order.indexOf(behind), 0, key);
  }
  return new Map((change.o || order).map((/** @type {string} */ key) => [key, now.get(key)]));
}

/** @param {Scene} before @param {Said} change @returns {Scene} */
function after(before, change) {
  const scene = new Map(before);
  for (const [id, part] of Object.entries(change)) {
    const was = before.get(id);
    if (typeof part === "string") scene.set(id, part);
    else scene.set(id, part["="] || children(was instanceof Map ? was : new Map(), part));
  }
  return scene;
}

/** @param {Record<string, string | null>} attributes */
const without = (attributes) =>
  Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));

/** @param {Scene} was @param {Scene} now */
function difference(was, now) {
  /** @type {Said} */
  const change = {};
  for (const [id, part] of now) {
    const old = was.get(id);
    if (part === old) continue;
    if (part instanceof Map && old instanceof Map)
      change[id] = {
        "+": Object.fromEntries([...part].filter(([key, html]) => old.get(key) !== html)),
        "-": [...old.keys()].filter((key) => !part.has(key)),
        o: [...part.keys()]
      };
    else if (typeof part === "string") change[id] = part;
    else change[id] = { "=": { ...without(Object(old)), ...part } };
  }
  return change;
}

/** @type {Scene[]} */
const scenes = [];
for (const change of JSON.parse(byId("scenes").textContent))
  scenes.push(after(scenes.at(-1) || new Map(), change));

let at = Number(byId("replay").dataset.at); // the scene on the stage, from 1
const reading = () => location.hash === "#story"; // which stands before it on the page
let timer = 0; // while it goes on by itself
let settling = 0;

const last = scenes.length;
/** @param {number} number */
const lineOf = (number) => lines[number - 1];
/** @param {number} number @returns {any} */
const listOf = (number) => lineOf(number)?.closest("ol");

/** @param {number} number @param {boolean} [aloud] */
function show(number, aloud = false) {
  const to = Math.min(Math.max(number, 1), last);
  if (to !== at) apply(stage, difference(scenes[at - 1], scenes[to - 1]), () => true);
  lineOf(at).removeAttribute("aria-current");
  at = to;
  const line = lineOf(at);
  line.setAttribute("aria-current", "true");
  said.innerHTML = line.innerHTML;
  said.classList.toggle("long", "long" in line.dataset);
  byId("in-round").textContent = listOf(at).previousElementSibling?.textContent || "";
  byId("at").textContent = `${at}/${last}`;
  seek.value = at;
  seek.setAttribute("aria-valuetext", line.textContent);
  if (aloud && document.activeElement !== seek) news.textContent = line.textContent;
  point(back, at - 1);
  point(on, at + 1);
  if (beside.matches && list) list.scrollTop = line.offsetTop - list.clientHeight / 2;
  clearTimeout(settling);
  settling = setTimeout(() => reading() || history.replaceState(null, "", `#${at}`), SETTLED_MS);
}

/** @param {any} link @param {number} number */
function point(link, number) {
  const href = lineOf(number)?.getAttribute("href");
  const none = !href;
  for (const [name, value] of Object.entries({ href, role: none && "link", "aria-disabled": none }))
    if (value) link.setAttribute(name, value);
    else link.removeAttribute(name);
}

// By itself

function tick() {
  const pause = listOf(at) === listOf(at + 1) ? PLAY_MS : ROUND_MS;
  timer = setTimeout(() => {
    show(at + 1);
    if (at === last) rest();
    else tick();
  }, pause);
}

function go() {
  if (at === last) show(1);
  face("rest", "#u-pause");
  tick();
}

function rest() {
  if (!timer) return;
  clearTimeout(timer);
  timer = 0;
  face("run", "#u-play");
}

/** @param {string} name @param {string} symbol */
function face(name, symbol) {
  run.setAttribute("aria-label", run.dataset[name]);
  run.querySelector("use").setAttribute("href", symbol);
}

/** @param {number} number */
function step(number) {
  rest();
  show(number, true);
}

// What is tapped, dragged, or pressed

run.addEventListener("click", () => (timer ? rest() : go()));
seek.addEventListener("input", () => step(Number(seek.value)));
document.addEventListener("click", (event) => {
  const link = event.target.closest(".plays a, .rounds a, .controls a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link === back || link === on) step(at + (link === on ? 1 : -1));
  else step(Number(link.dataset.first) || lines.indexOf(link) + 1);
  if (!beside.matches) stage.scrollIntoView({ block: "nearest" });
});
// From another language, the rules and the page's foot it is come back to where it is.
const language = document.querySelector("a.lang");
/** @param {HTMLAnchorElement | null} link @param {string} name */
const backBy = (link, name) => new URLSearchParams(link?.search).get(name)?.split("#")[0];
const here = backBy(language, "next");
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.lang, a.rules, footer a[href^='/privacy']");
  if (!link) return;
  const query = new URLSearchParams(link.search);
  const name = link === language ? "next" : "back";
  if ((backBy(link, name) ?? here) !== here) return; // it leads back to the table
  query.set(name, here + (reading() ? location.hash : `#${at}`));
  link.search = `?${query}`;
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || reading()) return;
  const onControl = event.target.closest("a, button, input, summary");
  if (event.key === " " && (!onControl || onControl === seek)) {
    event.preventDefault();
    return run.click();
  }
  if (event.target === seek) return; // it has these keys of itself
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 1, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  step(to);
});
document.addEventListener("visibilitychange", () => document.hidden && rest());

/** The scene that the address names, if it does. */
const named = () => Number(/^#(\d+)$/.exec(location.hash)?.[1]) || at;
addEventListener("hashchange", () => (reading() ? rest() : step(named())));

// A round is as wide below the slider as it has plays.
const rounds = [...document.querySelectorAll(".rounds a")];
for (const [index, round] of rounds.entries())
  round.style.flexGrow = `${Number(rounds[index + 1]?.dataset.first || last + 1) - Number(round.dataset.first)}`;
for (const each of document.querySelectorAll("[data-script]")) each.hidden = false;
history.replaceState(null, "", location.href); // Back to what answered a form would ask whether to send it again
show(named());
