"""The algorithm as `docs/fair-deal.md` tells it, written again from its words alone."""

from __future__ import annotations

import hashlib
import re
from itertools import count
from pathlib import Path

import pytest

from companion.games.saboteur import GAME
from companion.games.saboteur.rules.cards import DWARVES, GOLD_CARDS
from companion.record import fair

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "fair-deal.md").read_text(encoding="utf-8")
EXAMPLE = TEXT.partition("## An example")[2]
DRAW = re.findall(r"```\n(.*?)```", EXAMPLE, re.S)[0]
ROLES, GOLD = EXAMPLE.split("The gold of the same game")


def number(part: str, name: str) -> str:
    found = re.search(rf"- {name} `([0-9a-f ]+)`", part)
    assert found is not None
    return found[1]


def shuffled(seed: bytes, cards: list[str]) -> list[str]:
    """As the document says, with nothing of the program."""
    stream = (
        byte
        for block in count()
        for byte in hashlib.sha256(seed + block.to_bytes(4, "big")).digest()
    )
    for i in range(len(cards) - 1, 0, -1):
        n = i + 1
        byte = next(one for one in stream if one < 256 - 256 % n)
        j = byte % n
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def lot(round_: int) -> fair.Lot:
    secret = bytes.fromhex(re.search(r"secret (\w+)", DRAW)[1])  # type: ignore[index]
    lines = re.findall(r"seal \w+ share (\w+) (\w+)", DRAW)
    shares = tuple(None if share == fair.NO_SHARE else share for share, _ in lines)
    promised = fair.commitment(1, round_, secret)
    held_back = re.search(r"it was `(\w+)`", EXAMPLE)[1]  # type: ignore[index]
    seals = (fair.seal(promised, shares[0] or ""), fair.seal(promised, held_back), None)
    return fair.Lot(1, round_, secret, tuple(name for _, name in lines), shares, seals)


def test_the_seals_of_the_example() -> None:
    """Written again from the document: the hash of three lines."""
    shares = {"Anna": lot(3).shares[0], "Bert": re.search(r"it was `(\w+)`", EXAMPLE)[1]}  # type: ignore[index]
    for round_, part in ((3, DRAW), (fair.WHOLE_GAME, GOLD)):
        promised = number(GOLD if part is GOLD else ROLES, "commitment")
        for share in shares.values():
            lines = f"companion-fair-2 seal\ncommitment {promised}\nshare {share}\n"
            sealed = hashlib.sha256(lines.encode()).hexdigest()
            assert sealed in part
            assert sealed in (lot(round_).seals or ())
    assert {
        line.split()[1] for line in TEXT.splitlines() if line.startswith("companion-fair-2")
    } == {
        "seal",
        "draw",
    }


def test_a_share_held_back_is_one_bit() -> None:
    """ "From 1 in 15 to 1 in 8": of two deals by chance, one or the other suits."""
    found = re.search(r"from 1 in (\d+)\s+to 1 in (\d+)", TEXT)
    assert found is not None
    deals = int(found[1])
    assert round(1 / (1 - (1 - 1 / deals) ** 2)) == int(found[2])


@pytest.mark.parametrize(("part", "round_"), [(ROLES, 3), (GOLD, fair.WHOLE_GAME)])
def test_the_numbers_of_the_example(part: str, round_: int) -> None:
    of = lot(round_)
    text = DRAW if round_ else DRAW.replace("round 3", "gold")
    for old, new in zip(lot(3).seals or (), of.seals or (), strict=True):
        text = text.replace(old or "-", new or "-")
    assert hashlib.sha256(text.encode()).hexdigest() == number(part, "seed") == fair.seed(of).hex()
    promise = "\n".join(text.splitlines()[:4]).replace("2 draw", "1 commitment") + "\n"
    committed = hashlib.sha256(promise.encode()).hexdigest()
    assert committed == number(part, "commitment")
    assert committed == fair.commitment(of.game, round_, of.secret)


def test_the_roles_of_the_example() -> None:
    seed = bytes.fromhex(number(ROLES, "seed"))
    first = hashlib.sha256(seed + bytes(4)).digest()[:3]
    assert first == bytes.fromhex(number(ROLES, "first bytes"))
    before = re.search(r"pile before: ([\w, ]+)", ROLES)
    after = re.search(r"pile after: ([\w, ]+):", ROLES)
    assert before is not None
    assert after is not None
    pile = shuffled(seed, re.findall(r"miner|saboteur", before[1]))
    assert pile == after[1].split(", ")
    state = GAME.new(3, 0, "en", fair.drawn(lot(fair.WHOLE_GAME)))
    assert list(GAME.deal(state, fair.drawn(lot(3))).roles) == pile[:3]


def test_the_gold_of_the_example() -> None:
    cards = list(map(str, GOLD_CARDS))
    assert cards == ["1"] * 16 + ["2"] * 8 + ["3"] * 4
    told = re.findall(r"\d", GOLD.partition("- gold ")[2].partition("\n\n")[0])
    assert shuffled(bytes.fromhex(number(GOLD, "seed")), cards) == told
    state = GAME.new(3, 0, "en", fair.drawn(lot(fair.WHOLE_GAME)))
    assert list(map(str, state.gold)) == told


def test_the_dwarf_pile_is_the_rules() -> None:
    rows = dict(re.findall(r"\| (players|saboteurs|gold diggers) \|([ \d|]+)\|", TEXT))
    table = {name: [int(one) for one in row.split("|")] for name, row in rows.items()}
    told = zip(table["players"], table["saboteurs"], table["gold diggers"], strict=True)
    assert {seats: (bad, good) for seats, bad, good in told} == dict(DWARVES)


def test_every_field_of_a_proof_is_told() -> None:
    fields = fair.Proof(1, 1, "", True, bytes(32), (None,) * 3, (None,) * 3).fields(("A", "B", "C"))
    told = re.findall(r"^\| `(\w+)` \|", TEXT, re.M)
    assert list(fields) == told
    assert fair.METHOD in TEXT
