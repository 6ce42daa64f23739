"""A page in every language, loaded once: what it says is changed as its stream changes all else."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import Page

from companion.i18n import html_lang
from companion.languages import LOCALES
from tests.browser.gallery import SPOKEN, TAP, Tap, Visit

BEGUN = """() => !document.querySelector("[data-stream]") || window.follows
  || new Promise((done, fail) => {
    addEventListener("table:shown", done, { capture: true, once: true });
    setTimeout(() => fail(new Error("Its stream has not begun")), 15_000);
  })"""
"""What its stream begins with would take the place of what the page is to say: it has come.
Not by Playwright's `wait_for_function`: the pages' policy forbids it what it needs, `eval`."""

LEARN = """pages => {
  const parser = new DOMParser();
  window.spoken = {};
  for (const [locale, page] of Object.entries(pages))
    window.spoken[locale] = parser.parseFromString(page, "text/html");
}"""

SPEAK = """async ([locale, taps]) => {
  for (const name of ["locale", "screen_locale"]) await cookieStore.set(name, locale);
  const said = window.spoken[locale], live = document.getElementById("live");
  document.documentElement.lang = said.documentElement.lang;
  document.title = said.title;
  for (const part of ["#live", "#sheet", "footer"]) {
    const here = document.querySelector(part);
    if (here) here.innerHTML = said.querySelector(part).innerHTML;
  }
  live.dispatchEvent(new CustomEvent("table:shown"));
  (TAP)(taps);
  return document.documentElement.lang;
}""".replace("TAP", TAP)
"""By `cookieStore`, which tells when a cookie is kept: on a busy machine, one set by
`document.cookie` may come after the next page's."""

OWN_SCRIPT = "document.querySelectorAll('script[type=module]').length > 1"
"""Besides the one that every page has."""


def learns(visit: Visit, page: Page) -> bool:
    """Whether this open page can say all it says in every language from now on.

    One with a script of its own cannot, since that begins with what it finds; nor where more than
    taps belong to the visit, which have led to another page or wait for an answer.
    """
    if not isinstance(visit.then, Tap | None) or page.evaluate(OWN_SCRIPT):
        return False
    page.evaluate(BEGUN)
    page.evaluate(LEARN, {locale: _said(visit, locale) for locale in LOCALES})
    return True


def _said(visit: Visit, locale: str) -> str:
    phone = visit.device.plain
    reader = replace(phone, cookies=phone.cookies | dict.fromkeys(SPOKEN, locale))
    answer = reader.get(visit.path)
    return (reader.get(answer.location) if answer.location else answer).text


def speak(visit: Visit, page: Page, locale: str) -> None:
    """Then it does what belongs to the visit. A sheet that is asked for anew speaks it too."""
    taps = visit.then.selectors if isinstance(visit.then, Tap) else []
    lang = page.evaluate(SPEAK, [locale, taps])
    assert lang == html_lang(locale), (visit.name, lang)
