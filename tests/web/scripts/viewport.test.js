// What of the maze is in sight, reckoned without a page.

import assert from "node:assert/strict";
import test from "node:test";
import {
  around,
  clamp,
  drag,
  fits,
  part,
  pointAt,
  rotate,
  shows,
  transform,
  whole,
  zoom
} from "../../../companion/web/static/viewport.js";

// A phone of 360 pixels, two buttons beside the maze; nine by five places, the start at 0,0.
const PHONE = { wide: 360, high: 400, left: 0, top: 120, tools: 52, own: 396, covered: false };
const FRAME = { ...PHONE, x: -20, y: -136, width: 400, height: 330, quarters: 0 };
const FINGER = { x: 90, y: 300 };

const near = (one, other) => {
  for (const name of Object.keys(other)) assert.ok(Math.abs(one[name] - other[name]) < 1e-6, name);
};

test("a turned drawing has each point once, and back again", () => {
  const point = { x: 3, y: 5 };
  assert.deepEqual(rotate(1, point), { x: 5, y: -3 });
  for (const quarters of [0, 1, 2, 3]) {
    assert.deepEqual(rotate((4 - quarters) % 4, rotate(quarters, point)), point);
  }
  assert.deepEqual(rotate(Number.NaN, point), point); // a page that says nothing
});

test("the whole maze lies in the frame and beside the buttons", () => {
  const view = whole(FRAME);
  const start = pointAt(view, FRAME, { x: FRAME.left, y: FRAME.top });
  const end = pointAt(view, FRAME, { x: FRAME.left + FRAME.wide, y: FRAME.top + FRAME.high });
  assert.ok(start.x <= FRAME.x && start.y <= FRAME.y);
  assert.ok(end.x - FRAME.tools / view.scale >= FRAME.x + FRAME.width);
  assert.ok(end.y >= FRAME.y + FRAME.height);
  near(clamp(view, FRAME), view);
});

test("where its places would be too small, a part of it is shown first", () => {
  assert.equal(fits(FRAME), true);
  assert.equal(fits({ ...FRAME, width: 800 }), false);
  assert.equal(part({ x: 1, y: 2 }).scale * 40, 33);
});

test("the maze does not leave the frame, nor grow or shrink without end", () => {
  const far = clamp({ x: 1e6, y: -1e6, scale: 1 }, FRAME);
  assert.ok(far.x <= FRAME.x + FRAME.width + 100 && far.y >= FRAME.y - 100);
  assert.equal(clamp({ x: 0, y: 0, scale: 100 }, FRAME).scale * 40, 140);
  assert.ok(clamp({ x: 0, y: 0, scale: 0.001 }, FRAME).scale >= whole(FRAME).scale * 0.9);
});

test("above a sheet any part of it can be shown", () => {
  const view = { x: 900, y: -900, scale: 1.5 };
  assert.deepEqual(clamp(view, { ...FRAME, covered: true }), view);
});

test("what lay under the fingers lies under them still", () => {
  const view = { x: 60, y: 20, scale: 1.2 };
  const to = { x: 200, y: 260 };
  const point = pointAt(view, FRAME, FINGER);
  near(pointAt(zoom(view, FRAME, 1.7, FINGER, to), FRAME, to), point);
  near(pointAt(drag(view, FINGER, to), FRAME, to), point);
  assert.equal(zoom(view, FRAME, 1.7, FINGER, FINGER).scale, 1.2 * 1.7);
  assert.equal(zoom(view, FRAME, 99, FINGER, FINGER).scale * 40, 140);
});

test("a card is in sight until it is cut off", () => {
  const view = { x: 0, y: 0, scale: 2 };
  assert.equal(shows(view, FRAME, { x: 59, y: 69 }), true);
  assert.equal(shows(view, FRAME, { x: 61, y: 0 }), false);
  assert.equal(shows(view, FRAME, { x: 0, y: -71 }), false);
});

test("cards to choose from are as large as they all fit, and large enough to be tapped", () => {
  const one = around(FRAME, [{ x: 20, y: 29 }]);
  assert.deepEqual(one, { x: 20, y: 29, scale: 66 / 40 });
  const few = around(FRAME, [
    { x: 20, y: 29 },
    { x: 220, y: 29 }
  ]);
  assert.deepEqual(few, { x: 120, y: 29, scale: 360 / 290 });
  assert.deepEqual(
    around(FRAME, [
      { x: 0, y: 0 },
      { x: 0, y: 900 }
    ]),
    { scale: 20 / 40 }
  );
});

test("the page draws it where the view says", () => {
  const view = { x: FRAME.x, y: FRAME.y, scale: 0.99 };
  assert.equal(transform(view, FRAME), "translate(180.0px,200.0px) scale(1.0000)");
  assert.equal(transform(view, { ...FRAME, own: 0 }), "translate(180.0px,200.0px) scale(1.0000)");
});
