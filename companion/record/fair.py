"""How a deal is drawn so that anybody can check it; the algorithm of ``docs/fair-deal.md``.

Before a deal the server shows the commitment to a secret, and each phone seals a share: it sends
the hash alone. When the list of seals is fixed, the phones open their shares. What is dealt is
drawn from the secret and the shares together. So nobody can choose it: no phone knows the secret,
and who knows the secret is bound before any share can be known.

A *share* is 16 random bytes as 32 hexadecimal digits in small letters; a *secret* is 32 bytes.
Older deals had no seals: their phones sent the shares at once (`UNSEALED`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from companion.games.fields import PlayerIndex, by_player
from companion.values import Value

METHOD: Final = "companion-fair-2"
"""The name of the algorithm below; it is in every proof and in the texts that are hashed."""

UNSEALED: Final = "companion-fair-1"
"""That of older deals. The commitment is still made by it, so that one which was shown before the
program was renewed stays what it was."""

WHOLE_GAME: Final = 0
"""The round of a lot that is drawn once a game, as Saboteur's gold is: hence its name in what is
hashed."""

NO_SHARE: Final = "none"
"""Placeholder for a share or a seal where there is none; it is not hexadecimal."""

Shares = tuple[str | None, ...]
"""One a player, clockwise from the first seat; None where the phone sent none."""

Seals = tuple[str | None, ...]
"""Of the shares, in the same order."""

_SHARE: Final = re.compile(r"[0-9a-f]{32}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Lot(Value, frozen=True):
    """Everything that one deal is drawn from."""

    game: int
    """Of those at the table, from 1."""
    round: int
    """From 1; `WHOLE_GAME` for what is drawn once."""
    secret: bytes
    players: tuple[str, ...]
    shares: Shares
    seals: Seals | None = None
    """None: an older deal."""

    @property
    def method(self) -> str:
        return UNSEALED if self.seals is None else METHOD


class Proof(Value, frozen=True):
    """The public part of a deal: its commitment from the beginning, the rest when it is over."""

    game: int
    round: int
    commitment: str
    dealt: bool = False
    secret: bytes | None = None
    """None while it is to be kept, or where there is nothing to prove."""
    shares: Shares | None = None
    seals: Seals | None = None
    withheld: tuple[PlayerIndex, ...] = ()
    """The players whose phones sealed a share and did not open it."""

    @property
    def proves(self) -> bool:
        return self.secret is not None and self.shares is not None

    def fields(self, players: Sequence[str]) -> dict[str, Any]:
        """The field `fair` of a record: in its header for what is drawn once, in a deal's
        line for a round."""
        assert self.secret is not None
        assert self.shares is not None
        place = {"game": self.game} | ({} if self.round == WHOLE_GAME else {"round": self.round})
        lot = Lot(self.game, self.round, self.secret, tuple(players), self.shares, self.seals)
        return {
            "method": lot.method,
            **place,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            **({} if self.seals is None else {"seals": list(self.seals)}),
            "shares": list(self.shares),
            "seed": seed(lot).hex(),
        }


def is_share(text: object) -> bool:
    return type(text) is str and _SHARE.fullmatch(text) is not None


def is_digest(text: object) -> bool:
    """32 bytes in hexadecimal: a commitment, a secret, a seal, a seed."""
    return type(text) is str and _DIGEST.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether a name fits on a line: no control characters, and UTF-8 can hold it."""
    return _CONTROL.search(text) is None


def commitment(game: int, round_: int, secret: bytes) -> str:
    """The hash that is shown before the deal: it reveals nothing of the secret and fits no other.

    >>> commitment(1, WHOLE_GAME, bytes(32))[:16]
    '0fb2f69ad0c6d28e'
    """
    return _hash(f"{UNSEALED} commitment", *_place(game, round_, secret)).hex()


def seal(commitment: str, share: str) -> str:
    """The hash that a phone sends before the deal: it fits no other share, and no other deal.

    >>> seal("0" * 64, "0" * 32)[:16]
    '9041676197feecb8'
    """
    return _hash(f"{METHOD} seal", f"commitment {commitment}", f"share {share}").hex()


def withheld(seals: Seals | None, shares: Shares) -> tuple[PlayerIndex, ...]:
    """The players whose phones sealed a share and did not open it.

    >>> withheld(("a", None, "b"), ("c", None, None))
    (2,)
    """
    pairs = by_player(zip(seals or (), shares, strict=False))
    return tuple(player for player, (sealed, share) in pairs if sealed and not share)


def seed(lot: Lot) -> bytes:
    """The 32 bytes that all chance of a deal comes from."""
    lines = [f"players {len(lot.players)}"]
    seals = lot.seals or (None,) * len(lot.players)
    for name, share, sealed in zip(lot.players, lot.shares, seals, strict=True):
        if not is_name(name):
            raise ValueError("a name with control characters has no line of its own")
        first = "" if lot.seals is None else f"seal {sealed or NO_SHARE} "
        lines.append(f"{first}share {share or NO_SHARE} {name}")
    return _hash(f"{lot.method} draw", *_place(lot.game, lot.round, lot.secret), *lines)


def _place(game: int, round_: int, secret: bytes) -> tuple[str, ...]:
    what = "gold" if round_ == WHOLE_GAME else f"round {round_}"
    return f"game {game}", f"deal {what}", f"secret {secret.hex()}"


def _hash(*lines: str) -> bytes:
    """Of a text with a line feed at the end of each line, the last one too."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def numbers(seed: bytes) -> Iterator[int]:
    """Bytes without end, as numbers: SHA-256 of the seed and a count, one after the other."""
    block = 0
    while True:
        yield from hashlib.sha256(seed + block.to_bytes(4, "big")).digest()
        block += 1


class SeededShuffle:
    """The rules' `Chance`: each shuffle goes on with the bytes that the last one has left."""

    def __init__(self, seed: bytes) -> None:
        self._numbers = numbers(seed)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely: bytes that would favour some are skipped.

        `n` is from 1 to 256.
        """
        limit = 256 - 256 % n
        while True:
            byte = next(self._numbers)
            if byte < limit:
                return byte % n

    def shuffle(self, x: list[Any], /) -> None:
        """Fisher and Yates, from the last place to the second, in Durstenfeld's form."""
        for last in range(len(x) - 1, 0, -1):
            other = self.below(last + 1)
            x[last], x[other] = x[other], x[last]


def drawn(lot: Lot) -> SeededShuffle:
    """The chance of a deal; anybody who knows the lot gets the same."""
    return SeededShuffle(seed(lot))
