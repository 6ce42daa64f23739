// Searching the rules while one types; without script the form does the same by loading the page.

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.find"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
const found = /** @type {HTMLElement} */ (document.getElementById("found"));
const contents = /** @type {HTMLElement} */ (document.getElementById("contents"));
const paragraphs = [...document.querySelectorAll("[data-rule]")];

/** @param {string} text */
const fold = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

// What the server has marked is only for those without script.
for (const mark of document.querySelectorAll("main mark")) {
  const parent = mark.parentNode;
  mark.replaceWith(...mark.childNodes);
  parent?.normalize();
}

const texts = paragraphs.map((paragraph) =>
  [...paragraph.querySelectorAll("h3, p:not(.by, .toolrow)")].map(
    (each) => /** @type {Text} */ (each.firstChild)
  )
);
// with a blank before each word
const plain = texts.map((nodes) =>
  fold(nodes.map((node) => node.data).join(" ")).replace(/[\p{L}\p{N}_]+/gu, " $&")
);

/** @param {Text} node @param {string[]} words */
function hits(node, words) {
  const origin = [];
  let text = "";
  for (let at = 0; at < node.length; at++) {
    const letters = fold(node.data[at]);
    text += letters;
    for (const _ of letters) origin.push(at);
  }
  const ranges = [];
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      const range = new Range();
      range.setStart(node, origin[at]);
      range.setEnd(node, origin[at + word.length - 1] + 1);
      ranges.push(range);
    }
  }
  return ranges;
}

// As `rules_search.py` has it: all the words; or else what has most of what is rare here, at the beginnings of words and
// without the endings.
const STEM_MIN = 4;
const ENDING = 2;
const NEARLY = 0.6;
const WORDS_MAX = 16;

/** @param {string[]} asked @returns {{words: string[], shown: boolean[]}} */
function looked(asked) {
  const whole = plain.map((text) => asked.every((word) => text.includes(word)));
  if (whole.includes(true)) return { words: asked, shown: whole };
  const stems = asked.map((word) => word.slice(0, Math.max(STEM_MIN, word.length - ENDING)));
  const words = [...new Set(stems)];
  const had = plain.map((text) => words.filter((stem) => text.includes(` ${stem}`)));
  /** @param {string} stem */
  const worth = (stem) => Math.log(plain.length / had.filter((each) => each.includes(stem)).length);
  const scores = had.map((each) => each.reduce((sum, stem) => sum + worth(stem), 0));
  const least = NEARLY * Math.max(...scores);
  return { words, shown: scores.map((score) => least > 0 && score >= least) };
}

function search() {
  const asked = fold(field.value).match(/[\p{L}\p{N}_]+/gu) || [];
  const { words, shown } = looked([...new Set(asked)].slice(0, WORDS_MAX));
  paragraphs.forEach((paragraph, index) => {
    paragraph.hidden = !shown[index];
  });
  const count = shown.filter(Boolean).length;
  for (const section of document.querySelectorAll("[data-section]")) {
    section.hidden = !section.querySelector("[data-rule]:not([hidden])");
  }
  contents.hidden = words.length > 0;
  document.getElementById("all")?.remove();
  const said = count ? found.dataset.found?.replace("#", `${count}`) : found.dataset.none;
  found.textContent = (words.length && said) || "";
  if (!window.Highlight) return; // an older browser finds, but does not mark
  const marked = words.length ? texts.flat().flatMap((node) => hits(node, words)) : [];
  CSS.highlights.set("hit", new Highlight(...marked));
}

/** @param {string} address */
function asking(address) {
  const url = new URL(address, location.origin);
  if (field.value.trim()) url.searchParams.set("q", field.value);
  else url.searchParams.delete("q");
  return url.pathname + url.search + url.hash;
}

const SETTLED_MS = 400; // until the address follows: browsers allow few changes of it
let settling = 0;

field.addEventListener("input", () => {
  search();
  clearTimeout(settling);
  settling = setTimeout(() => history.replaceState(null, "", asking(location.href)), SETTLED_MS);
  // What is found begins at the top, wherever one has read before.
  if (form.getBoundingClientRect().top <= 0) document.querySelector(".rulebook")?.scrollIntoView();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  event.stopPropagation(); // nothing is sent
  search();
  field.blur(); // the keyboard goes, the paragraphs are seen
});
// In another language, and by another edition, the same is looked for.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.lang, #edition a.chip");
  const next = link && new URLSearchParams(link.search).get("next");
  if (next) link.search = `?${new URLSearchParams({ next: asking(next) })}`;
  else if (link) link.href = asking(link.href);
});
if (field.value) search();
