// Words that go on in the next line without a hyphen. A name of more than twelve letters may.
() => {
  const found = [];
  // For screen readers only, also where a table screen is so full that drawings alone are seen.
  const unseen = (element) => {
    if (!element) return false;
    const { position, clipPath } = getComputedStyle(element);
    return (position === "absolute" && clipPath !== "none") || unseen(element.parentElement);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parent.closest("script, style, noscript, select, .vh, .aloud, .code")) continue;
    if (unseen(parent)) continue;
    for (const each of text.data.matchAll(/[\p{L}\p{N}’\u00ad]+/gu)) {
      if (each[0].includes("\u00ad")) continue; // broken with a hyphen, where its language breaks it
      if (parent.closest("bdi") && each[0].length > 12) continue;
      const range = document.createRange();
      range.setStart(text, each.index);
      range.setEnd(text, each.index + each[0].length);
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 0.5);
      const lines = rects.length > 1 ? rects.at(-1).top - rects[0].top : 0;
      if (lines > 4) found.push(`broken: “${each[0]}” in “${parent.innerText.slice(0, 60)}”`);
    }
  }
  return [...new Set(found)];
};
