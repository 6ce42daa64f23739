// What is not there for those who see nothing, or use keys alone.
() => {
  const found = [];
  const IMAGES = "img:not([alt]), [role=img], area, input[type=image]";
  const FOCUS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const NAMED =
    "a[href], button, input:not([type=hidden]), select, textarea, option, summary, " +
    "h1, h2, h3, h4, h5, h6, dialog, [role=dialog], [role=alertdialog], [role=link]";
  const LANDMARKS =
    ":is(header, footer):not(:is(article, aside, main, nav, section) *), main, nav, aside, " +
    "search, [role=search], [role=region], :is(section, form):is([aria-label], [aria-labelledby])";
  const ENOUGH_PX = 13; // less is as good as nothing
  const shown = (element) =>
    !element.closest("[aria-hidden=true], [inert]") &&
    element.checkVisibility({ visibilityProperty: true });
  const described = (element) => element.cloneNode(false).outerHTML.slice(0, 120);

  const textOf = (element) => {
    const { ariaLabel, ariaLabelledByElements, labels } = element;
    const given = [...(ariaLabelledByElements ?? []), ...(labels ?? [])].map(
      (each) => each.innerText
    );
    const inside = [...element.querySelectorAll("[aria-label]")].map((each) => each.ariaLabel);
    return [ariaLabel, ...given, element.innerText, ...inside].find((said) => said?.trim()) ?? "";
  };

  for (const element of document.querySelectorAll(NAMED)) {
    if (shown(element) && !textOf(element)) found.push(`without a name: ${described(element)}`);
  }
  const landmarks = new Set();
  for (const landmark of document.querySelectorAll(LANDMARKS)) {
    const { ariaLabel, ariaLabelledByElements } = landmark;
    const name = ariaLabel ?? ariaLabelledByElements?.map((each) => each.innerText).join(" ") ?? "";
    const called = `${landmark.getAttribute("role") ?? landmark.tagName.toLowerCase()} “${name}”`;
    if (!shown(landmark)) continue;
    if (landmarks.has(called)) found.push(`another landmark is called so: ${called}`);
    landmarks.add(called);
  }
  for (const image of document.querySelectorAll(IMAGES)) {
    const words = ["alt", "aria-label", "aria-labelledby"].some((name) => image.getAttribute(name));
    if (shown(image) && !words) found.push(`no words for an image: ${described(image)}`);
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
