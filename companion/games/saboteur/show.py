"""The maze as text, whose turn it is, broken tools, piles.

Each card of a maze is three characters by three: a path is drawn as lines, a dead end has a gap in
the middle, a face-down goal is a box with a question mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.fields import PlayerIndex
from companion.games.saboteur.rules.cards import GoalName
from companion.games.saboteur.rules.maze import GOAL_AT, At
from companion.games.saboteur.rules.model import State
from companion.games.saboteur.rules.view import Laid, LaidKind, VisibleState, view

CardText = tuple[str, str, str]

_JOINTS: Final = {
    "NESW": "┼",
    "NES": "├",
    "NSW": "┤",
    "NEW": "┴",
    "ESW": "┬",
    "NS": "│",
    "EW": "─",
    "NE": "└",
    "NW": "┘",
    "ES": "┌",
    "SW": "┐",
}
_CENTRES: Final = {"start": "S", "treasure": "$", "stone": "●"}
_DOWN: Final[CardText] = ("┌─┐", "│?│", "└─┘")
_NOTHING: Final[CardText] = ("   ", " · ", "   ")


def card_text(card: str, kind: LaidKind = "tunnel") -> CardText:
    """
    >>> card_text("NESx")
    (' │ ', ' ×─', ' │ ')
    """
    middle = _CENTRES.get(kind) or _JOINTS.get(card, "×")
    return (
        " │ " if "N" in card else "   ",
        ("─" if "W" in card else " ") + middle + ("─" if "E" in card else " "),
        " │ " if "S" in card else "   ",
    )


def maze_lines(maze: Sequence[Laid], goals_down: Sequence[GoalName]) -> list[str]:
    """The maze with north above and the start on the left, each column with its number below."""
    texts: dict[At, CardText] = {laid.at: card_text(laid.card, laid.kind) for laid in maze}
    texts |= {GOAL_AT[goal]: _DOWN for goal in goals_down}
    xs = [x for x, _ in texts]
    ys = [y for _, y in texts]
    columns = range(min(xs), max(xs) + 1)
    lines = []
    for y in range(max(ys), min(ys) - 1, -1):
        row = [texts.get((x, y), _NOTHING) for x in columns]
        for part, label in enumerate(("", str(y), "")):
            lines.append(f"{label:>4} " + "".join(card[part] for card in row))
    lines.append("     " + "".join(f"{x:^3}" for x in columns))
    return [line.rstrip() for line in lines]


def draw(state: State, names: Sequence[str]) -> str:
    """The table as anybody may see it; of a round that was only told, what was told.

    >>> from companion.games.saboteur.rules.setup import new
    >>> class Unshuffled:
    ...     def shuffle(self, x): pass
    >>> print(draw(new(3, 0, "en", Unshuffled()), ["Anna", "Bert", "Carl"]))
    en · no round
    starter: Anna
    """
    seen = view(state, None)
    head = f"{seen.edition} · round {seen.round}/3" if seen.round else f"{seen.edition} · no round"
    lines = [head]
    if not seen.maze:
        return "\n".join([*lines, f"starter: {names[seen.starter]}"])
    piles = f"gold pile: {seen.gold_pile}"
    reported = seen.phase in ("turn", "reveal") or seen.past[-1].followed
    if reported:
        lines += [*maze_lines(seen.maze, seen.goals_down), ""]
        piles = f"draw pile: {seen.pile} · {piles}"
    lines += [_player(seen, seat, names, reported=reported) for seat in seen.circle]
    lines.append(piles)
    if seen.reveal:
        lines.append("to be turned over: " + ", ".join(seen.reveal))
    if seen.turn is None:
        lines += _ended(seen, names)
    return "\n".join(lines)


def _player(seen: VisibleState, seat: PlayerIndex, names: Sequence[str], *, reported: bool) -> str:
    """`reported`: plays were, and so it is known how many cards are left."""
    mark = "→" if seat == seen.turn else " "
    parts = [f"hand {seen.hands[seat]}"] if reported else []
    parts.append(f"gold cards {seen.gold_cards[seat]}")
    if seen.roles:
        parts.insert(0, seen.roles[seat])
    if seen.broken[seat]:
        parts.append("broken: " + ", ".join(seen.broken[seat]))
    if seen.totals:
        parts.append(f"nuggets {seen.totals[seat]}")
    return f"{mark} {names[seat]}: " + " · ".join(parts)


def _ended(seen: VisibleState, names: Sequence[str]) -> list[str]:
    past = seen.past[-1]
    lines = [f"round won by {past.won_by}"]
    if any(seen.totals):
        lines.append("winners: " + ", ".join(names[seat] for seat in seen.winners))
    return lines
