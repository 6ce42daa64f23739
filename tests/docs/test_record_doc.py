"""docs/record.md tells the record as the program reads and writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from companion import record
from companion.games import GAMES
from companion.games.saboteur.rules.cards import COPIES, KIND
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.trains.rules.abilities import ABILITIES
from companion.record import fair
from companion.record.judge import Judge
from companion.record.verify import Found, findings
from tests.docs.record import reasons, section
from tests.docs.sections import DOCS

TEXT = (DOCS / "record.md").read_text(encoding="utf-8")
ARROW = "→ "
HEADINGS = {"saboteur": "## Saboteur", "trains": "## The Game of Trains"}

Line = dict[str, Any]


def part(game: str) -> str:
    """What the document says of one game."""
    return re.split(r"^## ", TEXT.partition(HEADINGS[game] + "\n")[2], flags=re.M)[0]


def examples(text: str) -> list[tuple[str, list[Line]]]:
    """Each example: a record, and the verdicts that are shown for it."""
    found = []
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.M | re.S):
        if language:
            continue
        lines = block.splitlines()
        said = [json.loads(line[len(ARROW) :]) for line in lines if line.startswith(ARROW)]
        rest = "".join(f"{line}\n" for line in lines if not line.startswith(ARROW))
        found.append((rest, said))
    return found


def judged(text: str) -> list[Line]:
    return list(record.verdicts([text.encode()], GAMES))


def table(text: str, *, first: str) -> dict[str, str]:
    """The rows of the table whose head begins so: its first cell, and the rest."""
    rows = text.partition(f"| {first} |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split(" | ", 1)] for row in rows]
    return {cell[0].strip("`"): cell[1] for cell in cells}


def codes(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


def steps(game: str) -> Iterator[tuple[list[str], Line]]:
    """The lines of the game's examples that are accepted, each with those before it."""
    for text, _ in examples(part(game)):
        lines = text.splitlines()
        refused = {verdict["line"] for verdict in judged(text) if not verdict["ok"]}
        for number, line in enumerate(lines[1:], 2):
            if number not in refused:
                yield lines[: number - 1], json.loads(line)


def known(game: str) -> dict[str, list[str]]:
    """The game's reasons, each with the further fields of a verdict."""
    return {reason.code: list(reason.recorded) for reason in reasons(game)}


def last(lines: list[str], line: Line) -> Line:
    """The verdict on a line after others."""
    return judged("".join(f"{each}\n" for each in [*lines, json.dumps(line)]))[-1]


# The examples


@pytest.mark.parametrize("example", examples(TEXT), ids=lambda example: example[0][:40])
def test_examples_are_judged_as_they_say(example: tuple[str, list[Line]]) -> None:
    text, said = example
    assert judged(text) == said
    assert [list(each) for each in judged(text)] == [list(each) for each in said]


@pytest.mark.parametrize("game", HEADINGS)
def test_every_play_is_shown(game: str) -> None:
    shown = {line["play"] for _, line in steps(game)}
    assert shown == set(table(part(game), first="play"))


# The tables of fields


@pytest.mark.parametrize("game", HEADINGS)
def test_the_first_bad_field_of_a_play_is_named_in_the_order_of_the_table(game: str) -> None:
    plays = table(part(game), first="play")
    for before, line in steps(game):
        told = plays[line["play"]].split("; `")
        fields = [re.match(r"`?(\w+)`", each)[1] for each in told if each.strip("|")]  # type: ignore[index]
        optional = {name for name, each in zip(fields, told, strict=False) if "left out" in each}
        if line.get("ability", "").startswith("remove_") and line["play"] == "use":
            fields.remove("at")
        names = ["play", *(["by"] if "by" in line else []), *fields]
        assert set(line) - {"fair"} <= set(names)
        for number, name in enumerate(names):
            bad = line | {each: {} for each in names[number:]}
            assert last(before, bad) == said_of(before, name), line
            missing = {key: value for key, value in line.items() if key != name}
            if name not in optional:
                assert last(before, missing) == said_of(before, name), line


def said_of(before: list[str], field: str) -> Line:
    return {"line": len(before) + 1, "ok": False, "reason": "malformed", "field": field}


