"""Names: what is kept of them, what is too much, and which look alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.fields import NAME_MAX
from companion.games.game import Rejection
from companion.tables import reasons
from companion.tables.names import LOOK_ALIKES, MARKS_MAX, RAW_MAX, Names, clean, free_name
from tests.tables import look_alikes

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


SET_ASIDE = ("\u2065", "\ufff0", "\ufff8", "\U000e0000", "\U000e0080", "\U000e0fff")
"""Code points that are none yet, and that no browser will ever draw."""

DECORATED = (
    *("Anna.", "Anna·", "Anna’", "Ann a", "A n n a", "Anna\u0332", "A\u0336nna", "Anna˙", "Anna°"),
    *("Anna (", "«Anna»", "-Anna-", "Anna\u02bc", "Anna_", "Anna+", "_А.n\u20ddna"),
)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("Anna", "Anna"),
        *[(f"An{each}na", "Anna") for each in SET_ASIDE],
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
        ("🎲\ufe0f", "🎲\ufe0f"),
        ("🎲\ufe0f\ufe0f\u200d", "🎲\ufe0f"),
        ("❤\ufe0f Eva", "❤\ufe0f Eva"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        (FAMILY, FAMILY),
        (f"{FAMILY[:2]}\u200d{FAMILY[2:]}", "👨👩\u200d👧\u200d👦"),
        ("👋🏽", "👋🏽"),
        ("🧙🏿\u200d♂\ufe0f", "🧙🏿\u200d♂\ufe0f"),
        ("🇪🇪 Tiit", "🇪🇪 Tiit"),
        (SCOTLAND, SCOTLAND),
        (SCOTLAND[:-1], "\U0001f3f4"),
        ("Anna\U000e0067\U000e007f", "Anna"),
        ("7\ufe0f\u20e3", "7\ufe0f\u20e3"),
        ("A\ufe0fn\u200dn\u200ca", "Anna"),
        ("محمد", "محمد"),
        ("\u200fשרה\u200e", "שרה"),
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("علی\u200c", "علی"),
        ("नेत्र\u200dा", "नेत्र\u200dा"),
        ("\u2066Anna\u2069\u061c", "Anna"),
        ("x" * NAME_MAX, "x" * NAME_MAX),
        ("'; DROP TABLE seats;--", "'; DROP TABLE seats;--"),
        ("a" + "\u0337" * 20, "a" + "\u0337" * MARKS_MAX),
        ("\u0301Anna", "Anna"),
        ("Anna \u0301", "Anna"),
        ("\ue101An\ue003na", "Anna"),
        ("\x91An\x83na\x80", "Anna"),
        ("A\ufffen\uffffn\ufdd0a\U0010ffff", "Anna"),
    ],
)
def test_what_is_kept(raw: str, kept: str) -> None:
    assert clean(raw) == kept


@pytest.mark.parametrize(
    "raw",
    [
        *("", " ", "\t\n", "\u200b\u200d", "\u202e", "\u3164", "\u2800", "\ufeff", "\u0301"),
        *SET_ASIDE,
    ],
)
def test_nothing_to_be_seen(raw: str) -> None:
    assert clean(raw) == Rejection(reasons.NAME_EMPTY)


def test_too_long() -> None:
    assert clean("ä" * 25) == Rejection(reasons.NAME_TOO_LONG, {"max": 24})
    assert clean("a\u0308" * 24) == "ä" * 24


def test_ten_thousand_marks() -> None:
    assert clean("A" + "\u0316\u0301" * 5000) == Rejection(reasons.NAME_TOO_LONG, {"max": 24})
    almost = clean("A" + "\u0316\u0301" * ((RAW_MAX - 1) // 2))
    assert isinstance(almost, str)
    assert 1 < len(almost) <= 1 + MARKS_MAX


odd = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            f"Aa1#©☃👨🏽\u0628\u093e \u0301\u0316\u200b\u200c{FAMILY}{SCOTLAND}\ufe0f\u20e3"
        ),
    ),
    max_size=40,
)


@given(odd)
def test_any_text(raw: str) -> None:
    name = clean(raw)
    if isinstance(name, Rejection):
        return
    assert clean(name) == name
    assert 1 <= len(name) <= NAME_MAX
    assert name == unicodedata.normalize("NFC", name) == name.strip()
    unseen = {char for char in name if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert unseen <= set(f"\u200c\u200d{SCOTLAND}") | {chr(n) for n in range(0xE0030, 0xE0080)}
    assert name.casefold() in Names([name])


@given(st.lists(odd, min_size=2, max_size=2))
def test_what_is_suggested_is_free(raw: list[str]) -> None:
    taken = free_name(raw[0], ["Anna"])
    if isinstance(taken, str):
        again = free_name(taken, ["Anna", taken])
        assert isinstance(again, Rejection)
        suggestion = again.params["suggestion"]
        assert free_name(suggestion, ["Anna", taken]) == suggestion


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "ANNA"),
        ("Anna", "Аnnа"),  # Cyrillic
        ("Straße", "STRASSE"),
        ("Anna", "Ａｎｎａ"),
        ("Anna Liisa", "anna liisa"),
        ("Šarūnas", "ŠARŪNAS"),
        ("Šarūnas", "Ѕ\u030cаrūnаs"),
        ("Al", "AI"),
        ("Rob", "R0b"),
        ("BOB", "ВoВ"),
        ("Вова", "ВОВА"),
        ("Ann", "А\u0578\u0578"),  # Armenian
        ("Anna", "ꓮꓠꓠꓮ"),  # Lisu
        ("Anna", "𝒜𝓃𝓃𝒶"),
        ("علی\u200cرضا", "علیرضا"),
        ("❤\ufe0f", "❤"),
        (FAMILY, "👨👩👧👦"),
        *[("Anna", decorated) for decorated in DECORATED],
        ("Šarūnas", "Ša\u0331rūnas."),
        ("Anna-Liisa", "Anna Liisa"),
        ("Anna 1", "Anna1"),
        *[("Anna", f"An{mark}na") for mark in "\u0483\u0951\u302a\u135d\u1cd0"],
        *[("Anna", f"Anna{sign}") for sign in "\u22c5\u02d1\u02cd\u258f\u2574\u2219\ua78f\u1427"],
        ("Anna", "ᴀnna"),
        ("Anna", "ꭺnna"),
        ("NARGA", "ɴᴀʀɢᴀ"),
    ],
)
def test_look_alikes(one: str, other: str) -> None:
    assert one in Names([other])
    assert isinstance(free_name(other, [one]), Rejection)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *[("Ülo", "Ulo"), ("Anna", "Ana"), ("Jānis", "Janis"), ("Ian", "Lan"), ("Marna", "Mama")],
        *[("Ann", "Anna"), ("Anna 1", "Anna 2"), ("Anna 1", "Anna 11"), ("!", "?")],
        *[("Anna", "Anna 🌸"), ("Anna 🌸", "Anna 🐻"), ("राम", "रमा"), ("Anna", "Änna")],
        *[("Ilja", "Илья"), ("Ann 2", "Ann 3"), ("👨", "👩"), ("O", "Q")],
    ],
)
def test_other_names(one: str, other: str) -> None:
    assert free_name(one, [other]) == one


def test_suggestions() -> None:
    def suggestion(raw: str, *taken: str) -> str:
        answer = free_name(raw, taken)
        assert isinstance(answer, Rejection)
        assert answer.reason is reasons.NAME_TAKEN
        free = answer.params["suggestion"]
        assert free_name(free, taken) == free
        return str(free)

    assert suggestion("Anna", "anna") == "Anna 2"
    assert suggestion("Anna", "anna", "ANNA 2", "Anna 3") == "Anna 4"
    assert suggestion("x" * 24, "x" * 24) == "x" * 22 + " 2"


def test_the_list_of_look_alikes_is_unicode_s() -> None:
    def known(lines: list[str]) -> set[str]:
        """Sets of the characters that this Python's Unicode has."""
        sets = {"".join(c for c in line if unicodedata.category(c) != "Cn") for line in lines}
        return {each for each in sets if len(each) > 1}

    kept = LOOK_ALIKES.read_text(encoding="utf-8").splitlines()
    assert kept[:3] == look_alikes.ABOUT.splitlines()
    assert known(kept[3:]) == known(look_alikes.sets())
