"""The catalogues are tested like code: complete, current, and in each language's typography."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest
from babel import Locale
from babel.messages.catalog import Catalog

from companion import catalogues, languages
from tests.i18n import catalogue
from tests.i18n.catalogue import PLACEHOLDER, TAG

NAMES = {"finisher", "host", "last", "name", "names", "player", "players", "suggestion", "target"}
"""Placeholders that stand for players' names, which no language may inflect."""

every_locale = pytest.mark.parametrize("locale", languages.LOCALES)


class Text(NamedTuple):
    """One form of one message."""

    context: str | None
    msgid: str  # the singular
    source: str  # the English form that this one translates
    form: int
    text: str


@cache
def committed(locale: str) -> Catalog:
    return catalogue.read(locale)


@cache
def fresh() -> Catalog:
    return catalogue.extract()


def texts(locale: str) -> Iterator[Text]:
    for message in committed(locale):
        if not message.id:
            continue
        if isinstance(message.id, str):
            text = catalogue.strings(message)[0]
            yield Text(message.context, message.id, message.id, 0, text)
            continue
        for form, text in enumerate(catalogue.strings(message)):
            one = locale not in ("lv", "lt") and form == 0
            yield Text(message.context, message.id[0], message.id[0 if one else 1], form, text)


def wrong(locale: str, pattern: str) -> list[str]:
    return [each.text for each in texts(locale) if re.search(pattern, each.text)]


@every_locale
def test_the_catalogue_has_the_messages_of_the_source_and_no_others(locale: str) -> None:
    there, here = catalogue.keys(committed(locale)), catalogue.keys(fresh())
    missing, extra = sorted(here - there, key=repr), sorted(there - here, key=repr)
    assert (missing, extra) == ([], []), "run: make messages"


@every_locale
def test_everything_is_translated(locale: str) -> None:
    assert [each for each in texts(locale) if not each.text] == []


@every_locale
def test_nothing_is_fuzzy_or_obsolete(locale: str) -> None:
    assert [message.id for message in committed(locale) if message.id and message.fuzzy] == []
    assert not committed(locale).obsolete


@every_locale
def test_every_plural_has_all_its_forms(locale: str) -> None:
    forms = committed(locale).num_plurals
    for message in committed(locale):
        if message.pluralizable:
            assert len(message.string) == forms, message.id


@every_locale
def test_nothing_is_left_in_english(locale: str) -> None:
    if locale == "en":
        return
    same = {each.text for each in texts(locale) if each.text and each.text == each.source}
    assert {text for text in same if re.search(r"[^\W\d_]", PLACEHOLDER.sub("", text))} <= {
        "Saboteur",
        "Game of Trains",
    }


def test_english_repeats_the_messages() -> None:
    assert [each for each in texts("en") if each.text != each.source] == []


@every_locale
def test_gettexts_own_check(locale: str) -> None:
    msgfmt = shutil.which("msgfmt")
    assert msgfmt, "msgfmt is missing; on Debian: apt-get install gettext"
    done = subprocess.run(
        [msgfmt, "-c", "-o", "/dev/null", str(catalogue.po_path(locale))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@every_locale
def test_plural_forms_are_those_of_the_language(locale: str) -> None:
    """Counting forms is not enough: for Latvian tools write a rule with the forms mixed up."""
    slots = {
        "et": ["one", "other"],
        "en": ["one", "other"],
        "lv": ["zero", "one", "other"],
        "lt": ["one", "few", "other"],
        "fi": ["one", "other"],
    }[locale]
    index = catalogues.catalogue(locale).plural  # type: ignore[attr-defined] # set by gettext's parser
    cldr = Locale.parse(locale).plural_form
    assert [slots[index(n)] for n in range(201)] == [cldr(n) for n in range(201)]


@every_locale
def test_placeholders_are_those_of_the_message(locale: str) -> None:
    for each in texts(locale):
        if not each.text:
            continue
        expected, found = (sorted(PLACEHOLDER.findall(part)) for part in (each.source, each.text))
        assert found == expected, each
        assert "%" not in PLACEHOLDER.sub("", each.text), each


@every_locale
def test_names_stay_uninflected(locale: str) -> None:
    """A name opens a sentence, or follows a colon, an arrow, a dash or another name; in
    English, where names have no cases, also “to” and “by”.
    """
    word = "| (to|by) " if locale == "en" else ""
    before = re.compile(rf"(^|[.!?…:] |[→–] |%\(\w+\)s, |[‘’“”„]{word})$")
    after = re.compile(r"($|[ .,!?…‘’“”](?!s\b)|: )")
    for each in texts(locale):
        text = TAG.sub("", each.text)
        for found in PLACEHOLDER.finditer(text):
            if found.group(1) in NAMES:
                assert before.search(text[: found.start()]), each.text
                assert after.match(text[found.end() :]), each.text


@every_locale
def test_tags_are_those_of_the_message(locale: str) -> None:
    for each in texts(locale):
        if each.text:
            assert sorted(TAG.findall(each.text)) == sorted(TAG.findall(each.source)), each


@every_locale
def test_sentences_end_as_in_the_source(locale: str) -> None:
    for each in texts(locale):
        if each.text:
            ends = [re.findall(r"[.!?:…]?$", part)[0] for part in (each.source, each.text)]
            assert ends[0] == ends[1], each


@every_locale
def test_typography(locale: str) -> None:
    quotes = {"et": "„“", "en": "‘’", "lv": "“”", "lt": "„“", "fi": "”’"}[locale]
    others = "".join(sorted(set("\"'„“”‘’‚«»‹›") - set(quotes)))
    plain = [TAG.sub("", each.text) for each in texts(locale)]
    assert [text for text in plain if re.search(f"[{others}]", text)] == []
    for pattern in (
        r"\.\.\.",  # …
        r" - |--|—",  # spaced en dash
        r"\d-\d",  # 3–10
        r"  |^\s|\s$|\n",
        r" [,.:;!?…]",
    ):
        assert wrong(locale, pattern) == [], pattern


@every_locale
def test_buttons_fit(locale: str) -> None:
    """28 characters; what the glossary has settled may be longer: the browser tests look at it."""
    long = [
        each.text
        for each in texts(locale)
        if each.context == "btn" and len(each.text) > 28 and each.msgid not in catalogue.settled()
    ]
    assert long == []


def test_labels_of_one_or_two_words_carry_a_context() -> None:
    """Without one "close", "draw" and "play" cannot be translated."""
    bare = [
        message.id
        for message in fresh()
        if isinstance(message.id, str)
        and message.id
        and not message.context
        and len(PLACEHOLDER.sub("", message.id).split()) <= 2
        and not PLACEHOLDER.search(message.id)
    ]
    assert bare == []


@every_locale
def test_every_message_can_be_shown_with_every_number(locale: str) -> None:
    speak = catalogues.catalogue(locale)
    for message in fresh():
        if not message.id:
            continue
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        kinds = {kind for each in ids for kind in PLACEHOLDER.findall(each)}
        for n in (0, 1, 2, 10, 11, 21):
            values = {name: n if letter == "d" else "Õnne" for name, letter in kinds}
            if len(ids) == 2:
                text = (
                    speak.npgettext(message.context, ids[0], ids[1], n)
                    if message.context
                    else speak.ngettext(ids[0], ids[1], n)
                )
            else:
                text = (
                    speak.pgettext(message.context, ids[0])
                    if message.context
                    else speak.gettext(ids[0])
                )
            shown = text % values if values else text
            assert shown
            assert "%(" not in shown
