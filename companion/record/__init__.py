"""Game records: text that a person can write, another program can check, and we can judge.

`read` steps through a record, `verdicts` judges it. Both take lines or larger chunks of bytes, from
anywhere, and the games that there are.

>>> from companion.games import GAMES
>>> from companion.games.saboteur.rules.decide import legal
>>> from companion.record import read
>>> record = [
...     b'{"game": "saboteur", "edition": "lv-2009", "seats": ["Anna", "Bert", "Carl"], ',
...     b'"starter": "Anna", "gold": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ',
...     b'2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3]}\\n',
...     b'{"play": "deal", "roles": ["miner", "saboteur", "miner"]}\\n',
...     b'{"by": "Anna", "play": "path", "card": "NS", "at": [1, 0]}\\n',
...     b'{"by": "Anna", "play": "path", "card": "ESW", "at": [1, 0]}\\n',
... ]
>>> for step in read(record, GAMES):
...     print(step.line, step.verdict and step.verdict.fields)
1 None
2 {'ok': True, 'round': 1, 'pile': 49, 'turn': 'Anna'}
3 {'ok': False, 'reason': 'edge_mismatch', 'sides': 'W'}
4 {'ok': True, 'round': 1, 'pile': 48, 'turn': 'Bert'}
>>> legal(step.state)[2, 0][:4]
('NESW', 'NSW', 'NEW', 'ESW')
>>> print(step.game.draw(step.state, step.names))
lv-2009 · round 1/3
                             ┌─┐
   2  ·  ·  ·  ·  ·  ·  ·  · │?│
                             └─┘
<BLANKLINE>
   1  ·  ·  ·  ·  ·  ·  ·  ·  ·
<BLANKLINE>
      │                      ┌─┐
   0 ─S──┬─ ·  ·  ·  ·  ·  · │?│
      │  │                   └─┘
<BLANKLINE>
  -1  ·  ·  ·  ·  ·  ·  ·  ·  ·
<BLANKLINE>
                             ┌─┐
  -2  ·  ·  ·  ·  ·  ·  ·  · │?│
                             └─┘
      0  1  2  3  4  5  6  7  8
<BLANKLINE>
  Anna: hand 6 · gold cards 0
→ Bert: hand 6 · gold cards 0
  Carl: hand 6 · gold cards 0
draw pile: 48 · gold pile: 28
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.games.game import AnyGame
from companion.record.jsonl import lines_of, parse
from companion.record.judge import Judge, Verdict, verdicts
from companion.values import Value

__all__ = [
    "RecordStep",
    "Verdict",
    "read",
    "verdicts",
]


class RecordStep(Value, frozen=True):
    """The game after a line of a record."""

    line: int
    verdict: Verdict | None
    """None for an accepted header."""
    game: AnyGame | None
    """The game that is on."""
    names: tuple[str, ...]
    """The seats, clockwise; empty while no game is on."""
    state: Any
    """The game's own state."""
    events: tuple[Any, ...]
    """The game's own: what a play led to."""


def read(chunks: Iterable[bytes], games: Mapping[str, AnyGame]) -> Iterator[RecordStep]:
    """Judge a record and stop after every line that is not blank."""
    judge = Judge(games)
    for number, line in lines_of(chunks):
        verdict = judge.line(parse(line))
        yield RecordStep(number, verdict, judge.game, judge.names, judge.state, judge.events)
