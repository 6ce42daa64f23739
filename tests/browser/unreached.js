// What is not there for those who see nothing, or use keys alone.
() => {
  const found = [];
  const IMAGES = "img:not([alt]), [role=img], area, input[type=image]";
  const FOCUS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const ENOUGH_PX = 13; // less is as good as nothing
  const shown = (element) =>
    !element.closest("[aria-hidden=true], [inert]") &&
    element.checkVisibility({ visibilityProperty: true });
  const described = (element) => element.cloneNode(false).outerHTML.slice(0, 120);

  for (const image of document.querySelectorAll(IMAGES)) {
    const words = ["alt", "aria-label", "aria-labelledby"].some((name) => image.getAttribute(name));
    if (shown(image) && !words) found.push(`no words for an image: ${described(image)}`);
  }
  for (const summary of document.querySelectorAll("summary")) {
    const words = summary.innerText.trim() || summary.getAttribute("aria-label");
    if (shown(summary) && !words) found.push(`it unfolds without a word: ${described(summary)}`);
  }
  for (const box of document.querySelectorAll("body *")) {
    const { clientHeight, clientWidth, scrollHeight, scrollWidth } = box;
    if (scrollHeight < clientHeight + ENOUGH_PX && scrollWidth < clientWidth + ENOUGH_PX) continue;
    const { overflowX, overflowY } = getComputedStyle(box);
    const scrolls =
      (/auto|scroll/.test(overflowX) && scrollWidth >= clientWidth + ENOUGH_PX) ||
      (/auto|scroll/.test(overflowY) && scrollHeight >= clientHeight + ENOUGH_PX);
    if (scrolls && shown(box) && !box.matches(FOCUS) && !box.querySelector(FOCUS))
      found.push(`no key scrolls it: ${described(box)}`);
  }
  return found;
};
