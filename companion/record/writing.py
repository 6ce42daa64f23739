"""A game as the lines of a record; judging them gives the same game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from companion.games.fields import Fields
from companion.games.game import AnyGame
from companion.record.fair import Proof
from companion.record.jsonl import in_one_line

DEAL: Final = "deal"
"""The play that deals a round, in every game where the program deals."""


def record_lines(
    game: AnyGame,
    names: Sequence[str],
    state: Any,
    plays: Iterable[Any],
    proofs: Sequence[Proof] = (),
) -> Iterator[str]:
    """The lines, each with its line feed, of a game from `state`, before its first play.

    `proofs`: of what is drawn once, then of each deal; they stand in further fields, which no
    referee minds.

    >>> from companion.games.trains import GAME
    >>> from companion.games.trains.rules.model import Use
    >>> state = GAME.new(2, 0, "et-2015", None)
    >>> for line in record_lines(GAME, ["A", "B"], state, [Use(1, "protect", 4)]):
    ...     print(line, end="")
    {"game": "trains", "seats": ["A", "B"], "starter": "A"}
    {"by": "B", "play": "use", "ability": "protect", "at": "middle"}
    """
    left = iter(proofs)
    header = {"game": game.name, **game.header_fields(state, names)}
    yield in_one_line(header | _proved(next(left, None), names)) + "\n"
    for play in plays:
        fields = game.play_fields(play, names)
        proof = next(left, None) if game.deals_secrets and fields["play"] == DEAL else None
        yield in_one_line(fields | _proved(proof, names)) + "\n"


def _proved(proof: Proof | None, names: Sequence[str]) -> Fields:
    return {"fair": proof.fields(names)} if proof is not None and proof.proves else {}
