"""Which language a phone is spoken to in, and that nothing is English by accident."""

import os
import subprocess
import sys
from functools import partial
from typing import Any

import pytest
from babel import Locale
from babel.lists import format_list
from flask import Flask, render_template_string

from companion import catalogues, i18n, languages


@pytest.fixture
def app() -> Flask:
    app = Flask("speaker")
    i18n.install(app)
    return app


def test_the_picker_is_in_the_order_of_the_endonyms() -> None:
    endonyms = list(languages.ENDONYMS.values())
    assert endonyms == sorted(endonyms, key=str.casefold)
    assert languages.LOCALES == ("et", "en", "lv", "lt", "fi")


@pytest.mark.parametrize(
    ("header", "table", "expected"),
    [
        ("lt", None, "lt"),
        ("lt-LT,lt;q=0.9,en;q=0.8", None, "lt"),
        ("en-US,et;q=0.9", None, "en"),
        ("en;q=0.5, fi;q=0.7", None, "fi"),
        ("et_EE", None, "et"),
        ("ET", None, "et"),
        ("ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7", "lv", "en"),
        ("ru", "lv", "lv"),
        ("sv-FI,sv", "fi", "fi"),
        ("ru", None, "en"),
        ("*", "lt", "lt"),
        ("*,et;q=0", "lv", "lv"),
        ("et;q=0,lv", None, "lv"),
        ("et;q=junk,lv;q=0.1", None, "lv"),
        ("et;q=nan,lv;q=0.1", None, "lv"),
        ("", "et", "et"),
        (None, "et", "et"),
        (None, "xx", "en"),
        (None, None, "en"),
        (";,;q=,=-_,\x00", "fi", "fi"),
        ("lv," * 100_000, None, "lv"),
    ],
)
def test_the_browsers_wish_then_the_tables_language_then_english(
    header: str | None, table: str | None, expected: str
) -> None:
    assert i18n.negotiate(None, header, table) == expected


def test_a_saved_choice_comes_first_and_junk_is_no_choice() -> None:
    assert i18n.negotiate("lt", "et", "fi") == "lt"
    assert i18n.negotiate("lt-LT", "et", "fi") == "et"
    assert i18n.negotiate("../../etc", None, None) == "en"


def test_a_request_is_spoken_to_in_its_own_language(app: Flask) -> None:
    @app.get("/")
    def which() -> str:
        return i18n.locale()

    client = app.test_client()
    assert client.get("/", headers={"Accept-Language": "fi"}).text == "fi"
    client.set_cookie(i18n.COOKIE, "lv")
    assert client.get("/", headers={"Accept-Language": "fi"}).text == "lv"
    client.set_cookie(i18n.COOKIE, "lt-LT")
    assert client.get("/", headers={"Accept-Language": "fi"}).text == "fi"


def test_text_outside_a_context_is_an_error_and_never_english() -> None:
    with pytest.raises(RuntimeError):
        i18n.current()
    with pytest.raises(RuntimeError):
        i18n.names_list(["Berta"])


def test_speaking_is_for_whatever_has_no_request(app: Flask) -> None:
    with i18n.speaking("lt"):
        assert i18n.locale() == "lt"
        with i18n.speaking("en"):
            assert i18n.locale() == "en"
        assert i18n.locale() == "lt"


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("et", "A, B ja C"),
        ("en", "A, B and C"),
        ("lv", "A, B un C"),
        ("lt", "A, B ir C"),
        ("fi", "A, B ja C"),
    ],
)
def test_lists_of_names_follow_the_language(app: Flask, locale: str, expected: str) -> None:
    with i18n.speaking(locale):
        listed = i18n.names_list(["A", "B", "C"])
    assert str(listed).replace('<bdi translate="no">', "").replace("</bdi>", "") == expected


@pytest.mark.parametrize("locale", languages.LOCALES)
@pytest.mark.parametrize("style", ["standard", "or"])
def test_lists_are_those_that_babel_writes(locale: str, style: Any) -> None:
    """Whose patterns are kept, since its data would take ten megabytes."""
    ours = catalogues.babel_locale(locale)
    babels = Locale.parse(str(ours))
    for several in ([], ["A"], ["A", "B"], ["A", "B", "C"], list("ABCDE")):
        assert format_list(several, style, ours) == format_list(several, style, babels)


def test_to_list_names_loads_no_data_of_babels() -> None:
    """But the first time, when its patterns are kept."""
    said = """
from babel import localedata
from companion import catalogues, i18n, languages
for locale in languages.LOCALES:
    catalogues.listing(locale)(["A", "B", "C"])
print(len(localedata._cache))
"""
    run = partial(subprocess.check_output, [sys.executable, "-c", said], text=True)
    writing = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
    run(env=writing)
    assert run(env=writing) == "0\n"


def test_names_are_text_whatever_is_in_them(app: Flask) -> None:
    with app.app_context(), i18n.speaking("en"):
        shown = render_template_string(
            "{{ names | names_list }}", names=["<b>{0}</b>", "%(x)s", "Ü & Õ"]
        )
    assert shown == (
        '<bdi translate="no">&lt;b&gt;{0}&lt;/b&gt;</bdi>, <bdi translate="no">%(x)s</bdi>'
        ' and <bdi translate="no">Ü &amp; Õ</bdi>'
    )


def test_numbers_follow_the_language(app: Flask) -> None:
    shown = {}
    for locale in languages.LOCALES:
        with app.app_context(), i18n.speaking(locale):
            shown[locale] = render_template_string("{{ 12345.5 | decimalformat }}")
    assert shown == {
        "et": "12 345,5".replace(" ", "\N{NO-BREAK SPACE}"),
        "en": "12,345.5",
        "lv": "12 345,5".replace(" ", "\N{NO-BREAK SPACE}"),
        "lt": "12 345,5".replace(" ", "\N{NO-BREAK SPACE}"),
        "fi": "12 345,5".replace(" ", "\N{NO-BREAK SPACE}"),
    }


def test_html_lang() -> None:
    called = [i18n.html_lang(locale) for locale in languages.LOCALES]
    assert called == ["et", "en-GB", "lv", "lt", "fi"]
