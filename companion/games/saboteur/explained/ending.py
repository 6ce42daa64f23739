"""The steps on how a round ends, on the gold, and on what the phones do."""

from __future__ import annotations

from gettext import NullTranslations

from msgspec.structs import replace

from companion.games.explanation import ANNA, EXAMPLE_NAMES, Choice, Said, Step, played
from companion.games.fields import FIRST_PLAYER, players
from companion.games.game import Way
from companion.games.saboteur.explained.drawings import Card, Cards, Field
from companion.games.saboteur.explained.positions import TUNNEL, maze_of, round_begun
from companion.games.saboteur.rules import gold as nuggets
from companion.games.saboteur.rules.cards import GOLD_CARDS, MINER, SABOTEUR
from companion.games.saboteur.rules.decide import decide, legal_reveals
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.evolve import evolve
from companion.games.saboteur.rules.model import (
    MINERS_WON,
    NOBODY,
    SABOTEURS_WON,
    Event,
    Pass,
    Path,
    Reveal,
    RoundEnded,
)


def goals(edition: str) -> Step:
    maze = maze_of({**TUNNEL, (6, 0): "NW", (6, 1): "ES", (7, 1): "EW"})
    at = (8, 1)
    reached, _ = played(decide, evolve, round_begun(edition, maze), Path(ANNA, "NSW", at))
    assert reached.now is not None
    goal, *_ = reached.now.reveal
    stone = legal_reveals(reached)[goal][-1]
    turned, _ = played(decide, evolve, reached, Reveal(ANNA, goal, stone))
    assert turned.now is not None
    times = 1 + len(turned.now.reveal)

    def why(t: NullTranslations) -> str:
        if EDITIONS[edition].reveals_all:
            return t.gettext("In these rules, all goal cards that are reached are turned over.")
        return t.gettext("In these rules, whoever laid the card chooses one of them.")

    return Step(
        lambda t: t.pgettext("title", "Reaching a goal card"),
        (
            lambda t: t.gettext("A path that reaches a goal card turns it over."),
            lambda t: t.gettext("Stone: play goes on."),
            lambda t: t.gettext("Treasure: the gold diggers win the round."),
            lambda t: (
                t.gettext("Two at once: both are turned over.")
                if EDITIONS[edition].reveals_all
                else t.gettext("Two at once: choose one.")
            ),
        ),
        Field(reached.now.maze, range(5, 9), range(3), newest=at),
        lambda t: t.gettext(
            "The card just laid leads to two goal cards. How many are turned over now?"
        ),
        (
            Choice(times == 0, lambda t: t.pgettext("label", "None yet"), why),
            Choice(times == 1, lambda t: t.pgettext("label", "One of them"), why),
            Choice(times == 2, lambda t: t.pgettext("label", "Both"), why),
        ),
    )


def end(edition: str) -> Step:
    state = round_begun(edition)
    assert state.now is not None
    state = replace(state, now=replace(state.now, pile=0, hands=(2,) * len(EXAMPLE_NAMES)))
    happened: list[Event] = []
    for seat in players(len(EXAMPLE_NAMES)):
        state, events = played(decide, evolve, state, Pass(seat))
        happened += events
    won_by = next((each.won_by for each in happened if isinstance(each, RoundEnded)), NOBODY)
    ring_ends = EDITIONS[edition].ring_ends
    text: list[Said] = [
        lambda t: t.gettext(
            "When the draw pile and all hands are empty, the saboteurs win the round."
        ),
        lambda t: t.gettext("Then all roles are shown."),
    ]

    def goes_on(t: NullTranslations) -> str:
        return t.gettext("The round goes on as long as somebody has a card.")

    def ends(t: NullTranslations) -> str:
        return t.gettext(
            "In these rules, the round ends when the pile is empty and all pass, one after another."
        )

    if ring_ends:
        text.insert(1, lambda t: t.gettext("Or when the pile is empty and all pass in succession."))
    else:
        text.insert(0, goes_on)
    why = ends if ring_ends else goes_on

    return Step(
        lambda t: t.pgettext("title", "When no treasure is found"),
        tuple(text),
        Cards((Card("no-card"), Card("hand-back"), Card("hand-back"), Card("hand-back"))),
        lambda t: t.gettext(
            "The pile is empty, everyone has just passed and still holds a card. Who has won?"
        ),
        (
            Choice(won_by == MINERS_WON, lambda t: t.pgettext("label", "The gold diggers"), why),
            Choice(won_by == SABOTEURS_WON, lambda t: t.pgettext("label", "The saboteurs"), why),
            Choice(won_by == NOBODY, lambda t: t.gettext("Nobody: the round goes on"), why),
        ),
    )


def gold() -> Step:
    due = {number: _due(number) for number in range(1, 5)}

    def why(t: NullTranslations) -> str:
        text = t.gettext(
            "One alone gets %(one)d, two or three get %(few)d each, and four get %(four)d each."
        )
        return text % {"one": due[1], "few": due[2], "four": due[4]}

    def saboteurs(number: int) -> Said:
        return lambda t: (
            t.ngettext("With %(num)d saboteur", "With %(num)d saboteurs", number) % {"num": number}
        )

    return Step(
        lambda t: t.pgettext("title", "The gold"),
        (
            lambda t: t.gettext(
                "One gold card per player is shared, at most nine. Winning gold diggers pick in"
                " turn; the treasure’s finder begins."
            ),
            lambda t: t.gettext("Winning saboteurs get nuggets: one alone gets the most."),
        ),
        Cards((Card("gold-1"), Card("gold-2"), Card("gold-3"))),
        lambda t: t.gettext("Saboteurs have won. When does each get the most nuggets?"),
        tuple(
            Choice(due[number] == max(due.values()), saboteurs(number), why) for number in (2, 1, 4)
        ),
    )


def _due(saboteurs: int) -> int:
    """Nuggets for each of so many."""
    roles = (SABOTEUR,) * saboteurs + (MINER,) * 5
    shares, _ = nuggets.pay_saboteurs(GOLD_CARDS, roles, FIRST_PLAYER, players(len(roles)))
    return sum(shares[0])


def phones(way: Way) -> Step:
    return Step(
        lambda t: t.pgettext("title", "With the phones"),
        (
            lambda t: t.gettext("Touch and hold the card on your phone’s screen to see your role."),
            lambda t: (
                t.gettext("Whoever makes a play reports it, and the phone judges it.")
                if way.follows
                else t.gettext("When a round is over, anyone can report how it ended.")
            ),
            lambda t: t.gettext("Only you see your gold."),
        ),
        Cards((Card("role-back"), Card(shows=("u-phone",)))),
        lambda t: t.gettext("What do you tell the phones?"),
        (
            Choice("path" in way.plays, lambda t: t.pgettext("label", "Every play"), way.hint),
            Choice("result" in way.plays, lambda t: t.gettext("How the round ended"), way.hint),
            Choice(not way.plays, lambda t: t.gettext("Who is a saboteur"), way.hint),
        ),
    )
