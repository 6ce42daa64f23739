// A page's parts: what a stream or an answer says of them is put in their place by id. What somebody
// has opened, chosen or half typed stays as it is, where Idiomorph is there to merge; else parts are replaced.

/** Of one part: an element's HTML; or what came, went, and where it stands; or attributes.
 * @typedef {string | {"+"?: Record<string, string>, "-"?: string[], b?: Record<string, string>, o?: string[], "="?: Record<string, string | null>}} Change */

const SEAT = "\u0081"; // stands in addresses for the seat that the page is about,
const TABLE = "\u0082"; // and for the table

const OURS = ["style", "aria-busy", "data-busy", "data-unsent", "data-short"]; // only scripts set these

/** @param {Element} element @param {string} name */
const ours = (element, name) =>
  OURS.includes(name) ||
  (name === "open" && element.matches("details, dialog")) ||
  (name === "tabindex" && element.matches("h1")) ||
  (name === "hidden" && element.matches("[data-script]")) ||
  (name === "value" && element.matches("input:not([type=hidden])")) ||
  (name === "selected" && element.matches("option"));

/** @param {string} name @param {Element} element */
const stays = (name, element) => !ours(element, name);

/** What is chosen at first. @param {HTMLSelectElement} select */
const preset = (select) => [...select.options].find((each) => each.defaultSelected)?.value;

/** Whether somebody has chosen something else, which is not saved by itself. @param {HTMLSelectElement} select */
const isChosen = (select) =>
  select.value !== (preset(select) ?? select.options[0]?.value) && !select.closest("[data-saves]");

/** What is to be chosen in each list that becomes another one: the first of these that it has.
 * @type {Map<Node, string[]>} */
const chosen = new Map();

/** @param {any} old @param {any} fresh elements of one kind */
function keep(old, fresh) {
  if (old.nodeName === "SELECT") {
    const kept = isChosen(old) || preset(old) === preset(fresh);
    chosen.set(old, kept ? [old.value, fresh.value] : [fresh.value]);
  } else if (old.nodeName === "OPTION") {
    old.defaultSelected = fresh.defaultSelected;
  } else if (old.nodeName === "INPUT") {
    if (old.defaultChecked === fresh.defaultChecked) fresh.checked = old.checked;
    if (old.type === "hidden" || old.defaultValue === fresh.defaultValue) return;
    const typed = old.value;
    old.defaultValue = fresh.defaultValue;
    old.value = old === document.activeElement ? typed : fresh.defaultValue;
  }
}

/** A list whose options have become others. @param {any} old */
function choose(old) {
  const has = [...(old.options || [])].map((each) => each.value);
  const value = chosen.get(old)?.find((each) => has.includes(each));
  if (value !== undefined) old.value = value;
  chosen.delete(old);
}

/** @param {string} html */
function parsed(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  return box.content;
}

/** @param {Element} parent @param {string} html */
function made(parent, html) {
  const drawing = parent instanceof SVGElement;
  const root = drawing ? parsed(`<svg>${html}</svg>`).firstElementChild : parsed(html);
  return /** @type {Element} */ (root?.firstElementChild);
}

/** @typedef {(node: Node) => boolean} MayGo of what is no longer said */

/** @param {string} morphStyle @param {MayGo} mayGo */
const options = (morphStyle, mayGo) => ({
  morphStyle,
  callbacks: {
    beforeNodeMorphed: keep,
    afterNodeMorphed: choose,
    beforeAttributeUpdated: stays,
    beforeNodeRemoved: mayGo
  }
});

/** @param {Element} element @param {string} html @param {MayGo} mayGo */
function redraw(element, html, mayGo) {
  const drawing = element instanceof SVGElement;
  if (drawing || !window.Idiomorph) element.replaceWith(made(element, html));
  else window.Idiomorph.morph(element, parsed(html), options("outerHTML", mayGo));
}

/** @param {Element} element @param {string} html of what is in it @param {MayGo} mayGo */
function refill(element, html, mayGo) {
  if (!window.Idiomorph) element.innerHTML = html;
  else window.Idiomorph.morph(element, parsed(html), options("innerHTML", mayGo));
}

/** @param {Element} element @param {string[]} order */
function reorder(element, order) {
  let next = element.firstElementChild;
  for (const id of order) {
    const child = document.getElementById(id);
    if (child === next) next = next?.nextElementSibling || null;
    else if (child) element.insertBefore(child, next);
  }
}

/** An element becomes what it is now; focus, folds and what was typed stay. @param {Element} element @param {string} html */
export const renew = (element, html) => redraw(element, html, () => true);

/** Puts everything into its place; false where the page lacks a part.
 * @param {HTMLElement} live @param {Record<string, Change>} said @param {MayGo} mayGo */
export function apply(live, said, mayGo) {
  /** @param {string} html */
  const filled = (html) =>
    html.replaceAll(SEAT, live.dataset.seat || "").replaceAll(TABLE, live.dataset.table || "");
  for (const [id, change] of Object.entries(said)) {
    const element = id === live.id ? live : document.getElementById(id);
    if (!element) return false;
    if (element === live) refill(live, filled(`${change}`), mayGo);
    else if (typeof change === "string") redraw(element, filled(change), mayGo);
    else {
      for (const [name, value] of Object.entries(change["="] || {})) {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      }
      for (const gone of change["-"] || []) document.getElementById(gone)?.remove();
      for (const [key, html] of Object.entries(change["+"] || {})) {
        const child = document.getElementById(key);
        if (child) redraw(child, filled(html), mayGo);
        else element.append(made(element, filled(html)));
      }
      for (const [key, behind] of Object.entries(change.b || {}).reverse()) {
        const child = document.getElementById(key);
        if (child) element.insertBefore(child, document.getElementById(behind));
      }
      if (change.o) reorder(element, change.o);
    }
  }
  return true;
}

/** Why a page says that something was refused, as HTML. @param {string} page */
export const reason = (page) =>
  new DOMParser().parseFromString(page, "text/html").querySelector("main p")?.innerHTML;
