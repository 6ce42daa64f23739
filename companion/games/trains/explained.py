"""The Game of Trains in ten steps. What may be tried in each is judged by `decide`."""

from __future__ import annotations

from functools import cache
from gettext import NullTranslations
from typing import Final

from msgspec.structs import replace

from companion.games.explanation import ANNA, EXAMPLE_NAMES, Choice, Said, Step, judged, played
from companion.games.game import Way
from companion.games.trains import labels
from companion.games.trains.rules.abilities import ABILITIES, PLACES, Ability, Row, ascends, placed
from companion.games.trains.rules.decide import decide, legal
from companion.games.trains.rules.evolve import evolve
from companion.games.trains.rules.model import (
    DRAFT,
    TURN,
    Deal,
    Draft,
    Draw,
    GameWon,
    MarketGrew,
    State,
    Use,
    WagonsRemoved,
)
from companion.games.trains.rules.setup import new
from companion.values import Value

# What is drawn


class Train(Value, frozen=True):
    """A row behind its locomotive; the choices are its wagons, in their order, or none of them."""

    row: Row
    spots: bool = False
    wagon: int = 0
    """That was drawn."""
    ability: Ability | None = None
    """Of the card that is used."""


class FaceUp(Value, frozen=True):
    """Cards beside the pile, by their abilities."""

    abilities: tuple[Ability, ...]


DEALT: Final[Row] = (76, 63, 52, 41, 30, 18, 5)
WON: Final[Row] = (3, 14, 27, 39, 48, 66, 81)
ALMOST: Final[Row] = (5, 12, 33, 81, 47, 60, 77)
DRAWN: Final = 40


@cache
def explanation(edition: str, way: Way) -> tuple[Step, ...]:
    return (
        _aim(),
        _deal(),
        _draft(),
        _turn(),
        _draw(),
        _pairs(),
        _moves(),
        _removals(),
        _protection(),
        _phones(way),
    )


def _aim() -> Step:
    rows = ((76, 63, 52, 41, 30, 18, 5), (5, 18, 30, 41, 52, 63, 76), (5, 18, 41, 30, 52, 63, 76))
    return Step(
        lambda t: t.pgettext("title", "What everyone wants"),
        (
            lambda t: t.gettext("Your train is a locomotive and seven wagons."),
            lambda t: t.gettext(
                "Whoever first has all seven in ascending order, from left to right, wins at once."
            ),
        ),
        Train(WON),
        lambda t: t.gettext("Which of these trains has won?"),
        tuple(Choice(ascends(row), _numbers(row), _missing, picture=Train(row)) for row in rows),
    )


def _missing(t: NullTranslations) -> str:
    return t.gettext("Every wagon must have a higher number than the one to its left.")


def _deal() -> Step:
    dealt = (30, 5, 63, 76, 18, 52, 41)
    lines = {first: (first, *sorted(set(dealt) - {first}, reverse=True)) for first in dealt}
    return Step(
        lambda t: t.pgettext("title", "Your seven wagons"),
        (
            lambda t: t.gettext("Seven wagons are dealt to you."),
            lambda t: t.gettext(
                "Lay them in descending order: the highest number beside the locomotive, the lowest"
                " on the far right."
            ),
            lambda t: t.gettext("During the game you reverse this."),
        ),
        Train(dealt, spots=True),
        lambda t: t.gettext("Tap the wagon that goes beside the locomotive."),
        tuple(judged(decide(new(3, ANNA), Deal(ANNA, line))) for line in lines.values()),
    )


