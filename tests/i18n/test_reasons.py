"""Every reason for which anything may be refused is a sentence in every language."""

import re
from gettext import NullTranslations

import pytest

from companion import catalogues, languages
from companion.games import GAMES
from companion.games.game import Given, Reason
from companion.tables.reasons import REASONS as TABLE
from companion.web.http.reasons import REASONS as WEB

REASONS = [
    *(row for name in GAMES if (game := GAMES[name]) for row in game.reasons.values()),
    *TABLE.values(),
    *WEB.values(),
]
NUMBERS = ("max", "min", "num", "minutes", "wait_s")

every_locale = pytest.mark.parametrize("locale", languages.LOCALES)


def is_sentence(text: str) -> bool:
    return bool(text) and "%(" not in text and "{" not in text and text[:1].upper() == text[:1]


@every_locale
@pytest.mark.parametrize("reason", REASONS, ids=str)
def test_every_reason_is_a_sentence(locale: str, reason: Reason) -> None:
    """With the numbers that languages count in different ways, and as a record gives it."""
    speak = catalogues.catalogue(locale)
    for num in (0, 1, 2, 10, 11, 21):
        given = dict.fromkeys(reason.parameters & {*NUMBERS}, num)
        given |= dict.fromkeys(reason.parameters & {"suggestion"}, "Anna 2")
        assert is_sentence(reason.sentence(speak, Given(given))), num


@pytest.mark.parametrize("reason", [*TABLE.values(), *WEB.values()], ids=str)
def test_to_a_game_without_roles_nobody_speaks_of_roles(reason: Reason) -> None:
    given = dict.fromkeys(reason.parameters & {*NUMBERS}, 1)
    given |= dict.fromkeys(reason.parameters & {"suggestion"}, "Anna 2")
    assert not re.search(r"\broles?\b", reason.sentence(NullTranslations(), Given(given)))


def test_every_reason_is_one_owner_s_and_has_a_status() -> None:
    assert len({str(reason) for reason in REASONS}) == len(REASONS)
    assert {reason.status for reason in REASONS} <= {*range(400, 432), 500, 503}
