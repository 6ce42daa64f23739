"""Everything that can happen or be refused is a whole sentence, and names stand where they may."""

import re
from gettext import NullTranslations
from pathlib import Path
from random import Random

import pytest

from companion.games import GAMES
from companion.games.game import Rejection
from companion.games.trains import texts as messages
from companion.games.trains.labels import ability
from companion.games.trains.reasons import NOT_YOUR_TURN, REASONS
from companion.games.trains.rules.abilities import ABILITIES
from companion.games.trains.rules.model import (
    EVENTS,
    GameGivenUp,
    GapsOpened,
    RowShown,
    TurnEnded,
    WagonsRemoved,
)
from companion.record import read
from companion.record.texts import verdict_text
from tests.games.trains.dealer import game

T = NullTranslations()
NAMES = ("Aino", "Õnne", "Čarlis", "100 % %(wagon)d")
WHOLE = re.compile(r"[A-ZÕČ1].*")


@pytest.mark.parametrize("code", ABILITIES)
def test_abilities(code: str) -> None:
    assert WHOLE.fullmatch(ability(T, code))


def test_abilities_differ() -> None:
    assert len({ability(T, code) for code in ABILITIES}) == len(ABILITIES)


def test_every_event_of_many_games() -> None:
    seen = set()
    for seed in range(60):
        for step in game(Random(seed), 2 + seed % 3, skill=0.6):
            for event in step.events:
                seen.add(type(event))
                text = messages.event(T, event, NAMES, ", ".join)
                assert WHOLE.fullmatch(text)
                if hasattr(event, "seat"):
                    assert text.startswith(NAMES[event.seat] + " ")
                assert "%(" not in text.replace(NAMES[3], "")
    ended = (TurnEnded(1), TurnEnded(1, gap=True))
    others = (GameGivenUp(), *ended, GapsOpened(1, (1, 0)), RowShown(1, (1, 2)))
    assert seen == {*EVENTS.values()} - {*map(type, others)}
    for other in others:
        assert WHOLE.fullmatch(messages.event(T, other, NAMES, ", ".join))


def test_a_removal_that_meets_locks_only() -> None:
    text = messages.event(T, WagonsRemoved(0, "remove_middle", 33, 4, ()), NAMES, ", ".join)
    assert text == "Aino uses a removal ability, but every wagon at position 4 is protected."


PARAMS = {
    "wrong_phase": [{"phase": phase} for phase in ("deal", "draft", "turn", "refill")],
    "not_your_turn": [{"seat": 1}, {"seat": None}],
    "card_in_play": [
        {"wagon": 5, "where": where, "seat": 1} for where in ("row", "protection", "removed")
    ]
    + [{"wagon": 5, "where": "market", "seat": None}],
    "ability_contradicts": [{"wagon": 5, "ability": code} for code in ABILITIES],
    "out_of_reach": [{"ability": code} for code in ABILITIES],
}


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_has_a_sentence_with_and_without_parameters(code: str) -> None:
    for params in [{}, *PARAMS.get(code, [])]:
        text = Rejection(REASONS[code], params).sentence(T, NAMES)
        assert WHOLE.fullmatch(text)
        assert "%(" not in text
        seat = params.get("seat")
        assert ("Õnne" in text) == (seat is not None)


def test_a_seat_without_a_name_is_left_out() -> None:
    refused = Rejection(NOT_YOUR_TURN, {"seat": 1})
    assert refused.sentence(T) == refused.sentence(T, ("Aino",)) == "It is not your turn."
    assert refused.sentence(T, NAMES).endswith(": Õnne is to play.")


def test_accepted_lines() -> None:
    verdict = {"market": ["move_left", "protect"], "turn": "Aino"}
    assert messages.accepted(T, verdict, ", ".join) == [
        "Face-up cards: Move a card two places left, Protect a card",
        "Turn: Aino",
    ]
    assert messages.accepted(T, {"market": [], "turn": None}, ", ".join) == []
    over = {"market": [], "turn": None, "game_over": {"winner": "Aino"}}
    assert messages.accepted(T, over, ", ".join) == [
        "Aino wins: the whole row is in ascending order."
    ]


def test_verdicts_on_the_example_records_as_text() -> None:
    """Refused lines go without parameters; every line becomes a sentence."""
    record = Path(__file__).with_name("records") / "trains-2.jsonl"
    _, *steps = read([record.read_bytes()], GAMES)
    for step in steps:
        assert step.verdict is not None
        text = verdict_text(T, step.game, step.line, step.verdict, ", ".join)
        assert text.startswith(f"Line {step.line}: ")


def test_other_codes_are_errors() -> None:
    with pytest.raises(KeyError):
        ability(T, "no_such_code")
