// An end that was told can be stopped for a while: a line grows shorter, second by second.

import { live } from "../table.js";

function run() {
  const line = live.querySelector("[data-left]");
  const { left = "", of = "" } = line?.dataset ?? {};
  if (!line || !Number(left) || line.getAnimations().some((each) => each.id === left)) return;
  const from = `scaleX(${Number(left) / Number(of)})`;
  line.animate(
    { transform: [from, "scaleX(0)"] },
    { id: left, duration: 1000 * Number(left), easing: `steps(${left})` }
  );
}

live.addEventListener("table:shown", run);
run();
