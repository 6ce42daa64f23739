"""Names: what is kept of them, what is too much, and which look alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.game import Rejection
from companion.tables.model import NAME_MAX
from companion.tables.names import MARKS_MAX, clean, free_name, skeleton


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("Anna", "Anna"),
        ("  Anna \t\n Liisa\u00a0\u3000", "Anna Liisa"),
        ("O\u0308zge", "Özge"),
        ("Šarūnas", "Šarūnas"),
        ("<b>Bob</b>", "<b>Bob</b>"),
        ("%s {0} {{x}}", "%s {0} {{x}}"),
        ("\u202eannA\u202c", "annA"),
        ("An\u200bna", "Anna"),
        ("A\u0000n\u001bn\u007fa", "Anna"),
        ("\ud800Anna", "Anna"),
        ("🎲", "🎲"),
        ("🎲\ufe0f", "🎲"),
        ("محمد", "محمد"),
        ("x" * NAME_MAX, "x" * NAME_MAX),
        ("'; DROP TABLE seats;--", "'; DROP TABLE seats;--"),
        ("a" + "\u0337" * 20, "a" + "\u0337" * MARKS_MAX),
        ("\u0301Anna", "Anna"),
        ("Anna \u0301", "Anna"),
    ],
)
def test_what_is_kept(raw: str, kept: str) -> None:
    assert clean(raw) == kept


@pytest.mark.parametrize(
    "raw", ["", " ", "\t\n", "\u200b\u200d", "\u202e", "\u3164", "\u2800", "\ufeff", "\u0301"]
)
def test_nothing_to_be_seen(raw: str) -> None:
    assert clean(raw) == Rejection("name_empty")


def test_too_long() -> None:
    assert clean("ä" * 25) == Rejection("name_too_long", {"max": 24})
    assert clean("a\u0308" * 24) == "ä" * 24


@given(st.text(max_size=40))
def test_any_text(raw: str) -> None:
    name = clean(raw)
    if isinstance(name, Rejection):
        return
    assert clean(name) == name
    assert 1 <= len(name) <= NAME_MAX
    assert name == unicodedata.normalize("NFC", name) == name.strip()
    assert not {unicodedata.category(char) for char in name} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert skeleton(name) == skeleton(name.casefold()) or "\u0345" in name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "ANNA"),
        ("Anna", "Аnnа"),  # Cyrillic
        ("Straße", "STRASSE"),
        ("Anna", "Ａｎｎａ"),
        ("Anna Liisa", "anna liisa"),
        ("Šarūnas", "ŠARŪNAS"),
    ],
)
def test_look_alikes(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Ülo", "Ulo"), ("Anna", "Ana"), ("Jānis", "Janis")])
def test_other_names(one: str, other: str) -> None:
    assert free_name(one, [other]) == one


def test_suggestions() -> None:
    def suggestion(raw: str, *taken: str) -> str:
        answer = free_name(raw, taken)
        assert isinstance(answer, Rejection)
        assert answer.reason == "name_taken"
        free = answer.params["suggestion"]
        assert free_name(free, taken) == free
        return str(free)

    assert suggestion("Anna", "anna") == "Anna 2"
    assert suggestion("Anna", "anna", "ANNA 2", "Anna 3") == "Anna 4"
    assert suggestion("x" * 24, "x" * 24) == "x" * 22 + " 2"
