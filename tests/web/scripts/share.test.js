// A phone's part in a deal: the first list that it sees is the only one that it opens its number for.

import assert from "node:assert/strict";
import { test } from "node:test";

const DEAL = "ab".repeat(32);
const PLACE = "T/1.1";

/** @type {Record<string, string>} */
const kept = {};
globalThis.localStorage = /** @type {any} */ ({
  getItem: (/** @type {string} */ key) => kept[key] ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => {
    kept[key] = value;
  }
});

/** @type {{body: URLSearchParams, answer: (counted: string[]) => void}[]} */
const posts = [];
globalThis.fetch = /** @type {any} */ (
  (/** @type {string} */ _, /** @type {{body: URLSearchParams}} */ { body }) =>
    new Promise((done) => {
      posts.push({ body, answer: (counted) => done({ ok: true, json: async () => counted }) });
    })
);

const share = "../../../companion/web/static/share.js";
const { take } = await import(share);
const soon = () => new Promise((done) => setTimeout(done, 1));
const now = () => JSON.parse(kept.fair)[PLACE];

test("a late answer to a seal takes back nothing", async () => {
  const at = "/t/T/fair";
  take({ at, seal: { 1.1: DEAL }, open: {} });
  await soon();
  const seal = posts[0].body.get("seal");
  take({ at, seal: {}, open: { 1.1: [seal, "11".repeat(32)] } });
  await soon();
  posts[1].answer([DEAL]);
  await soon();
  const { list } = now();
  assert.ok(list);
  posts[0].answer([DEAL]);
  await soon();
  assert.deepEqual(
    { list: now().list, opened: now().opened, counts: now().counts },
    { list, opened: true, counts: true }
  );
  take({ at, seal: {}, open: { 1.1: [seal, "22".repeat(32)] } });
  await soon();
  assert.equal(now().list, list);
  assert.equal(posts.length, 2, "another list is not opened");
});

test("of two windows that seal at once, the number that counts is kept", async () => {
  const at = "/t/U/fair";
  const [other] = [await import(`${share}?another window`)];
  const first = posts.length;
  take({ at, seal: { 1.1: DEAL }, open: {} });
  const drawn = kept.fair;
  kept.fair = "{}"; // each has read what there was before the other one has stored
  other.take({ at, seal: { 1.1: DEAL }, open: {} });
  await soon();
  assert.notEqual(drawn, kept.fair);
  const [counts, late] = posts.slice(first);
  counts.answer([DEAL]);
  await soon();
  late.answer([]);
  await soon();
  const known = JSON.parse(kept.fair)["U/1.1"];
  assert.equal(known.seal, counts.body.get("seal"));
  assert.equal(known.counts, true);
});
