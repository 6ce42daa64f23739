// A code that has just been asked for comes into sight.

import { live } from "./table.js";

const offered = () => live.querySelector("[data-offered]");

let before = offered();
live.addEventListener("table:shown", () => {
  const now = offered();
  if (now && !before) now.scrollIntoView({ block: "nearest" });
  before = now;
});
