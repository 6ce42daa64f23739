"""Saboteur in records: the fields of a line, the verdict on an accepted one, and writing.

Players come in as indexes, and `decide` answers every question of the rules. A text that names no
card of the deck is refused by the rules; a tool, goal or role that does not exist is malformed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from companion.games.fields import (
    Fields,
    FindsPlayer,
    Malformed,
    PlayerIndex,
    RecordStart,
    is_between,
    seating,
)
from companion.games.saboteur.rules.cards import DECK, GOALS, GOLD_CARDS, ROLES, SEAT_COUNTS, TOOLS
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.maze import REACH, At
from companion.games.saboteur.rules.model import (
    Break,
    CopyPlay,
    Count,
    Deal,
    Dealt,
    Event,
    GameEnded,
    GoalTurned,
    Map,
    MapRead,
    Pass,
    Passed,
    Path,
    PathPlaced,
    PileCounted,
    Play,
    Repair,
    Reseated,
    Result,
    ResultTold,
    Reveal,
    Rockfall,
    RockFell,
    RoundEnded,
    Seats,
    State,
    ToolBroken,
    ToolRepaired,
)
from companion.games.saboteur.rules.setup import begun

_GOLD: Final = sorted(GOLD_CARDS)


def read_header(fields: Fields) -> RecordStart[State] | Malformed:
    edition = fields.get("edition")
    if type(edition) is not str or edition not in EDITIONS:
        return Malformed("edition")
    seated = seating(fields, SEAT_COUNTS)
    if isinstance(seated, Malformed):
        return seated
    names, starter = seated
    gold = fields.get("gold")
    if type(gold) is not list or any(type(card) is not int for card in gold):
        return Malformed("gold")
    if sorted(gold) != _GOLD:
        return Malformed("gold")
    return RecordStart(names, begun(len(names), starter, edition, tuple(gold)))


def header_fields(state: State, names: Sequence[str]) -> Fields:
    """Of a game that has just begun."""
    return {
        "edition": state.edition.name,
        "seats": list(names),
        "starter": names[state.starter],
        "gold": list(state.gold),
    }


def accepted(names: Sequence[str], state: State, events: Sequence[Event]) -> Fields:
    """What the verdict on a play says."""
    now = state.now
    if now is None:
        return _round_over(names, state, events)
    verdict: Fields = {"round": state.round, "pile": now.pile, "turn": names[now.turn]}
    if now.reveal:
        verdict["reveal"] = list(now.reveal)
    return verdict


def _round_over(names: Sequence[str], state: State, events: Sequence[Event]) -> Fields:
    pile = state.past[-1].final.pile
    verdict: Fields = {"round": state.round, "pile": pile, "turn": None}
    for event in events:
        if isinstance(event, RoundEnded):
            verdict["round_over"] = {
                "won_by": event.won_by,
                "finisher": None if event.finisher is None else names[event.finisher],
                "gold": {
                    name: sorted(event.gold[seat], reverse=True) for seat, name in enumerate(names)
                },
            }
        elif isinstance(event, GameEnded):
            verdict["game_over"] = {
                "totals": dict(zip(names, event.totals, strict=True)),
                "winners": [names[seat] for seat in event.winners],
            }
    return verdict


# Reading the fields of a play, in the order in which a bad one is named.


def read_play(fields: Fields, player_index: FindsPlayer) -> Play | Malformed:
    """The play that a line or a form asks for."""
    name = fields.get("play")
    if type(name) is not str:
        return Malformed("play")
    if name == "deal":
        return _deal(fields)
    if name == "seats":
        return _seats(fields, player_index)
    reader = READERS.get(name)
    if reader is None:
        return Malformed("play")
    by = player_index(fields.get("by"))
    if by is None:
        return Malformed("by")
    play = reader(by, fields, player_index)
    if "uncounted" in fields and isinstance(play, CopyPlay):
        return _vouched(play, fields["uncounted"])
    return play


def _vouched(play: CopyPlay, uncounted: object) -> CopyPlay | Malformed:
    if type(uncounted) is not bool:
        return Malformed("uncounted")
    return replace(play, uncounted=int(uncounted))


def _deal(fields: Fields) -> Deal | Malformed:
    roles = fields.get("roles")
    if type(roles) is not list or any(role not in ROLES for role in roles):
        return Malformed("roles")
    return Deal(tuple(roles))


def _seats(fields: Fields, player_index: FindsPlayer) -> Seats | Malformed:
    order = fields.get("order")
    if type(order) is not list:
        return Malformed("order")
    seats = [seat for seat in map(player_index, order) if seat is not None]
    return Seats(tuple(seats)) if len(seats) == len(order) else Malformed("order")


def _at(fields: Fields) -> At | None:
    at = fields.get("at")
    if type(at) is not list or len(at) != 2:
        return None
    x, y = at
    if not (is_between(x, -REACH, REACH) and is_between(y, -REACH, REACH)):
        return None
    return x, y


def _path(by: PlayerIndex, fields: Fields, player_index: FindsPlayer) -> Path | Malformed:
    card = fields.get("card")
    if type(card) is not str:
        return Malformed("card")
    at = _at(fields)
    return Malformed("at") if at is None else Path(by, card, at)


def _reveal(by: PlayerIndex, fields: Fields, player_index: FindsPlayer) -> Reveal | Malformed:
    goal, card = fields.get("goal"), fields.get("card")
    if goal not in GOALS:
        return Malformed("goal")
    if type(card) is not str:
        return Malformed("card")
    return Reveal(by, goal, card)


def _break(by: PlayerIndex, fields: Fields, player_index: FindsPlayer) -> Break | Malformed:
    tool = fields.get("tool")
    if tool not in TOOLS:
        return Malformed("tool")
    seat = player_index(fields.get("seat"))
    return Malformed("seat") if seat is None else Break(by, tool, seat)


def _repair(by: PlayerIndex, fields: Fields, player_index: FindsPlayer) -> Repair | Malformed:
    card, tool = fields.get("card"), fields.get("tool")
    if type(card) is not list or any(mended not in TOOLS for mended in card):
        return Malformed("card")
    if tool not in TOOLS:
        return Malformed("tool")
    seat = player_index(fields.get("seat"))
    return Malformed("seat") if seat is None else Repair(by, tuple(card), tool, seat)


def _rockfall(by: PlayerIndex, fields: Fields, player_index: FindsPlayer) -> Rockfall | Malformed:
    at = _at(fields)
    return Malformed("at") if at is None else Rockfall(by, at)


def _map(by: PlayerIndex, fields: Fields, player_index: FindsPlayer) -> Map | Malformed:
    goal = fields.get("goal")
    return Map(by, goal) if goal in GOALS else Malformed("goal")


def _count(by: PlayerIndex, fields: Fields, player_index: FindsPlayer) -> Count | Malformed:
    pile = fields.get("pile")
    if type(pile) is not int or not is_between(pile, 0, DECK):
        return Malformed("pile")
    return Count(by, pile)


def _pass(by: PlayerIndex, fields: Fields, player_index: FindsPlayer) -> Pass:
    return Pass(by)


def _result(by: PlayerIndex, fields: Fields, player_index: FindsPlayer) -> Result | Malformed:
    """`finisher` may be null, and `last` may be left out."""
    finisher = last = None
    if fields.get("finisher", "") is not None:
        finisher = player_index(fields.get("finisher"))
        if finisher is None:
            return Malformed("finisher")
    if "last" in fields:
        last = player_index(fields["last"])
        if last is None:
            return Malformed("last")
    return Result(by, finisher, last)


READERS: Final[dict[str, Callable[[PlayerIndex, Fields, FindsPlayer], Play | Malformed]]] = {
    "path": _path,
    "pass": _pass,
    "count": _count,
    "reveal": _reveal,
    "break": _break,
    "repair": _repair,
    "rockfall": _rockfall,
    "map": _map,
    "result": _result,
}
"""Of what the play's own fields say; `uncounted` is left to `read_play`."""

