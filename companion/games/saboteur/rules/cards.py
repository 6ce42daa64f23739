"""The deck: which cards there are, how many of each, and how each may lie on the table.

A path card is written as its open sides as it lies, in the order N E S W, with `x` at the end for
a dead end; it may be turned by half a turn only. The booklets give totals; the copies of each
shape are those on which most published implementations agree.
"""

from __future__ import annotations

from typing import Final, Literal, NewType

Card = NewType("Card", int)
"""A path card as it lies: the bits of its open sides, and `DEAD_END`."""
Kind = NewType("Kind", int)
"""Of cards that are counted together."""
Counts = NewType("Counts", int)
"""How many of each kind have been used in a round: three bits a kind."""
Tool = Literal["pickaxe", "lantern", "cart"]
GoalName = Literal["north", "middle", "south"]
Role = Literal["miner", "saboteur"]

N, E, S, W = 1, 2, 4, 8
SIDES: Final = 15
DEAD_END: Final = 16
"""The bit of a dead end, beside the four bits of the open sides."""

LETTERS: Final = ((N, "N"), (E, "E"), (S, "S"), (W, "W"))


def sides_text(sides: int) -> str:
    """
    >>> sides_text(N | S)
    'NS'
    """
    return "".join(letter for bit, letter in LETTERS if sides & bit)


def tools(bits: int) -> tuple[Tool, ...]:
    """
    >>> tools(5)
    ('pickaxe', 'cart')
    """
    return tuple(tool for tool in TOOLS if bits & TOOL_BITS[tool])


def half_turn(card: Card) -> Card:
    """The same card the other way up."""
    sides = card & SIDES
    return Card(card & DEAD_END | (sides << 2 | sides >> 2) & SIDES)


def _code(text: str) -> Card:
    sides = sum(bit for bit, letter in LETTERS if letter in text)
    return Card(sides | (DEAD_END if text.endswith("x") else 0))


TUNNEL_COPIES: Final = {
    "NESW": 5,
    "NES": 5,
    "NEW": 5,
    "NS": 4,
    "EW": 3,
    "NE": 5,
    "NW": 4,
    "NESWx": 1,
    "NESx": 1,
    "NEWx": 1,
    "NSx": 1,
    "EWx": 1,
    "NEx": 1,
    "NWx": 1,
    "Nx": 1,
    "Ex": 1,
}
STONES: Final = ("NE", "NW")
"""The two goals without treasure, one way up each."""
TREASURE: Final = "treasure"
START_CARD: Final = Card(N | E | S | W)

TOOLS: Final[tuple[Tool, ...]] = ("pickaxe", "lantern", "cart")
TOOL_BITS: Final[dict[Tool, int]] = {"pickaxe": 1, "lantern": 2, "cart": 4}
BREAK_COPIES: Final = 3
REPAIR_COPIES: Final = (0, 2, 2, 1, 2, 1, 1, 0)
"""By the bits of the tools on the card: two for each single tool, one for each pair."""
ROCKFALL_COPIES: Final = 3
MAP_COPIES: Final = 6

GOALS: Final[tuple[GoalName, ...]] = ("north", "middle", "south")

MINER: Final[Role] = "miner"
SABOTEUR: Final[Role] = "saboteur"
ROLES: Final[tuple[Role, ...]] = (MINER, SABOTEUR)
GOLD_COPIES: Final = {1: 16, 2: 8, 3: 4}
GOLD_CARDS: Final = tuple(value for value, copies in GOLD_COPIES.items() for _ in range(copies))

SEAT_COUNTS: Final = range(3, 11)
DWARVES: Final = {
    3: (1, 3),
    4: (1, 4),
    5: (2, 4),
    6: (2, 5),
    7: (3, 5),
    8: (3, 6),
    9: (3, 7),
    10: (4, 7),
}
"""Saboteurs and miners in the dwarf pile, by players: always one dwarf more than players."""
HANDS: Final = {3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4}
DECK: Final = 67
"""Tunnel and action cards."""

# Each kind of card that is counted has a number. No kind has more than six copies, so three bits
# hold how many of one have been used.

_COPIES: Final[list[int]] = []
KIND: Final[dict[str, Kind]] = {}
"""The kind of a tunnel card, by its text either way up."""
CODE: Final[dict[str, Card]] = {}
"""The bits of a tunnel card, by its text as it lies."""


def _new_kind(copies: int) -> Kind:
    _COPIES.append(copies)
    return Kind(len(_COPIES) - 1)


for _text, _copies in TUNNEL_COPIES.items():
    _kind = _new_kind(_copies)
    for _way in (_code(_text), half_turn(_code(_text))):
        _name = sides_text(_way) + ("x" if _way & DEAD_END else "")
        KIND[_name] = _kind
        CODE[_name] = _way

TEXT: Final = {code: text for text, code in CODE.items()}

BREAK_KIND: Final = {tool: _new_kind(BREAK_COPIES) for tool in TOOLS}
REPAIR_KIND: Final = {bits: _new_kind(n) for bits, n in enumerate(REPAIR_COPIES) if n}
ROCKFALL_KIND: Final = _new_kind(ROCKFALL_COPIES)
MAP_KIND: Final = _new_kind(MAP_COPIES)
_STONE_NUMBERS: Final = {_code(stone): _new_kind(1) for stone in STONES}
STONE_KIND: Final = {
    TEXT[way]: kind for code, kind in _STONE_NUMBERS.items() for way in (code, half_turn(code))
}
"""The kind of a stone, by its text as it lies."""
COPIES: Final = tuple(_COPIES)
NONE_USED: Final = Counts(0)


def used(counts: Counts, kind: Kind) -> int:
    return counts >> 3 * kind & 7


def copies_left(counts: Counts, kind: Kind) -> int:
    return COPIES[kind] - used(counts, kind)


def use(counts: Counts, kind: Kind) -> Counts:
    """The counts after one more card of this kind."""
    return Counts(counts + (1 << 3 * kind))