def _draft() -> Step:
    state = replace(_state(), phase=DRAFT)
    _, events = played(decide, evolve, state, Draft(ANNA, DRAWN, 1, ABILITIES[0]))
    shown = any(isinstance(event, MarketGrew) for event in events)

    def why(t: NullTranslations) -> str:
        return t.gettext("It lies face up, and anyone may use its ability.")

    return Step(
        lambda t: t.pgettext("title", "Before the first turn"),
        (
            lambda t: t.gettext("The first draws one wagon, the second two, and so on."),
            lambda t: t.gettext(
                "Keep one: it replaces one of yours, which goes face up beside the pile."
            ),
            lambda t: t.gettext("Discard the rest face down."),
        ),
        Train(DEALT, wagon=DRAWN),
        lambda t: t.gettext("Where does the replaced wagon go?"),
        (
            Choice(shown, lambda t: t.gettext("Face up beside the pile"), why),
            Choice(not shown, lambda t: t.gettext("To the discard pile"), why),
            Choice(not shown, lambda t: t.gettext("Under the draw pile"), why),
        ),
    )


def _turn() -> Step:
    state = _state()
    plays = {option.play for option in legal(state)}

    def nobody_passes(t: NullTranslations) -> str:
        return t.gettext("Nobody passes in this game: there is always a card to draw.")

    return Step(
        lambda t: t.pgettext("title", "Your turn"),
        (
            lambda t: t.gettext("Draw a card from the pile, or use a face-up card beside it."),
            lambda t: t.gettext("In a train a card is a number, beside the pile an ability."),
            lambda t: t.gettext("Turns go clockwise."),
        ),
        FaceUp(("swap_adjacent", "move_left", "protect")),
        lambda t: t.gettext("What can you do if no card lies face up?"),
        (
            judged(
                decide(state, Draw(ANNA, DRAWN, 1, ABILITIES[0])),
                lambda t: t.gettext("Draw the top card"),
            ),
            judged(
                decide(state, Use(ANNA, "protect", 1)),
                lambda t: t.pgettext("label", "Use an ability"),
            ),
            Choice("pass" in plays, lambda t: t.pgettext("btn", "Pass"), nobody_passes),
        ),
    )


def _draw() -> Step:
    state = _state(ALMOST)

    def choice(place: int) -> Choice:
        _, events = played(decide, evolve, state, Draw(ANNA, DRAWN, place, ABILITIES[0]))
        row = placed(ALMOST, place, DRAWN)

        def why(t: NullTranslations) -> str:
            # Translators: row is a list of seven numbers
            text = t.gettext("Then the row is not in ascending order: %(row)s")
            return text % {"row": _numbers(row)(t)}

        won = any(isinstance(event, GameWon) for event in events)
        return Choice(won, why=None if won else why)

    def asked(t: NullTranslations) -> str:
        # Translators: wagon is its number
        text = t.gettext("You drew %(wagon)d. Tap the wagon that it must replace for you to win.")
        return text % {"wagon": DRAWN}

    return Step(
        lambda t: t.pgettext("title", "Drawing a card"),
        (
            lambda t: t.gettext("The drawn card takes the place of a wagon in your row."),
            lambda t: t.gettext("That wagon goes face up beside the pile."),
            lambda t: t.gettext("From the next turn on, anyone may use its ability."),
        ),
        Train(ALMOST, spots=True, wagon=DRAWN),
        asked,
        tuple(choice(place) for place in PLACES),
    )


def _pairs() -> Step:
    market: tuple[Ability, Ability] = ("protect", "swap_adjacent")
    state = replace(_state(), market=((market[0], 20), (market[1], 61)))
    after, _ = played(decide, evolve, state, Draw(ANNA, DRAWN, 1, market[0]))
    left = {ability for ability, _ in after.market}

    def why(t: NullTranslations) -> str:
        return t.gettext("The two protection cards are discarded together.")

    return Step(
        lambda t: t.pgettext("title", "Two alike"),
        (
            lambda t: t.gettext(
                "When two face-up cards have the same ability, both are discarded at once."
            ),
            lambda t: t.gettext("So each ability lies there once or not at all."),
        ),
        FaceUp((*market, market[0])),
        lambda t: t.gettext("A second protection card has turned up. What stays?"),
        (
            Choice(left == set(market[1:]), _ability(market[1]), why),
            Choice(
                left == set(market), lambda t: t.gettext("Both abilities, one card of each"), why
            ),
            Choice(not left, lambda t: t.pgettext("label", "Nothing"), why),
        ),
    )