REPORTED: Final = tuple(READERS)
"""The plays that players make; the program, or a record, deals."""


# Writing


def play_fields(play: Play, names: Sequence[str]) -> Fields:
    """The fields of the line that reports this play."""
    if isinstance(play, Deal):
        return {"play": "deal", "roles": list(play.roles)}
    if isinstance(play, Seats):
        return {"play": "seats", "order": [names[seat] for seat in play.order]}
    fields: Fields = {"by": names[play.by], "play": type(play).__name__.lower()}
    match play:
        case Path():
            fields |= {"card": play.card, "at": list(play.at)}
        case Reveal():
            fields |= {"goal": play.goal, "card": play.card}
        case Break():
            fields |= {"tool": play.tool, "seat": names[play.seat]}
        case Repair():
            fields |= {"card": list(play.card), "tool": play.tool, "seat": names[play.seat]}
        case Rockfall():
            fields |= {"at": list(play.at)}
        case Map():
            fields |= {"goal": play.goal}
        case Count():
            fields |= {"pile": play.pile}
        case Result():
            fields |= {"finisher": None if play.finisher is None else names[play.finisher]}
            if play.last is not None:
                fields |= {"last": names[play.last]}
    if isinstance(play, CopyPlay) and play.uncounted:
        fields |= {"uncounted": True}
    return fields


def plays_of(events: Iterable[Event]) -> Iterator[Play]:
    """The plays that led to these events."""
    for event in events:
        play = play_of(event)
        if play is not None:
            yield play


def play_of(event: Event) -> Play | None:
    """The play that caused an event; None for automatic consequences."""
    match event:
        case Dealt(roles):
            return Deal(roles)
        case Reseated(circle):
            return Seats(circle)
        case PathPlaced(by, card, at, uncounted):
            return Path(by, card, at, uncounted)
        case GoalTurned(by, goal, card):
            return Reveal(by, goal, card)
        case ToolBroken(by, tool, seat, uncounted):
            return Break(by, tool, seat, uncounted)
        case ToolRepaired(by, tools, tool, seat, uncounted):
            return Repair(by, tools, tool, seat, uncounted)
        case RockFell(by, at, _, uncounted):
            return Rockfall(by, at, uncounted)
        case MapRead(by, goal, uncounted):
            return Map(by, goal, uncounted)
        case Passed(by):
            return Pass(by)
        case PileCounted(by, pile):
            return Count(by, pile)
        case ResultTold(by, finisher, last):
            return Result(by, finisher, last)
        case _:
            return None
