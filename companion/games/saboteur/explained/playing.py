"""The steps on a round while it is played."""

from __future__ import annotations

from gettext import NullTranslations

from msgspec.structs import replace

from companion.games.explanation import (
    ANNA,
    BERTA,
    EXAMPLE_NAMES,
    Choice,
    Said,
    Step,
    judged,
    played,
)
from companion.games.fields import by_player
from companion.games.game import Rejection
from companion.games.saboteur.explained.drawings import Card, Cards, Field, Seats
from companion.games.saboteur.explained.positions import TUNNEL, game_begun, maze_of, round_begun
from companion.games.saboteur.labels import tool_symbol
from companion.games.saboteur.rules.cards import (
    DWARVES,
    GOALS,
    MINER,
    SABOTEUR,
    STONES,
    TOOL_BITS,
    TOOLS,
    Tool,
)
from companion.games.saboteur.rules.decide import decide
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.evolve import evolve
from companion.games.saboteur.rules.maze import (
    GOAL_AT,
    START_AT,
    cell_of,
    flip_goal,
    initial_maze,
)
from companion.games.saboteur.rules.model import Deal, Map, Pass, Path, Repair, Rockfall


def aim() -> Step:
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
    return t.gettext("The treasure is one of the three goal cards, and nobody knows yet which.")


def roles() -> Step:
    players = 5
    saboteurs, miners = DWARVES[players]
    state = replace(game_begun("en"), seats=players)
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
            lambda t: t.gettext("One card is left over, so there may be one saboteur fewer."),
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


def turn(edition: str) -> Step:
    state, _ = played(decide, evolve, round_begun(edition), Pass(ANNA))
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
        Seats(EXAMPLE_NAMES, (Card("t-NES"), Card(shows=("lamp-x",)), Card("hand-back"))),
        lambda t: (
            t.gettext("%(player)s has just passed. Who plays next?")
            % {"player": EXAMPLE_NAMES[ANNA]}
        ),
        tuple(
            judged(decide(state, Pass(seat)), _name(name))
            for seat, name in by_player(EXAMPLE_NAMES)
        ),
    )


def _name(name: str) -> Said:
    return lambda t: name


def fits(edition: str) -> Step:
    maze = maze_of({(1, 0): "EW", (2, 0): "ESW"})
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


def unbroken(edition: str) -> Step:
    maze = maze_of({(1, 0): "ESWx"})
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
    state = round_begun(edition, field.maze)
    return Step(
        title,
        text,
        field,
        lambda t: t.gettext("Tap where this card may go."),
        tuple(judged(decide(state, Path(ANNA, field.card, at))) for at in field.spots),
    )


def tools(edition: str) -> Step:
    broken: Tool = "lantern"
    state = round_begun(edition)
    assert state.now is not None
    state = replace(state, now=replace(state.now, broken=(0, TOOL_BITS[broken], 0)))
    repairs: tuple[tuple[Tool, ...], ...] = (("pickaxe",), ("lantern", "cart"), ("cart",))
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
        Cards(tuple(Card(shows=(tool_symbol(tool, broken=True),)) for tool in TOOLS)),
        lambda t: (
            t.gettext("Broken lantern: %(player)s. Which repair card helps?")
            % {"player": EXAMPLE_NAMES[BERTA]}
        ),
        tuple(
            replace(
                judged(decide(state, Repair(ANNA, repair, broken, BERTA)), label),
                picture=Card(shows=tuple(map(tool_symbol, repair))),
            )
            for repair, label in zip(repairs, labels, strict=True)
        ),
    )


def rockfall(edition: str) -> Step:
    maze = maze_of({**TUNNEL, (6, 0): "NSW"})
    spots = ((5, 0), (7, 0), GOAL_AT["middle"])
    state = round_begun(edition, maze)
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
        tuple(judged(decide(state, Rockfall(ANNA, at))) for at in spots),
    )


def maps(edition: str) -> Step:
    maze = flip_goal(maze_of({**TUNNEL, (6, 0): "EW", (7, 0): "NESW"}), "middle", STONES[1])
    state = round_begun(edition, maze)
    return Step(
        lambda t: t.pgettext("title", "Map"),
        (
            lambda t: t.gettext("With a map, you alone look at one goal card."),
            lambda t: t.gettext("Put it back face down."),
            lambda t: t.gettext("You may say what you saw, true or not."),
        ),
        Field(maze, range(5, 9), range(-2, 3), tuple(GOAL_AT.values())),
        lambda t: t.gettext("Tap a card that a map lets you look at."),
        tuple(judged(decide(state, Map(ANNA, goal))) for goal in GOALS),
    )
