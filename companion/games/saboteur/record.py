"""Saboteur in records: the fields of a line, the verdict on an accepted one, and writing.

Names become seats here, and `decide` answers every question of the rules. A text that names no card
of the deck is refused by the rules; a tool, goal or role that does not exist is malformed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.games.game import Rejection
from companion.games.saboteur.rules import (
    EDITIONS,
    GAME,
    Break,
    Deal,
    Dealt,
    Event,
    GameEnded,
    GoalTurned,
    Map,
    MapRead,
    Opened,
    Pass,
    Passed,
    Path,
    PathPlaced,
    Play,
    Repair,
    Result,
    ResultTold,
    Reveal,
    Rockfall,
    RockFell,
    RoundEnded,
    State,
    ToolBroken,
    ToolRepaired,
)
from companion.games.saboteur.rules.cards import GOALS, GOLD_CARDS, ROLES, TOOLS
from companion.games.saboteur.rules.decide import decide
from companion.games.saboteur.rules.evolve import evolve
from companion.games.saboteur.rules.maze import REACH
from companion.record.fair import Proof
from companion.record.jsonl import Fields, written
from companion.record.judge import Malformed, Verdict, good_seats, is_between, malformed, refused

_NOBODY: Final = -1
"""The seat of a name that nobody at the table has."""

_GOLD: Final = sorted(GOLD_CARDS)

Seats = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game as a record knows it: the rules' state, and whose name which seat is."""

    names: tuple[str, ...]
    seats: Seats
    state: State


class SaboteurRecord:
    """Saboteur's part in judging a record."""

    def header(self, fields: Fields) -> Recorded | Malformed:
        edition = fields.get("edition")
        if type(edition) is not str or edition not in EDITIONS:
            return Malformed("edition")
        names = good_seats(fields.get("seats"), GAME.seat_counts)
        if names is None:
            return Malformed("seats")
        starter = fields.get("starter")
        if type(starter) is not str or starter not in names:
            return Malformed("starter")
        gold = fields.get("gold")
        if type(gold) is not list or any(type(card) is not int for card in gold):
            return Malformed("gold")
        if sorted(gold) != _GOLD:
            return Malformed("gold")
        seats = {name: seat for seat, name in enumerate(names)}
        opened = Opened(len(names), seats[starter], edition, tuple(gold))
        return Recorded(names, seats, GAME.opened(opened))

    def judge(self, recorded: Recorded, fields: Fields) -> tuple[Recorded, Verdict]:
        play = read_play(fields, recorded.seats)
        if isinstance(play, Malformed):
            return recorded, malformed(play.field)
        names, state = recorded.names, recorded.state
        decision = decide(state, play)
        if isinstance(decision, Rejection):
            return recorded, _refused(decision)
        for event in decision:
            state = evolve(state, event)
        return Recorded(names, recorded.seats, state), _accepted(names, state, decision)


RECORD: Final = SaboteurRecord()


def _refused(rejection: Rejection) -> Verdict:
    params = {name: rejection.params[name] for name in rejection.reason.recorded}
    plain = {name: list(one) if type(one) is tuple else one for name, one in params.items()}
    return refused(rejection.reason.code, **plain)


def _accepted(names: tuple[str, ...], state: State, events: tuple[Event, ...]) -> Verdict:
    now = state.now
    if now is None:
        return _round_over(names, state, events)
    verdict = {"ok": True, "round": state.round, "pile": now.pile, "turn": names[now.turn]}
    if now.reveal:
        verdict["reveal"] = list(now.reveal)
    return verdict


def _round_over(names: tuple[str, ...], state: State, events: tuple[Event, ...]) -> Verdict:
    pile = state.past[-1].table.pile
    verdict: Verdict = {"ok": True, "round": state.round, "pile": pile, "turn": None}
    for event in events:
        if isinstance(event, RoundEnded):
            verdict["round_over"] = {
                "won_by": event.won_by,
                "finisher": None if event.finisher is None else names[event.finisher],
                "gold": {name: list(event.gold[seat]) for seat, name in enumerate(names)},
            }
        elif isinstance(event, GameEnded):
            verdict["game_over"] = {
                "totals": dict(zip(names, event.totals, strict=True)),
                "winners": [names[seat] for seat in event.winners],
            }
    return verdict


# Reading the fields of a play, in the order in which a bad one is named.


def read_play(fields: Fields, seats: Seats) -> Play | Malformed:
    """The play that a line asks for; a name that nobody has becomes a seat that is not there."""
    name = fields.get("play")
    if type(name) is not str:
        return Malformed("play")
    if name == "deal":
        return _deal(fields)
    reader = _READERS.get(name)
    if reader is None:
        return Malformed("play")
    by = fields.get("by")
    if type(by) is not str:
        return Malformed("by")
    return reader(fields, seats, seats.get(by, _NOBODY))


def _deal(fields: Fields) -> Deal | Malformed:
    roles = fields.get("roles")
    if type(roles) is not list or any(role not in ROLES for role in roles):
        return Malformed("roles")
    return Deal(tuple(roles))


