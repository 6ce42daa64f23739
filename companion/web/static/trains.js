// Trains under the fingers: numbers are typed on keys of our own, a row that is dealt sorts itself, and a wagon that
// is tapped goes where it is meant. Without this script the same forms open the same sheets as pages.

import { attend, open, sheetBox } from "./play.js";

const PLACES = 7;
const LAST = 84; // the highest number of a wagon
const NO_WAGON = "99"; // stands for a number in what the server says beforehand
const NOBODY = "@"; // and this for a name

const live = document.getElementById("live");

// What is typed: in a sheet that is open, else on the page.
const typing = () =>
  sheetBox?.querySelector("[data-typing]") || live.querySelector("[data-typing]");
const entryOf = (box) => box.querySelector("[data-entry]");
const read = (entry) => ("value" in entry ? entry.value : entry.textContent);
const rowOf = (box) => box.closest("form.deal");

function write(box, number) {
  const entry = entryOf(box);
  if ("value" in entry) entry.value = number;
  else entry.textContent = number;
  judge(box);
  light();
}

// Refused at once

function taken(number) {
  const owner = (lies) => [...live.querySelectorAll("[data-owner]")].find(lies)?.dataset.owner;
  const row = owner((each) =>
    [...each.querySelectorAll(".wag b")].some((wagon) => wagon.textContent === number),
  );
  if (row) return { where: "row", name: row };
  if (live.querySelector(`[data-n="${number}"]`)) return { where: "market" };
  for (const where of ["protection", "removed"]) {
    const name = owner((each) => each.dataset[where]?.split(" ").includes(number));
    if (name) return { where, name };
  }
  return null;
}

function wrong(box, number) {
  if (!(number >= 1 && number <= LAST)) return { where: "range" };
  const own = rowOf(box);
  if (own && numbersOf(own).includes(Number(number))) return { where: "twice" };
  return taken(String(Number(number)));
}

const whole = (number) => number.length === 2 || Number(`${number}0`) > LAST;

// What is wrong with what is typed so far: of a row, also what somebody else has typed meanwhile.
function judge(box) {
  const own = rowOf(box);
  if (!own)
    return say(
      box,
      whole(read(entryOf(box))) ? wrong(box, read(entryOf(box))) : null,
      read(entryOf(box)),
    );
  const lost = numbersOf(own).map(String).filter(taken);
  say(box, lost.length && !read(entryOf(box)) ? taken(lost[0]) : null, lost[0]);
  for (const input of inputsOf(own))
    input.closest(".wag").classList.toggle("lost", lost.includes(input.value));
  const right = numbersOf(own).length === PLACES && !lost.length;
  own.querySelector("[data-done]").disabled = !right;
  own.classList.toggle("whole", right);
}

// A sentence of the server's, with the number and the name in their places.
function say(box, why = null, number = "") {
  const says = box.querySelector("[data-says]");
  says.replaceChildren();
  if (!why) return;
  const [before, after] = says.dataset[why.where].replace(NO_WAGON, Number(number)).split(NOBODY);
  says.append(before);
  if (why.name === undefined) return;
  const name = document.createElement("bdi");
  name.translate = false;
  name.textContent = why.name;
  says.append(name, after || "");
}

// Keys

function key(digit) {
  const box = typing();
  if (!box) return;
  const before = read(entryOf(box));
  const number = before.length < 2 ? before + digit : digit;
  if (number === "0") return;
  write(box, number);
  if (rowOf(box) && whole(number)) enter(box);
}

function erase() {
  const box = typing();
  if (!box) return;
  const number = read(entryOf(box));
  if (number) return write(box, number.slice(0, -1));
  const own = rowOf(box);
  if (own) fill(own, numbersOf(own).slice(0, -1));
}

// A deal: each number takes its place in the row.

const inputsOf = (own) => [...own.querySelectorAll("input[name=row]")];
const numbersOf = (own) =>
  inputsOf(own).flatMap((input) => (input.value ? [Number(input.value)] : []));

const keptOf = (own) => own.querySelector("[data-typing]").dataset.typing;

// A row lasts as long as its game, so that one that is taken back need not be typed again.
function fill(own, numbers) {
  sessionStorage.setItem(
    keptOf(own),
    [...numbers].sort((a, b) => b - a),
  );
  ready();
}

function restore(own) {
  const sorted = sessionStorage.getItem(keptOf(own))?.split(",");
  if (!sorted) return;
  for (const [at, input] of inputsOf(own).entries()) input.value = sorted[at] ?? "";
}