def _moves() -> Step:
    ability: Ability = "move_right"
    state = _with_card(ability)
    return Step(
        lambda t: t.pgettext("title", "Changing your row"),
        (
            lambda t: t.gettext(
                "Some abilities change your row: swap two neighbours, swap two wagons with one"
                " between, or move one exactly two places."
            ),
            lambda t: t.gettext("The card that was used is discarded."),
        ),
        Train(ALMOST, spots=True, ability=ability),
        lambda t: t.gettext("Tap a wagon that can move two places to the right."),
        tuple(judged(decide(state, Use(ANNA, ability, place))) for place in PLACES),
    )


def _removals() -> Step:
    ability: Ability = "remove_middle"
    state = _with_card(ability)
    _, events = played(decide, evolve, state, Use(ANNA, ability))
    lost = {
        wagon
        for event in events
        if isinstance(event, WagonsRemoved)
        for seat, wagon in event.removed
        if seat == ANNA
    }

    def why(t: NullTranslations) -> str:
        return t.gettext(
            "The middle one is the fourth from either end: the locomotive is not a wagon."
        )

    return Step(
        lambda t: t.pgettext("title", "Removing wagons"),
        (
            lambda t: t.gettext(
                "Three abilities put every row’s leftmost, middle or rightmost wagon face up beside"
                " the pile."
            ),
            lambda t: t.gettext(
                "Clockwise from whoever used it, each player fills the gap from the pile."
            ),
        ),
        Train(ALMOST, spots=True, ability=ability),
        lambda t: t.gettext("The middle wagon goes. Tap the one that you lose."),
        tuple(Choice(wagon in lost, why=None if wagon in lost else why) for wagon in ALMOST),
    )


def _protection() -> Step:
    ability: Ability = "protect"
    state = _with_card(ability)
    return Step(
        lambda t: t.pgettext("title", "Protection"),
        (
            lambda t: t.gettext(
                "Put a protection card under your leftmost, middle or rightmost wagon: it cannot be"
                " removed."
            ),
            lambda t: t.gettext("Moving or replacing that wagon ends the protection."),
        ),
        Train(ALMOST, spots=True, ability=ability),
        lambda t: t.gettext("Tap a wagon that can be protected."),
        tuple(judged(decide(state, Use(ANNA, ability, place))) for place in PLACES),
    )


def _phones(way: Way) -> Step:
    reports = "draw" in way.plays
    return Step(
        lambda t: t.pgettext("title", "With the phones"),
        (
            (
                lambda t: (
                    t.gettext("When you draw, type the number and tap the wagon it replaces.")
                    if reports
                    else t.gettext("The phone says whose turn it is and who fills the next gap.")
                )
            ),
            (
                lambda t: (
                    t.gettext("To use a face-up card, tap it: the phone shows what it does.")
                    if reports
                    else t.gettext("When your row is in order, type it: the phone checks it.")
                )
            ),
        ),
        Train((5, 18, 30, 41, 52, 63, 76)),
        lambda t: t.gettext("What do you tell the phones?"),
        (
            Choice(reports, lambda t: t.pgettext("label", "Every play"), way.hint),
            Choice("next" in way.plays, lambda t: t.gettext("That a turn is over"), way.hint),
            Choice(not way.plays, lambda t: t.pgettext("label", "Nothing"), way.hint),
        ),
    )


# Judging


def _state(row: Row = DEALT) -> State:
    """Everybody has a row, and the first player is to play."""
    others = ((84, 72, 59, 44, 38, 21, 9), (83, 70, 56, 43, 29, 17, 3))
    return replace(new(len(EXAMPLE_NAMES), ANNA), phase=TURN, rows=(row, *others))


def _with_card(ability: Ability) -> State:
    return replace(_state(ALMOST), market=((ability, 20),))


def _ability(code: Ability) -> Said:
    return lambda t: labels.ability(t, code)


def _numbers(row: Row) -> Said:
    return lambda t: ", ".join(map(str, row))
