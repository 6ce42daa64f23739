"""Plays and refusals in the reader's language, for templates.

Names are escaped here as everywhere; the messages themselves are each game's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from flask import Flask
from markupsafe import Markup

from companion import catalogues, i18n
from companion.games.game import Reason, Rejection
from companion.web.html.cache import KEY, SEAT, TABLE, VERSION
from companion.web.view import advice
from companion.web.view.addresses import quoted
from companion.web.view.models import Doer, ToldEvent


def told(happened: ToldEvent) -> Markup:
    """What happened, as a sentence with the names set apart."""
    names = [i18n.shielded(name) for name in happened.names]
    listing = catalogues.listing(i18n.locale())
    said = happened.game.texts.event(i18n.current(), happened.event, names, listing)
    return Markup(said)  # noqa: S704 - our own sentence, and names escaped above


def told_plainly(happened: ToldEvent) -> str:
    """The same as text, which somebody reads aloud."""
    listing = catalogues.listing(i18n.locale())
    return happened.game.texts.event(i18n.current(), happened.event, happened.names, listing)


def took_back(by: Doer | None, called: Callable[[str], str] = str) -> str:
    """What stands before a play that was taken back. `by`: who did it; None: whose play it was.
    `called`: writes a name, as plain text or as HTML."""
    t = i18n.current()
    if by is None:
        # Translators: what the play was follows
        return t.pgettext("title", "Taken back:")
    if by.name:
        # Translators: who took a play back; what the play was follows
        return t.gettext("%(player)s took back:") % {"player": called(by.name)}
    if by.former:
        return t.gettext("A former host took back:")
    return t.gettext("The host took back:")


def sentences(said: Iterable[str]) -> str:
    """All that is said in one breath; each ends, whatever its message ends with.

    >>> sentences(["Anna passed", "Your turn!"])
    'Anna passed. Your turn!'
    """
    return " ".join(text if text[-1:] in ".?!…" else f"{text}." for text in said if text)


def longest_word(names: Iterable[str]) -> int:
    """Letters of the longest part of a name that stays in one line, by which lists of players are
    laid out: a name breaks between words and after hyphens.

    >>> longest_word(["Anna-Maija", "Li"])
    5
    """
    return max((len(word) for name in names for word in re.findall(r"[^\s-]+", name)), default=0)


def longest_name(names: Iterable[str]) -> int:
    """Letters of it, with those between its words."""
    return max(map(len, names), default=0)


def why(refusal: Rejection, names: Sequence[str]) -> str:
    """Why something is refused, as a sentence; `names` of the players, in the game's order."""
    return refusal.sentence(i18n.current(), names, catalogues.listing(i18n.locale()))


def because(reason: Reason) -> str:
    """A reason whose sentence needs nothing else, as that sentence."""
    return why(Rejection(reason), ())


def install(app: Flask) -> None:
    app.jinja_env.filters |= {
        "quoted": quoted,
        "told": told,
        "longest_name": longest_name,
        "longest_word": longest_word,
    }
    app.jinja_env.globals |= {"why": why, "because": because}
    app.jinja_env.globals["took_back"] = lambda by: Markup(took_back(by, i18n.shielded))  # noqa: S704 - as in `told`
    app.jinja_env.globals["tip_text"] = lambda tip: advice.said(i18n.current(), tip)
    app.jinja_env.globals["kind_label"] = lambda *way: advice.label(i18n.current(), *way)
    app.jinja_env.globals |= {
        "KEY": KEY,
        "SEAT": Markup(SEAT),  # noqa: S704 - one letter
        "TABLE": TABLE,
        "VERSION": VERSION,
    }
