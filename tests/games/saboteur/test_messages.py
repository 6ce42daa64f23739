"""Every event, tool, goal and refusal of Saboteur has its words."""

from __future__ import annotations

import re
from gettext import NullTranslations
from random import Random

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.games.game import AnyGame, Rejection
from companion.games.saboteur import GAME, labels, reasons
from companion.games.saboteur import texts as saboteur
from companion.games.saboteur.rules.cards import GOALS, TOOLS
from companion.games.saboteur.rules.model import (
    EVENTS,
    SABOTEURS_WON,
    Break,
    Deal,
    Dealt,
    Event,
    GameEnded,
    Pass,
    Path,
    PileCounted,
    RoundEnded,
)
from companion.games.trains.reasons import NOT_DESCENDING
from companion.record.judge import Verdict, malformed, refused
from companion.record.texts import verdict_text
from companion.web.view.models import ToldEvent
from tests.games.saboteur.players import new_game, next_play, play

T = NullTranslations()
NAMES = ["Anna", "Bert", "Carl", "Dora", "Eve", "Fred", "Gita", "Hugo", "Ida", "Jan"]


def test_labels() -> None:
    for codes, words in [
        (TOOLS, labels.tool),
        (GOALS, labels.goal),
    ]:
        assert len({words(T, code) for code in codes}) == len(codes)
        with pytest.raises(KeyError):
            words(T, "nothing")


def test_every_event_is_a_sentence_that_inflects_no_name() -> None:
    rng = Random(2)
    told: dict[str, set[str]] = {}
    for _ in range(25):
        state = new_game(rng)
        while not state.over:
            state, events = play(state, next_play(state, rng))
            for event in events:
                text = saboteur.event(T, event, NAMES, ", ".join)
                told.setdefault(type(event).__name__, set()).add(text)
                kept = ToldEvent(GAME, event, tuple(NAMES)).event
                assert saboteur.event(T, kept, NAMES, ", ".join) == text
    told["PileCounted"] = {saboteur.event(T, PileCounted(0, 12), NAMES, ", ".join)}
    assert set(told) == set(EVENTS)
    any_name = "|".join(NAMES)
    for text in set().union(*told.values()):
        assert "%" not in text
        for found in re.finditer(rf"\b({any_name})\b", text):
            assert found.start() == 0 or re.search(r"(: |→ |, )$", text[: found.start()]), text


ENDED = RoundEnded(SABOTEURS_WON, None, 1, ((3,), (1, 2), ()), (1, 2, 2), 2)


@pytest.mark.parametrize(
    ("event", "other"),
    [
        (Dealt(("miner", "saboteur", "miner")), Dealt(("saboteur", "miner", "miner"))),
        (ENDED, replace(ENDED, gold=((), (2,), (3, 1)), pile=(2, 1))),
        (replace(ENDED, gold=((), (), ())), replace(ENDED, gold=((), (), ()), pile=(3,))),
        (GameEnded((3, 7, 2), (1,)), GameEnded((4, 9, 1), (1,))),
    ],
)
def test_what_is_told_of_an_event_holds_no_role_and_nobodys_gold(
    event: Event, other: Event
) -> None:
    assert event != other
    told = ToldEvent(GAME, event, tuple(NAMES))
    assert told == ToldEvent(GAME, other, tuple(NAMES))
    assert replace(told) == told
    assert saboteur.event(T, told.event, NAMES, ", ".join) == (
        saboteur.event(T, event, NAMES, ", ".join)
    )


def test_how_a_round_ended_is_told_by_whether_gold_is_handed_out() -> None:
    unpaid = replace(ENDED, gold=((), (), ()))
    said = [saboteur.event(T, each, NAMES, ", ".join) for each in (ENDED, unpaid)]
    assert said == ["The saboteurs win the round", "No gold is handed out this round"]


def test_refusals_that_say_more() -> None:
    state = GAME.new(3, 0, "en", Random(1))
    state, _ = play(state, Deal(("miner",) * 3))
    refused = GAME.decide(state, Pass(2))
    assert isinstance(refused, Rejection)
    assert refused.sentence(T, NAMES) == ("It is not your turn: Anna is to play.")
    for tool in ("cart", "lantern"):
        state, _ = play(state, Break(state.now.turn, tool, 2))
    refused = GAME.decide(state, Path(2, "NESW", (1, 0)))
    assert isinstance(refused, Rejection)
    assert refused.sentence(T, NAMES) == (
        "First repair what is broken: lantern, mine cart. Until then you cannot place a path card."
    )
    general = Rejection(reasons.TOOLS_BROKEN).sentence(T)
    assert general.startswith("Broken tools must be repaired")


def test_refusals_of_a_line() -> None:
    """A record gives few parameters: what it leaves out is not said, either."""

    def said(verdict: Verdict, game: AnyGame | None = GAME) -> str:
        line, _, why = verdict_text(T, game, 7, verdict, ", ".join).partition(" Not legal. ")
        assert line == "Line 7:"
        return why

    assert "card" in said(malformed("card"), None)
    assert said(refused(Rejection(reasons.NO_ROUND))) == Rejection(reasons.NO_ROUND).sentence(T)
    broken = refused(Rejection(reasons.TOOLS_BROKEN, {"tools": ("lantern", "cart")}))
    assert said(broken) == Rejection(reasons.TOOLS_BROKEN).sentence(T)
    assert said(refused(Rejection(NOT_DESCENDING)), GAMES["trains"])


def test_who_won() -> None:
    assert saboteur.game_over(T, ["Anna"], " and ".join) == "Winner: Anna"
    assert saboteur.game_over(T, ["Anna", "Bert"], " and ".join) == (
        "Shared first place: Anna and Bert"
    )
    assert saboteur.nuggets(T, "Anna", 1) == "Anna: 1 gold nugget"
    assert saboteur.nuggets(T, "Anna", 0) == "Anna: 0 gold nuggets"


def test_nobody_wins_a_game_without_gold() -> None:
    state, _ = play(GAME.new(3, 0, "en", Random(1)), Deal(("miner",) * 3))
    *_, ended = GAME.finish(state) if GAME.finish else ()
    assert saboteur.event(T, ended, NAMES, ", ".join) == "Nobody has any gold"
    over = GAME.fold(state, GAME.finish(state) if GAME.finish else ())
    assert GAME.outcome(over).winners == ()
    said = {"round": 1, "pile": 0, "turn": None, "game_over": {"totals": {"A": 0, "B": 0}}}
    said["game_over"]["winners"] = ["A", "B"]  # as a record has it
    assert "Nobody has any gold" in saboteur.accepted(T, said, ", ".join)


def test_between_two_rounds_it_is_nobodys_turn() -> None:
    """As the line of a record says it by which players change places there."""
    said = {"round": 1, "pile": 49, "turn": None}
    assert saboteur.accepted(T, said, ", ".join) == ["Round 1/3"]
