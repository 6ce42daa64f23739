// A browser that refuses cookies is told so before a name is typed; one that says nothing, by its form.
const lockedDown = document.querySelector("[data-cookies]");
if (lockedDown?.hidden && !navigator.cookieEnabled) lockedDown.hidden = false;
