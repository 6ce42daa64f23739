"""Every reason for which anything may be refused is a sentence in every language."""

import pytest

from companion import i18n
from companion.games.game import Rejection
from companion.games.saboteur import texts as saboteur
from companion.games.trains import texts as trains
from companion.tables import refusals as tables
from companion.web.http import refusals as web
from tests.kit.reasons import reasons_of

every_locale = pytest.mark.parametrize("locale", i18n.LOCALES)


def is_sentence(text: str) -> bool:
    return bool(text) and "%(" not in text and "{" not in text and text[:1].upper() == text[:1]


@every_locale
def test_saboteur(locale: str) -> None:
    speak = i18n.catalogue(locale)
    for code in reasons_of("saboteur"):
        assert is_sentence(saboteur.reason(speak, code)), code


@every_locale
def test_trains(locale: str) -> None:
    speak = i18n.catalogue(locale)
    for code in reasons_of("trains"):
        assert is_sentence(trains.reason(speak, code)), code


@every_locale
def test_web(locale: str) -> None:
    speak = i18n.catalogue(locale)
    for code in web.STATUS:
        assert is_sentence(web.sentence(speak, code)), code


@every_locale
@pytest.mark.parametrize("num", [0, 1, 2, 10, 11, 21])
def test_tables(locale: str, num: int) -> None:
    speak = i18n.catalogue(locale)
    given = {"max": num, "min": num, "num": num, "minutes": num, "suggestion": "Anna 2"}
    for code in tables.STATUS:
        assert is_sentence(tables.sentence(speak, Rejection(code, given), {}, ", ".join)), code
