// Text that is cut, sticks out of its box or makes the page wider than the screen.
() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  const describe = (element) => {
    const said = (element.innerText || element.getAttribute("aria-label") || "").trim();
    const names = [...element.classList].map((each) => `.${each}`).join("");
    return (
      `<${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}${names}> ` +
      `“${said.replace(/\s+/g, " ").slice(0, 60)}”`
    );
  };
  // Each element is asked once, however many texts stand in it.
  const once = (ask) => {
    const answers = new Map();
    return (element) => {
      if (!answers.has(element)) answers.set(element, ask(element));
      return answers.get(element);
    };
  };
  const style = getComputedStyle;
  // Text for screen readers only, and what is not shown at all.
  const unseen = once((element) => {
    if (!element) return false;
    const { display, visibility, position, clipPath } = style(element);
    if (display === "none" || visibility === "hidden") return true;
    if (position === "absolute" || position === "fixed") {
      const box = element.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1 || clipPath !== "none") return true;
    }
    return unseen(element.parentElement);
  });
  const hidden = once(
    (element) =>
      unseen(element) ||
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  );
  const scrolls = once((element) => {
    if (!element || element === document.body) return false;
    const { overflowX, overflowY } = style(element);
    const scrolled = [overflowX, overflowY].some((how) => how === "auto" || how === "scroll");
    return scrolled || scrolls(element.parentElement);
  });
  // The frame of a box with a border or a colour of its own.
  const frameOf = once((box) => {
    const { borderLeftWidth, backgroundColor, overflowX, display } = style(box);
    const framed =
      parseFloat(borderLeftWidth) > 0 ||
      backgroundColor !== "rgba(0, 0, 0, 0)" ||
      overflowX !== "visible";
    return framed && display !== "inline" ? box.getBoundingClientRect() : null;
  });
  // The boxes around a text that have to hold it: those with a frame, as far as nothing scrolls.
  const framesAround = once((box) => {
    if (!box || box.id === "live" || scrolls(box)) return [];
    const around = framesAround(box.parentElement);
    return frameOf(box) ? [box, ...around] : around;
  });

  if (document.documentElement.scrollWidth > width) {
    found.push(`the page is ${document.documentElement.scrollWidth} px wide, not ${width}`);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    if (!text.data.trim() || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(parent.tagName))
      continue;
    if (parent.closest("noscript") || hidden(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter((each) => each.width > 1);
    for (const rect of rects) {
      if ((rect.right > width + 1 || rect.left < -1) && !scrolls(parent)) {
        found.push(
          `beyond the screen (${Math.round(rect.left)}–${Math.round(rect.right)}): ${describe(parent)}`
        );
        break;
      }
    }
    if (
      rects.some((each) => each.bottom + scrollY > document.documentElement.scrollHeight + 1) &&
      !scrolls(parent)
    ) {
      found.push(`cannot be scrolled to: ${describe(parent)}`);
    }
    if (rects.some((each) => each.top + scrollY < -1) && !scrolls(parent))
      found.push(`above the page: ${describe(parent)}`);
    // Every such box holds its text, or it can be scrolled there.
    for (const box of framesAround(parent)) {
      if (seen.has(box)) continue;
      const frame = frameOf(box);
      const out = rects.find(
        (each) =>
          each.right > frame.right + 1 ||
          each.left < frame.left - 1 ||
          each.bottom > frame.bottom + 3 ||
          each.top < frame.top - 3
      );
      if (out) {
        seen.add(box);
        const at = (each) =>
          [each.left, each.top, each.right, each.bottom].map(Math.round).join(" ");
        found.push(
          `“${text.data.trim().slice(0, 40)}” (${at(out)}) sticks out of ${describe(box)} (${at(frame)})`
        );
      }
    }
    const looks = style(parent);
    const clips = looks.overflowX === "hidden" || looks.overflowX === "clip";
    if (clips && parent.scrollWidth > parent.clientWidth + 1)
      found.push(`cut: ${describe(parent)}`);
    if (looks.textOverflow === "ellipsis")
      found.push(`may be cut with an ellipsis: ${describe(parent)}`);
  }
  return [...new Set(found)];
};
