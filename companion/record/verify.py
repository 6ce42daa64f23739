"""Checks the deals of a record: each is drawn again from the numbers of its proof.

The field `fair` of a game's header is the proof of what is drawn once, that of a deal's line of a
round: ``method``, ``game``, ``round`` (not in a header), ``commitment``, ``secret``, ``seals`` (not
in older ones), ``shares`` and ``seed``. A line that the referee refuses is a finding too, since
only accepted deals count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec.structs import replace

from companion.games.fields import Fields, PlayerIndex
from companion.games.game import AnyGame, Rejection
from companion.record import fair
from companion.record.jsonl import lines_of, parse
from companion.record.judge import Judge
from companion.record.writing import DEAL
from companion.values import Value

GAMES_MAX: Final = 10**9


class Found(StrEnum):
    """What a finding says."""

    AGREES = "agrees"
    AGREES_UNSEALED = "agrees_unsealed"
    """By the older method, in which whoever ran the program could choose."""
    NO_PROOF = "no_proof"
    UNKNOWN_METHOD = "unknown_method"
    OTHER_DEAL = "other_deal"
    BAD_FIELD = "bad_field"
    BAD_COMMITMENT = "bad_commitment"
    BAD_SEAL = "bad_seal"
    OTHER_NUMBERS = "other_numbers"
    OTHER_CARDS = "other_cards"
    NOT_LEGAL = "not_legal"
    """The referee refuses the line."""
    NOTHING_DEALT = "nothing_dealt"
    NO_GAME = "no_game"


class ProofFinding(Value, frozen=True):
    line: int
    code: Found
    round: int | None = None
    """`fair.WHOLE_GAME` for what is drawn once a game; None where it is not about a deal."""
    commitment: str = ""
    field: str = ""
    game: AnyGame | None = None
    rejection: Rejection | None = None
    """The referee's, of a line that is not legal."""
    withheld: tuple[str, ...] = ()
    """Players whose phones sealed a number and did not open it."""
    given: tuple[str, ...] | None = None
    """Players whose numbers are in the deal; None where it was not drawn again."""

    @property
    def good(self) -> bool:
        return self.code == Found.AGREES


def findings(chunks: Iterable[bytes], games: Mapping[str, AnyGame]) -> Iterator[ProofFinding]:
    """One for each deal, and for each line that is refused; one if there is no game at all."""
    judge = Judge(games)
    number_of_game = 0  # the one that the first proof gives, which the others must have too
    dealt = 0
    found = False
    for number, line in lines_of(chunks):
        fields, before = parse(line), judge.state
        verdict = judge.line(fields)
        if verdict is None:
            assert fields is not None
            found = True
            number_of_game, dealt = _number(fields.get("fair")), 0
            yield replace(_header(number, fields, judge, number_of_game), game=judge.game)
        elif verdict.rejection is not None:
            found = True
            why = verdict.rejection
            yield ProofFinding(number, Found.NOT_LEGAL, game=judge.game, rejection=why)
        elif _is_deal(fields, judge.game):
            assert fields is not None
            dealt += 1
            number_of_game = number_of_game or _number(fields.get("fair"))
            finding = _deal(number, dealt, fields, judge, before, number_of_game)
            yield replace(finding, game=judge.game)
    if not found:
        yield ProofFinding(1, Found.NO_GAME)


def _number(proof: Any) -> int:
    number = proof.get("game") if type(proof) is dict else None
    return number if type(number) is int else 0


def _is_deal(fields: Fields | None, game: AnyGame | None) -> bool:
    return bool(game and game.deals_secrets and fields and fields.get("play") == DEAL)


