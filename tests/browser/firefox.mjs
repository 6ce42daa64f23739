// The browser's part of `make firefox`: the address of a server, and where puppeteer-core is.

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [url, folder, executablePath] = process.argv.slice(2);
const { launch } = createRequire(resolve(folder, "package.json"))("puppeteer-core");

const SCREEN = ["screen", "en", 1280, 720];
const PHONES = [
  ["Õnne", "et", 390, 844],
  ["Rūta", "lt", 320, 568],
  ["Jānis", "lv", 390, 600],
  ["Väinö", "fi", 640, 360]
];
const TO_THE_GOAL = ["NESW", "NESW", "NESW", "NESW", "NESW", "EW", "EW"];
const ROUNDS = 3;
const WITHIN_MS = 60_000;
const SETTLED_MS = 600; // until a page that would jump has jumped
const [ROLE, GOLD, MINE] = ["form[id^=role-] [data-pad]", ".holdbtn", "main[data-turn=mine]"];
const GOAL = "main .sheet[data-kind=goal] button[value=treasure]";
const STILL = "#still:popover-open [popovertarget]";
const wrong = [];

async function until(there, what) {
  const end = Date.now() + WITHIN_MS;
  while (!(await there())) {
    if (Date.now() > end) throw new Error(what);
    await sleep(20);
  }
}

class Window {
  static async open(browser, [name, language, width, height]) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage({ type: "window" }); // a tab behind another one is hidden
    await page.setViewport({ width, height });
    await page.setExtraHTTPHeaders({ "Accept-Language": language });
    page.on("console", (said) => {
      if (/^(warn|error)/.test(said.type())) wrong.push(`${name}: ${said.text()}`);
    });
    page.on("pageerror", (error) => wrong.push(`${name}: ${error.message}`));
    return Object.assign(new Window(), { name, page });
  }

  has = (selector) =>
    this.page.evaluate((each) => !!document.querySelector(each), selector).catch(() => false);

  async shows(selector) {
    await until(() => this.has(selector), `${this.name} does not show ${selector}`);
    await until(() => this.page.evaluate(() => document.readyState === "complete"), "still loading");
    const fits = await this.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    if (!fits) wrong.push(`${this.name}: wider than its window`);
  }

  loses = (selector) => until(async () => !(await this.has(selector)), `still there: ${selector}`);

  /** The middle of the first one that is laid out. */
  async at(selector, block = "nearest") {
    await this.shows(selector);
    const middle = (all, to) => {
      const seen = [...document.querySelectorAll(all)].find((each) => each.getClientRects().length);
      if (to) seen.scrollIntoView({ block: to });
      const { x, y, width, height } = seen.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    return this.page.evaluate(middle, selector, block);
  }

  tap = async (selector, block) => this.page.mouse.click(...(await this.at(selector, block)));

  async tapIf(selector) {
    if (await this.has(selector)) await this.tap(selector);
  }

  async hold(selector) {
    await this.page.bringToFront(); // a window that is left covers its card
    await this.shows(selector);
    await sleep(SETTLED_MS);
    const at = await this.at(selector, "center");
    await this.page.touchscreen.touchStart(...at);
    await this.shows("[data-pad].shown");
    await sleep(SETTLED_MS);
    await this.page.touchscreen.touchEnd();
    await this.loses("[data-pad].shown");
  }

  async join(code) {
    await this.page.goto(url);
    await this.page.type("#code", code);
    await this.page.keyboard.press("Enter");
    await this.shows("#join-form");
    await this.page.type("input[name=name]", this.name);
    await this.tap("#join-form button:not([type=button])");
    await this.shows("li.seat[id]");
  }
}

async function whoever(phones, shows) {
  let found;
  const look = async () => {
    for (const each of phones) if (await each.has(shows)) found = each;
    return found;
  };
  await until(look, `nobody's phone shows ${shows}`);
  return found;
}

async function dig(phones) {
  for (const [column, card] of TO_THE_GOAL.entries()) {
    const phone = await whoever(phones, MINE);
    await phone.tap(`.pan a[href$="place=${column + 1},0"] .hop`, null);
    await phone.tap(`#sheet .sheet[data-kind=place] button[name=card][value="${card}"]`);
    await phone.loses("#sheet .sheet");
    if (column + 1 < TO_THE_GOAL.length) await phone.loses(MINE);
  }
  const asking = await whoever(phones, GOAL);
  await sleep(SETTLED_MS);
  const [, y] = await asking.at(GOAL, null);
  if (y < 0 || y > asking.page.viewport().height) wrong.push(`${asking.name}: asked out of sight`);
  await asking.tap(GOAL);
}

const browser = await launch({ browser: "firefox", executablePath, headless: true });
try {
  const screen = await Window.open(browser, SCREEN);
  await screen.page.goto(`${url}/screen`);
  await screen.page.$eval("[name=way-saboteur][value=referee]", (each) => each.click());
  await screen.tap("form[action='/open'] button.main");
  await screen.shows(".code:not(input)");
  const code = await screen.page.$eval(".code:not(input)", (each) => each.textContent.trim());
  const phones = [];
  for (const each of PHONES) phones.push(await Window.open(browser, each));
  for (const phone of phones) await phone.join(code);
  for (let round = 1; round <= ROUNDS; round++) {
    await screen.tapIf(STILL);
    await screen.tap(`form[action$="/do/${round === 1 ? "start" : "deal"}"] button.main`);
    for (const phone of phones) await phone.hold(ROLE);
    await dig(phones);
    for (const phone of phones) {
      await phone.shows("[aria-labelledby=roles-h]");
      await phone.tapIf(STILL);
      if (await phone.has(GOLD)) await phone.hold(GOLD);
    }
  }
  await screen.tapIf(STILL);
  await screen.tap("form[action$='/do/count'] button:not([type=button])");
  for (const phone of phones) await phone.shows("ol.score");
  for (const each of wrong) console.log(`  ${each}`);
  console.log(`${await browser.version()}: ${wrong.length} wrong`);
} finally {
  await browser.close();
}
process.exitCode = wrong.length ? 1 : 0;
