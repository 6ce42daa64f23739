// An end that was told can be stopped for a while: a line grows shorter, second by second. Where text is
// large, the question does not stay in sight: the page goes there, once no sheet is in the way.

import { live } from "../table.js";

function run() {
  const line = live.querySelector("[data-left]");
  if (!line) return;
  const { left, of } = line.dataset;
  if (!Number(left) || line.getAnimations().some((each) => each.id === left)) return;
  line.animate(
    { transform: [`scaleX(${Number(left) / Number(of)})`, "scaleX(0)"] },
    { id: left, duration: 1000 * Number(left), easing: `steps(${left})` }
  );
  setTimeout(() => document.getElementById("told-h")?.scrollIntoView({ block: "nearest" }));
}

live.addEventListener("table:shown", run);
run();
