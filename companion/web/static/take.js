// What is taken along goes through the system's own share sheet where the browser lets a page open it: over HTTPS, on
// most phones. Everywhere else it is saved.

/** @param {HTMLAnchorElement} link @param {BlobPart} part */
const fileOf = (link, part) => new File([part], link.download, { type: link.dataset.give });

/** A download that fails leaves the page where it is. @param {HTMLAnchorElement} link */
const save = (link) => /** @type {HTMLAnchorElement} */ (link.cloneNode()).click();

for (const link of document.querySelectorAll("a[data-give]")) {
  if (!navigator.canShare?.({ files: [fileOf(link, "")] })) continue;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    if (link.ariaBusy) return; // a second tap, before the sheet is open
    link.ariaBusy = "true";
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) return location.assign(link.href); // which says why
      const files = [fileOf(link, await answer.blob())];
      await navigator.share({ files });
    } catch (error) {
      // somebody who closes the sheet wants nothing
      if (!(error instanceof DOMException && error.name === "AbortError")) save(link);
    } finally {
      link.ariaBusy = null;
    }
  });
}