function enter(box) {
  const own = rowOf(box);
  const number = read(entryOf(box));
  if (!own || !number) return;
  const why = wrong(box, number);
  if (!why && numbersOf(own).length < PLACES) fill(own, [...numbersOf(own), Number(number)]);
  write(box, "");
  if (why) say(box, why, number);
}

// A drawn wagon: its number, then the wagon that it replaces.

function light() {
  for (const form of document.querySelectorAll("form.put")) {
    const entry = document.querySelector(`[data-entry][form="${form.id}"]`);
    const number = entry?.value || "";
    const fits = number !== "" && !wrong(entry.closest("[data-typing]"), number);
    form.classList.toggle("ready", fits && (!using() || sheetBox.contains(form)));
    const label = entry?.closest("[data-typing]").querySelector("label");
    if (label) label.textContent = fits ? label.dataset.then : label.dataset.first;
  }
}

function put(form, button) {
  const entry = document.querySelector(`[data-entry][form="${form.id}"]`);
  const box = entry.closest("[data-typing]");
  const number = entry.value;
  if (!number) return entry.focus();
  const why = wrong(box, number);
  if (why) return say(box, why, number);
  if (button.hasAttribute("data-known")) {
    const posting = form.nextElementSibling;
    posting.elements.card.value = number;
    posting.elements.at.value = button.value;
    return posting.requestSubmit();
  }
  const asked = new URLSearchParams(new FormData(form));
  asked.set("card", number);
  asked.set("at", button.value);
  open(`${form.action}?${asked}`);
}

// A face-up card: the places that it reaches are lit in the row, too.

const using = () => sheetBox?.querySelector('.sheet[data-kind="use"]');

function reach() {
  const sheet = using();
  const places = sheet ? sheet.dataset.reach.split(",") : [];
  for (const each of live.querySelectorAll("form.put button[name=at]")) {
    each.classList.toggle("can", places.includes(each.value));
  }
  for (const each of live.querySelectorAll("[data-use]")) {
    each.toggleAttribute("data-chosen", !!sheet?.dataset.path.includes(`use=${each.dataset.use}`));
  }
  light();
}

// The row stays in sight above the sheet.
function lift() {
  const row = live.querySelector("form.put")?.closest("section");
  if (!row) return;
  row.style.scrollMarginBottom = `${using().offsetHeight}px`;
  row.scrollIntoView({ block: "nearest" });
}

attend({
  shown(fresh) {
    ready();
    reach();
    if (fresh && using()) lift();
  },
  closed: reach,
});

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!form.matches("form.put")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const sheet = using();
    if (!sheet || sheetBox.contains(form)) return put(form, event.submitter);
    const choice = sheet.querySelector(`[data-place="${event.submitter.value}"]`);
    if (choice) choice.click();
    else open(sheet.dataset.why + event.submitter.value);
  },
  true,
);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-digit], [data-erase], [data-enter]");
  if (button?.dataset.digit) return key(button.dataset.digit);
  if (button?.hasAttribute("data-erase")) return erase();
  if (button) return enter(button.closest("[data-typing]"));
  const input = event.target.closest("form.deal input[name=row]");
  if (!input?.value) return;
  const own = input.form;
  const box = own.querySelector("[data-typing]");
  const number = input.value;
  fill(
    own,
    numbersOf(own).filter((each) => each !== Number(number)),
  );
  write(box, number);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !typing()) return;
  if (event.target.matches("input:not([readonly]), select, textarea")) return;
  if (/^\d$/.test(event.key)) key(event.key);
  else if (event.key === "Backspace") erase();
  else if (
    event.key === "Enter" &&
    !event.target.closest("a, button") &&
    rowOf(typing()) &&
    read(entryOf(typing()))
  )
    enter(typing());
  else return;
  event.preventDefault();
});

// Our own keys stand in for the phone's.
function ready() {
  document.querySelectorAll("form.deal").forEach(restore);
  for (const input of document.querySelectorAll(
    "form.deal input[name=row], [data-typing] input[data-entry]",
  )) {
    input.readOnly = true;
    input.inputMode = "none";
    input.closest(".wag")?.classList.toggle("empty", !input.value);
  }
  document.querySelectorAll("[data-typing]").forEach(judge);
  light();
}

live.addEventListener("table:shown", () => {
  ready();
  reach();
});
ready();
reach();
