"""Saboteur in twelve steps. What is tried in each is judged by `decide`, in the edition at hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations
from typing import Final

from msgspec.structs import replace

from companion.games.explanation import Choice, Said, Step
from companion.games.game import Rejection, Way
from companion.games.saboteur.rules import gold
from companion.games.saboteur.rules.cards import (
    CODE,
    DWARVES,
    GOALS,
    GOLD_CARDS,
    MINER,
    SABOTEUR,
    STONES,
    TOOL_BITS,
)
from companion.games.saboteur.rules.decide import decide, legal_reveals
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.evolve import evolve, opened
from companion.games.saboteur.rules.maze import (
    GOAL_AT,
    START_AT,
    At,
    Maze,
    cell_of,
    flip_goal,
    initial_maze,
    lay,
)
from companion.games.saboteur.rules.model import (
    NOBODY,
    Deal,
    Event,
    Map,
    Opened,
    Pass,
    Path,
    Play,
    Repair,
    Reveal,
    Rockfall,
    RoundEnded,
    State,
)
from companion.values import Value

# What is drawn


class Field(Value, frozen=True):
    """A part of the maze."""

    maze: Maze
    columns: range
    rows: range
    spots: tuple[At, ...] = ()
    """The choices, in their order."""
    card: str = ""
    """That is to be laid."""
    newest: At | None = None
    """Where the last card was laid."""


class Card(Value, frozen=True):
    """A card by the id of its drawing, or by those of what stands on it."""

    symbol: str = ""
    shows: tuple[str, ...] = ()


class Cards(Value, frozen=True):
    """Side by side."""

    cards: tuple[Card, ...]


class Seats(Value, frozen=True):
    """Players round the table, clockwise, and what they may play."""

    names: tuple[str, ...]
    cards: tuple[Card, ...]


NAMES: Final = ("Anna", "Berta", "Carlos")
"""Of players in examples."""

_SYMBOLS: Final = {"pickaxe": "pick", "lantern": "lamp", "cart": "cart"}
_TUNNEL: Final = {(x, 0): "EW" for x in range(1, 6)}
"""From the start card towards the goal cards."""


@cache
def explanation(edition: str, way: Way) -> tuple[Step, ...]:
    return (
        _aim(),
        _roles(),
        _turn(edition),
        _fits(edition),
        _unbroken(edition),
        _tools(edition),
        _rockfall(edition),
        _map(edition),
        _goals(edition),
        _end(edition),
        _gold(),
        _phones(way),
    )


def _aim() -> Step:
    maze = initial_maze()
    spots = (START_AT, *GOAL_AT.values())
    return Step(
        lambda t: t.pgettext("title", "What everyone wants"),
        (
            lambda t: t.gettext(
                "Gold diggers dig from the start card to the treasure, one of the three goal cards."
            ),
            lambda t: t.gettext("Saboteurs secretly hinder them."),
            lambda t: t.gettext("After three rounds, whoever has the most gold nuggets wins."),
        ),
        Field(maze, range(9), range(-2, 3), spots),
        lambda t: t.gettext("Tap a card that may be the treasure."),
        tuple(Choice(cell_of(at) in maze.down, why=_any_goal) for at in spots),
    )


def _any_goal(t: NullTranslations) -> str:
    return t.gettext("It is one of the three goal cards, and nobody knows yet which.")


def _roles() -> Step:
    players = 5
    saboteurs, miners = DWARVES[players]
    state = replace(_opened("en"), seats=players)
    deals = {
        number: Deal((SABOTEUR,) * number + (MINER,) * (players - number))
        for number in range(players + 1)
    }
    possible = {
        number for number, deal in deals.items() if not isinstance(decide(state, deal), Rejection)
    }

    def why(t: NullTranslations) -> str:
        text = t.gettext(
            "With five players there are %(diggers)d gold diggers and %(saboteurs)d saboteurs: six"
            " cards, and one is left over."
        )
        return text % {"diggers": miners, "saboteurs": saboteurs}

    return Step(
        lambda t: t.pgettext("title", "Who you are"),
        (
            lambda t: t.gettext("Each round deals you a secret role: gold digger or saboteur."),
            lambda t: t.gettext(
                "One card is left over, so nobody knows exactly how many saboteurs there are."
            ),
        ),
        Cards((Card("role-dig"), Card("role-back"), Card("role-sab"))),
        lambda t: t.gettext(
            "Five people each get one of six cards, and two of those are saboteurs. How many"
            " saboteurs can there be?"
        ),
        (
            Choice(possible == {0}, lambda t: t.pgettext("label", "None at all"), why),
            Choice(possible == {1, 2}, lambda t: t.pgettext("label", "One or two"), why),
            Choice(possible == {2}, lambda t: t.pgettext("label", "Always two"), why),
        ),
    )


def _turn(edition: str) -> Step:
    state, _ = _played(_state(edition), Pass(0))
    text: tuple[Said, ...] = (
        lambda t: t.gettext(
            "Play one card: a path card, an action card, or any card face down to pass."
        ),
        lambda t: t.gettext("Then draw a card, if any are left."),
        lambda t: t.gettext("Turns go clockwise."),
    )
    return Step(
        lambda t: t.pgettext("title", "Your turn"),
        text,
        Seats(NAMES, (Card("t-NES"), Card(shows=("lamp-x",)), Card("hand-back"))),
        lambda t: t.gettext("%(player)s has just passed. Who plays next?") % {"player": NAMES[0]},
        tuple(_judged(state, Pass(seat), _name(name)) for seat, name in enumerate(NAMES)),
    )


def _fits(edition: str) -> Step:
    maze = _maze({(1, 0): "EW", (2, 0): "ESW"})
    return _laying(
        edition,
        lambda t: t.pgettext("title", "A card that fits"),
        (
            lambda t: t.gettext(
                "Lay a path card beside another so that all sides match: path to path, rock to"
                " rock."
            ),
            lambda t: t.gettext("You may rotate it by half a turn, but never lay it sideways."),
        ),
        Field(maze, range(4), range(-1, 2), ((3, 0), (2, -1), (3, 1)), "EW"),
    )


def _unbroken(edition: str) -> Step:
    maze = _maze({(1, 0): "ESWx"})
    text: tuple[Said, ...] = (
        lambda t: t.gettext("In these rules it is enough that the sides match."),
        lambda t: t.gettext("But only an unbroken path from the start card reaches a goal card."),
        lambda t: t.gettext("A dead end breaks it."),
    )
    if EDITIONS[edition].connected:
        text = (
            lambda t: t.gettext(
                "The card must also continue an unbroken path from the start card."
            ),
            lambda t: t.gettext("A path ends at a dead end: nobody can go on from there."),
        )
    return _laying(
        edition,
        lambda t: t.pgettext("title", "The path from the start"),
        text,
        Field(maze, range(4), range(-1, 2), ((2, 0), (0, 1), (3, 1)), "NESW"),
    )


def _laying(edition: str, title: Said, text: tuple[Said, ...], field: Field) -> Step:
    state = _state(edition, field.maze)
    return Step(
        title,
        text,
        field,
        lambda t: t.gettext("Tap where this card may go."),
        tuple(_judged(state, Path(0, field.card, at)) for at in field.spots),
    )


def _tools(edition: str) -> Step:
    broken = "lantern"
    state = _state(edition)
    assert state.now is not None
    state = replace(state, now=replace(state.now, broken=(0, TOOL_BITS[broken], 0)))
    repairs = (("pickaxe",), ("lantern", "cart"), ("cart",))
    labels: tuple[Said, ...] = (
        lambda t: t.pgettext("tool", "Pickaxe"),
        lambda t: t.gettext("Lantern or mine cart"),
        lambda t: t.pgettext("tool", "Mine cart"),
    )
    return Step(
        lambda t: t.pgettext("title", "Broken tools"),
        (
            lambda t: t.gettext("Anyone may give you a broken-tool card."),
            lambda t: t.gettext("Until it is repaired, you may play anything but path cards."),
            lambda t: t.gettext("A repair card repairs one tool it shows, for any player."),
        ),
        Cards(
            tuple(Card(shows=(f"{_SYMBOLS[tool]}-x",)) for tool in ("pickaxe", "lantern", "cart"))
        ),
        lambda t: (
            t.gettext("Broken lantern: %(player)s. Which repair card helps?") % {"player": NAMES[1]}
        ),
        tuple(
            replace(
                _judged(state, Repair(0, repair, broken, 1), label),
                picture=Card(shows=tuple(_SYMBOLS[tool] for tool in repair)),
            )
            for repair, label in zip(repairs, labels, strict=True)
        ),
    )


def _rockfall(edition: str) -> Step:
    maze = _maze({**_TUNNEL, (6, 0): "NSW"})
    spots = ((5, 0), (7, 0), GOAL_AT["middle"])
    state = _state(edition, maze)
    return Step(
        lambda t: t.pgettext("title", "Rockfall"),
        (
            lambda t: t.gettext(
                "A rockfall removes one path card, even a dead end, but never the start or a goal"
                " card."
            ),
            lambda t: t.gettext("What lies beyond is cut off until a card fills the gap."),
        ),
        Field(maze, range(4, 9), range(-1, 2), spots),
        lambda t: t.gettext("Tap a card that a rockfall may take."),
        tuple(_judged(state, Rockfall(0, at)) for at in spots),
    )


def _map(edition: str) -> Step:
    maze = flip_goal(_maze({**_TUNNEL, (6, 0): "EW", (7, 0): "NESW"}), "middle", STONES[1])
    state = _state(edition, maze)
    return Step(
        lambda t: t.pgettext("title", "Map"),
        (
            lambda t: t.gettext("With a map, you alone look at one goal card."),
            lambda t: t.gettext("Put it back face down."),
            lambda t: t.gettext("You may say what you saw, true or not."),
        ),
        Field(maze, range(5, 9), range(-2, 3), tuple(GOAL_AT.values())),
        lambda t: t.gettext("Tap a card that a map lets you look at."),
        tuple(_judged(state, Map(0, goal)) for goal in GOALS),
    )


def _goals(edition: str) -> Step:
    maze = _maze({**_TUNNEL, (6, 0): "NW", (6, 1): "ES", (7, 1): "EW"})
    at = (8, 1)
    reached, _ = _played(_state(edition, maze), Path(0, "NSW", at))
    assert reached.now is not None
    goal, *_ = reached.now.reveal
    stone = legal_reveals(reached)[goal][-1]
    turned, _ = _played(reached, Reveal(0, goal, stone))
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


def _end(edition: str) -> Step:
    state = _state(edition)
    assert state.now is not None
    state = replace(state, now=replace(state.now, pile=0, hands=(2,) * len(NAMES)))
    happened: list[Event] = []
    for seat in range(len(NAMES)):
        state, events = _played(state, Pass(seat))
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
            Choice(won_by == "miners", lambda t: t.pgettext("label", "The gold diggers"), why),
            Choice(won_by == "saboteurs", lambda t: t.pgettext("label", "The saboteurs"), why),
            Choice(won_by == NOBODY, lambda t: t.gettext("Nobody: the round goes on"), why),
        ),
    )


def _gold() -> Step:
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
                "One gold card per player is shared out. Winning gold diggers pick"
                " in turn, starting with whoever reached the treasure."
            ),
            lambda t: t.gettext(
                "Winning saboteurs get nuggets: the fewer saboteurs, the more each."
            ),
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
    shares, _ = gold.pay_saboteurs(GOLD_CARDS, roles, last=0)
    return sum(shares[0])


def _phones(way: Way) -> Step:
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


# Judging


def _opened(edition: str) -> State:
    return opened(Opened(len(NAMES), 0, edition, GOLD_CARDS))


def _state(edition: str, maze: Maze | None = None) -> State:
    """A round in which the first player is to play."""
    state, _ = _played(_opened(edition), Deal((MINER,) * len(NAMES)))
    assert state.now is not None
    return replace(state, now=replace(state.now, maze=maze or state.now.maze))


def _maze(cards: Mapping[At, str]) -> Maze:
    maze = initial_maze()
    for at, card in cards.items():
        maze = lay(maze, cell_of(at), CODE[card])
    return maze


def _played(state: State, play: Play) -> tuple[State, tuple[Event, ...]]:
    events = decide(state, play)
    assert not isinstance(events, Rejection), (play, events)
    for event in events:
        state = evolve(state, event)
    return state, events


def _judged(state: State, play: Play, label: Said | None = None) -> Choice:
    refused = decide(state, play)
    if not isinstance(refused, Rejection):
        return Choice(True, label)
    return Choice(False, label, lambda t: refused.sentence(t, NAMES))


def _name(name: str) -> Said:
    return lambda t: name