def _header(line: int, fields: Fields, judge: Judge, number_of_game: int) -> ProofFinding:
    game, names = judge.game, judge.names
    assert game is not None
    if not game.deals_secrets:
        return ProofFinding(line, Found.NOTHING_DEALT)
    lot = _lot(line, fair.WHOLE_GAME, fields, names, number_of_game)
    if isinstance(lot, ProofFinding):
        return lot
    edition = fields.get("edition", next(iter(game.editions)))
    starter = PlayerIndex(names.index(fields["starter"]))
    drawn = game.new(len(names), starter, edition, fair.drawn(lot))
    return _compared(line, lot, drawn == judge.state)


def _deal(
    line: int, round_: int, fields: Fields, judge: Judge, before: Any, number_of_game: int
) -> ProofFinding:
    """`before`: the state that the judge had before this line."""
    game = judge.game
    assert game is not None
    assert game.deal is not None
    lot = _lot(line, round_, fields, judge.names, number_of_game)
    if isinstance(lot, ProofFinding):
        return lot
    drawn = game.play_fields(game.deal(before, fair.drawn(lot)), judge.names)
    return _compared(line, lot, all(fields[name] == value for name, value in drawn.items()))


def _compared(line: int, lot: fair.Lot, same: bool) -> ProofFinding:
    commitment = fair.commitment(lot.game, lot.round, lot.secret)
    late = tuple(lot.players[index] for index in fair.withheld(lot.seals, lot.shares))
    agrees = Found.AGREES if lot.seals is not None else Found.AGREES_UNSEALED
    code = agrees if same else Found.OTHER_CARDS
    given = tuple(
        player for player, share in zip(lot.players, lot.shares, strict=True) if share is not None
    )
    return ProofFinding(line, code, lot.round, commitment, withheld=late, given=given)


def _lot(
    line: int, round_: int, fields: Fields, players: tuple[str, ...], game: int
) -> fair.Lot | ProofFinding:
    """What the deal on this line is drawn from, as its proof says; or what is wrong with that."""
    if "fair" not in fields:
        return ProofFinding(line, Found.NO_PROOF, round_)
    proof = fields["fair"]
    if type(proof) is not dict:
        return ProofFinding(line, Found.BAD_FIELD, round_, field="fair")
    if proof.get("method") not in (fair.METHOD, fair.UNSEALED):
        return ProofFinding(line, Found.UNKNOWN_METHOD, round_)
    if not 0 < game < GAMES_MAX:
        return ProofFinding(line, Found.BAD_FIELD, round_, field="game")
    if (_number(proof), proof.get("round")) != (game, round_ or None):
        return ProofFinding(line, Found.OTHER_DEAL, round_)
    wrong = _wrong(proof, players)
    if wrong:
        return ProofFinding(line, Found.BAD_FIELD, round_, field=wrong)
    secret = bytes.fromhex(proof["secret"])
    if fair.commitment(game, round_, secret) != proof["commitment"]:
        return ProofFinding(line, Found.BAD_COMMITMENT, round_, proof["commitment"])
    shares = tuple(proof["shares"])
    seals = tuple(proof["seals"]) if proof["method"] == fair.METHOD else None
    lot = fair.Lot(game, round_, secret, players, shares, seals)
    for seal, share in zip(seals or (), shares, strict=False):
        if share and seal != fair.seal(proof["commitment"], share):
            return ProofFinding(line, Found.BAD_SEAL, round_, proof["commitment"])
    if fair.seed(lot).hex() != proof["seed"]:
        return ProofFinding(line, Found.OTHER_NUMBERS, round_, proof["commitment"])
    return lot


def _wrong(proof: Fields, players: tuple[str, ...]) -> str:
    """The first field that cannot be one of a proof."""
    for field in ("commitment", "secret", "seed"):
        if not fair.is_digest(proof.get(field)):
            return field
    lists = {"seals": fair.is_digest, "shares": fair.is_share}
    if proof["method"] == fair.UNSEALED:
        del lists["seals"]
    for field, fits in lists.items():
        numbers = proof.get(field)
        if type(numbers) is not list or len(numbers) != len(players):
            return field
        if not all(number is None or fits(number) for number in numbers):
            return field
    return "" if all(map(fair.is_name, players)) else "seats"