def _at(fields: Fields) -> tuple[int, int] | None:
    at = fields.get("at")
    if type(at) is not list or len(at) != 2:
        return None
    x, y = at
    if not (is_between(x, -REACH, REACH) and is_between(y, -REACH, REACH)):
        return None
    return x, y


def _path(fields: Fields, seats: Seats, by: int) -> Path | Malformed:
    card = fields.get("card")
    if type(card) is not str:
        return Malformed("card")
    at = _at(fields)
    return Malformed("at") if at is None else Path(by, card, at)


def _reveal(fields: Fields, seats: Seats, by: int) -> Reveal | Malformed:
    goal, card = fields.get("goal"), fields.get("card")
    if goal not in GOALS:
        return Malformed("goal")
    if type(card) is not str:
        return Malformed("card")
    return Reveal(by, goal, card)


def _break(fields: Fields, seats: Seats, by: int) -> Break | Malformed:
    tool, seat = fields.get("tool"), fields.get("seat")
    if tool not in TOOLS:
        return Malformed("tool")
    if type(seat) is not str:
        return Malformed("seat")
    return Break(by, tool, seats.get(seat, _NOBODY))


def _repair(fields: Fields, seats: Seats, by: int) -> Repair | Malformed:
    card, tool, seat = fields.get("card"), fields.get("tool"), fields.get("seat")
    if type(card) is not list or any(mended not in TOOLS for mended in card):
        return Malformed("card")
    if tool not in TOOLS:
        return Malformed("tool")
    if type(seat) is not str:
        return Malformed("seat")
    return Repair(by, tuple(card), tool, seats.get(seat, _NOBODY))


def _rockfall(fields: Fields, seats: Seats, by: int) -> Rockfall | Malformed:
    at = _at(fields)
    return Malformed("at") if at is None else Rockfall(by, at)


def _map(fields: Fields, seats: Seats, by: int) -> Map | Malformed:
    goal = fields.get("goal")
    return Map(by, goal) if goal in GOALS else Malformed("goal")


def _pass(fields: Fields, seats: Seats, by: int) -> Pass:
    return Pass(by)


_ABSENT: Final = object()


def _result(fields: Fields, seats: Seats, by: int) -> Result | Malformed:
    finisher, last = fields.get("finisher", _ABSENT), fields.get("last", _ABSENT)
    if finisher is not None and type(finisher) is not str:
        return Malformed("finisher")
    if last is not _ABSENT and type(last) is not str:
        return Malformed("last")
    return Result(
        by,
        None if finisher is None else seats.get(finisher, _NOBODY),
        seats.get(last, _NOBODY) if type(last) is str else None,
    )


_READERS: Final[dict[str, Callable[[Fields, Seats, int], Play | Malformed]]] = {
    "path": _path,
    "pass": _pass,
    "reveal": _reveal,
    "break": _break,
    "repair": _repair,
    "rockfall": _rockfall,
    "map": _map,
    "result": _result,
}


# Writing


def saboteur_record(
    seats: Sequence[str],
    edition: str,
    starter: str,
    gold: Sequence[int],
    plays: Iterable[Play],
    proofs: Sequence[Proof] = (),
) -> Iterator[str]:
    """The lines of a game's record, each with its line feed; judging it gives the same game.

    `proofs`: of the gold, then of each deal; they stand in further fields, which no referee minds.

    >>> from companion.games.saboteur.rules import Pass
    >>> for line in saboteur_record(["A", "B", "C"], "fi", "A", [3, 1], [Pass(1)]):
    ...     print(line, end="")
    {"game": "saboteur", "edition": "fi", "seats": ["A", "B", "C"], "starter": "A", "gold": [3, 1]}
    {"by": "B", "play": "pass"}
    """
    header = {
        "game": "saboteur",
        "edition": edition,
        "seats": list(seats),
        "starter": starter,
        "gold": list(gold),
    }
    left = iter(proofs)
    yield written(header | _proved(next(left, None), seats))
    for play in plays:
        more = _proved(next(left, None), seats) if isinstance(play, Deal) else {}
        yield written(play_fields(play, seats) | more)


def _proved(proof: Proof | None, seats: Sequence[str]) -> Fields:
    return {"fair": proof.fields(seats)} if proof is not None and proof.proves else {}


def play_fields(play: Play, names: Sequence[str]) -> Fields:
    """The fields of the line that reports this play."""
    if isinstance(play, Deal):
        return {"play": "deal", "roles": list(play.roles)}
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
        case Result():
            fields |= {"finisher": None if play.finisher is None else names[play.finisher]}
            if play.last is not None:
                fields |= {"last": names[play.last]}
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
        case PathPlaced(by, card, at):
            return Path(by, card, at)
        case GoalTurned(by, goal, card):
            return Reveal(by, goal, card)
        case ToolBroken(by, tool, seat):
            return Break(by, tool, seat)
        case ToolRepaired(by, tools, tool, seat):
            return Repair(by, tools, tool, seat)
        case RockFell(by, at, _):
            return Rockfall(by, at)
        case MapRead(by, goal):
            return Map(by, goal)
        case Passed(by):
            return Pass(by)
        case ResultTold(by, finisher, last):
            return Result(by, finisher, last)
        case _:
            return None