@pytest.mark.parametrize("game", HEADINGS)
def test_the_first_bad_field_of_a_header_is_named_in_the_order_of_the_table(game: str) -> None:
    header = json.loads(examples(part(game))[0][0].splitlines()[0])
    names = list(table(part(game), first="field"))
    assert list(header) == names
    for number, name in enumerate(names):
        bad = header | dict.fromkeys(names[number:])
        assert last([], bad) == said_of([], name)


def test_every_field_of_a_verdict_is_told() -> None:
    for game in HEADINGS:
        told = set(table(part(game).partition("### Accepted plays")[2], first="field"))
        accepted = [said for text, _ in examples(part(game)) for said in judged(text)]
        accepted = [said for said in accepted if said["ok"]]
        seen = {"line", "ok"}
        for said in accepted:
            over = (said.get(name, {}) for name in ("round_over", "game_over"))
            for each in (said, *over):
                seen |= set(each)
        # The example of trains is not played to its end.
        assert seen - {"line", "ok"} | ({"game_over", "winner"} & told) == told


def test_every_field_of_a_proof_is_told() -> None:
    proof = fair.Proof(1, 1, "", True, bytes(32), (None,) * 3, (None,) * 3)
    assert list(table(TEXT, first="field of `fair`")) == list(proof.fields(("A", "B", "C")))


def test_the_proofs_of_the_example_agree() -> None:
    text, _ = examples(TEXT)[-1]
    assert [finding.code for finding in findings([text.encode()], GAMES)] == [
        Found.AGREES,
        Found.AGREES,
    ]


# The reasons


@pytest.mark.parametrize("game", HEADINGS)
def test_the_order_of_checks_names_every_reason_of_the_game_and_no_other(game: str) -> None:
    order = part(game).partition("### Order of checks")[2]
    told = {code for row in table(order, first="play").values() for code in codes(row)}
    every = set(codes(TEXT.partition("## The order of checks")[2].partition("\n\nIn check 3")[0]))
    assert told == set(known(game)) - every
    assert every - set(known(game)) == {"malformed", "no_game", "field"}
    assert table(order, first="play").keys() == table(part(game), first="play").keys()


@pytest.mark.parametrize("game", HEADINGS)
def test_the_program_refuses_a_play_only_for_the_reasons_of_its_row(game: str) -> None:
    """Every play that is shown, with fields of the others, at every point of the examples."""
    order = table(part(game).partition("### Order of checks")[2], first="play")
    shown = [line for _, line in steps(game)]
    lines = [
        one | {field: other[field]}
        for one, other in product(shown, shown)
        for field in (one.keys() & other.keys()) - {"play"}
    ]
    found = set()
    for before, _ in steps(game):
        judge = Judge(GAMES)
        for line in before:
            judge.line(json.loads(line))
        state = judge.state
        for line in lines:
            judge.state = state
            verdict = judge.line(line)
            said = verdict.fields if verdict is not None else {"ok": True}
            if said["ok"] or said["reason"] in ("malformed", "game_over"):
                continue
            reason = said["reason"]
            found.add(reason)
            assert reason in codes(order[line["play"]])
            assert list(said)[2:] == known(game)[reason]
    assert len(found) > 5


def test_a_row_of_six_is_malformed() -> None:
    before, deal = next(steps("trains"))
    assert last(before, deal | {"row": deal["row"][1:]}) == said_of(before, "row")


def test_every_game_has_its_part() -> None:
    assert set(HEADINGS) == set(GAMES)
    assert section().count("### Reasons of") == len(HEADINGS)


# What the rules know


def test_the_editions() -> None:
    assert re.findall(r'"([\w-]+)"', table(part("saboteur"), first="field")["edition"]) == list(
        EDITIONS
    )


def test_the_cards() -> None:
    rows = re.findall(r"^\| (?:(`.*?`) \| (\d) |\| )\| (`.*?`) \| (\d) \|$", TEXT, flags=re.M)
    told = [(codes(row[at]), int(row[at + 1])) for row, at in product(rows, (0, 2)) if row[at]]
    ways: dict[int, list[str]] = {}
    for card, kind in KIND.items():
        ways.setdefault(kind, []).append(card)
    deck = [(cards, COPIES[kind]) for kind, cards in ways.items()]
    assert sorted(told) == sorted(deck)


def test_the_abilities() -> None:
    sentence = part("trains").partition("An ability is one of")[2].partition(".\n")[0]
    assert sorted(codes(sentence)) == sorted(ABILITIES)
