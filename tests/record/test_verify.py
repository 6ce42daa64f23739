"""What `companion verify` finds: deals as they were drawn, and whatever was changed since."""

from __future__ import annotations

import json
from collections.abc import Callable
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion import catalogues, languages
from companion.cli import main
from companion.games import GAMES
from companion.games.saboteur import GAME
from companion.games.saboteur.rules.model import Play, Result
from companion.record import fair, verdicts
from companion.record.verify import Found, ProofFinding, findings
from companion.record.verify_texts import SENTENCES, sentence
from companion.record.writing import record_lines

PLAYERS = ("Anna", "Šarūnas", "Ülle", "Žanna")
SHARES = ("0123456789abcdef" * 2, None, None, "f" * 32)
"""The second phone added none; the third one sealed one, and did not open it."""

Fields = dict[str, Any]


def lot(round_: int, game: int = 1, sealed: bool = True) -> fair.Lot:
    secret = bytes([game, round_]) * 16
    if not sealed:
        return fair.Lot(game, round_, secret, PLAYERS, SHARES)
    promised = fair.commitment(game, round_, secret)
    seals = tuple(share and fair.seal(promised, share) for share in SHARES)
    late = fair.seal(promised, "0" * 32)
    return fair.Lot(game, round_, secret, PLAYERS, SHARES, (*seals[:2], late, seals[3]))


def played(game: int = 1, sealed: bool = True) -> list[Fields]:
    """The lines of a game of three rounds, each told at once, with the proofs of its deals."""
    state = GAME.new(len(PLAYERS), 0, "lv-2009", fair.drawn(lot(fair.WHOLE_GAME, game, sealed)))
    start = state
    plays: list[Play] = []
    while not state.over:
        for play in (
            GAME.deal(state, fair.drawn(lot(state.round + 1, game, sealed))),
            Result(0, None, 2),
        ):
            plays.append(play)
            for event in GAME.decide(state, play):  # type: ignore[union-attr]
                state = GAME.evolve(state, event)
    proofs = []
    for round_ in range(4):
        of = lot(round_, game, sealed)
        commitment = fair.commitment(game, round_, of.secret)
        proofs.append(fair.Proof(game, round_, commitment, True, of.secret, SHARES, of.seals))
    lines = record_lines(GAME, PLAYERS, start, plays, proofs)
    return [json.loads(line) for line in lines]


def text(lines: list[Fields]) -> bytes:
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def codes(lines: list[Fields]) -> list[str]:
    return [finding.code for finding in findings([text(lines)], GAMES)]


RECORD = played()
DEALS = (1, 3, 5)
"""The lines of the deals, from 0."""


def test_every_deal_agrees_and_no_referee_minds_the_proof() -> None:
    found = list(findings([text(RECORD)], GAMES))
    assert [(one.line, one.round, one.code) for one in found] == [
        (1, fair.WHOLE_GAME, Found.AGREES),
        (2, 1, Found.AGREES),
        (4, 2, Found.AGREES),
        (6, 3, Found.AGREES),
    ]
    assert [one.commitment for one in found] == [
        fair.commitment(1, round_, lot(round_).secret) for round_ in range(4)
    ]
    assert all(verdict["ok"] for verdict in verdicts([text(RECORD)], GAMES))
    plain = [{key: line[key] for key in line if key != "fair"} for line in RECORD]
    assert list(verdicts([text(plain)], GAMES)) == list(verdicts([text(RECORD)], GAMES))


def test_who_did_not_open_a_number_is_named() -> None:
    assert {one.withheld for one in findings([text(RECORD)], GAMES)} == {("Ülle",)}
    said = sentence(NullTranslations(), next(findings([text(RECORD)], GAMES)))
    assert "Sealed, but not opened in time, and so left out: Ülle" in said


def test_it_is_told_whose_numbers_are_in_a_deal() -> None:
    """Where nobody's is, it proves nothing to anybody."""
    found = next(findings([text(RECORD)], GAMES))
    assert found.given == ("Anna", "Žanna")
    assert "Numbers in it of: Anna, Žanna" in sentence(NullTranslations(), found)
    alone = ProofFinding(1, Found.AGREES, given=())
    said = sentence(NullTranslations(), alone)
    assert "No player’s number is in it: whoever ran the program could have chosen it." in said


def test_a_record_of_an_older_program_agrees_and_could_have_been_chosen() -> None:
    """Its phones sent their shares unsealed."""
    older = played(sealed=False)
    assert all("seals" not in line.get("fair", {}) for line in older)
    found = list(findings([text(older)], GAMES))
    assert [one.code for one in found] == [Found.AGREES_UNSEALED] * 4
    assert not any(one.good for one in found)
    assert {one.withheld for one in found} == {()}
    older[1]["fair"]["method"] = fair.METHOD
    assert codes(older)[1] == "bad_field"
    newer = played()
    newer[1]["fair"]["method"] = fair.UNSEALED
    assert codes(newer)[1] == "other_numbers"


def test_joined_records_and_chunks_of_any_size() -> None:
    joined = text(played(1) + played(2))
    whole = list(findings([joined], GAMES))
    assert [one.code for one in whole] == [Found.AGREES] * 8
    assert list(findings((joined[at : at + 7] for at in range(0, len(joined), 7)), GAMES)) == whole


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where every number and text of a line stands."""
    if isinstance(value, dict):
        return [path for key in value for path in paths(value[key], (*at, key))]
    if isinstance(value, list):
        return [path for place, one in enumerate(value) for path in paths(one, (*at, place))]
    return [at]


def changed(line: int, path: tuple[Any, ...], change: Callable[[Any], Any]) -> list[Fields]:
    lines: list[Any] = json.loads(json.dumps(RECORD))
    inner = lines[line]
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = change(inner[path[-1]])
    return lines


PROVED = [
    (line, path)
    for line in (0, *DEALS)
    for path in paths(RECORD[line])
    if path[0] in ("fair", "seats", "gold", "roles")
]
"""Everything that a proof says, and everything that it is a proof of."""


@pytest.mark.parametrize(("line", "path"), PROVED)
def test_each_single_thing_that_is_changed_is_found(line: int, path: tuple[Any, ...]) -> None:
    def other(value: Any) -> Any:
        if isinstance(value, str) and path[0] == "fair":
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        if path[0] == "roles":
            return "saboteur" if value == "miner" else "miner"
        if path[0] == "gold":
            return value % 3 + 1
        return value + "x" if isinstance(value, str) else 2 if value == 1 else 1 if value else "x"

    assert codes(RECORD) == [Found.AGREES] * 4
    assert set(codes(changed(line, path, other))) != {Found.AGREES}


@given(st.data())
def test_whatever_a_proof_holds_instead_is_found(data: st.DataObject) -> None:
    line, path = data.draw(st.sampled_from([one for one in PROVED if one[1][0] == "fair"]))
    junk = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers())
    value = data.draw(junk)
    lines = changed(line, path, lambda old: value)
    assert set(codes(lines)) != {Found.AGREES} or lines == RECORD


@given(st.sampled_from((0, *DEALS)), st.data())
def test_a_byte_of_a_proof_turned_over_is_found(line: int, data: st.DataObject) -> None:
    raw = text(RECORD).splitlines(keepends=True)
    begin = raw[line].index(b'"fair": ') + 9
    at = data.draw(st.integers(begin, len(raw[line]) - 3))
    bit = data.draw(st.integers(0, 7))
    raw[line] = raw[line][:at] + bytes([raw[line][at] ^ (1 << bit)]) + raw[line][at + 1 :]
    assert {one.code for one in findings(raw, GAMES)} != {Found.AGREES}


def without(line: int) -> list[Fields]:
    lines: list[Fields] = json.loads(json.dumps(RECORD))
    del lines[line]["fair"]
    return lines


CASES: list[tuple[str, list[Fields]]] = [
    ("no_proof", without(0)),
    ("no_proof", without(3)),
    ("unknown_method", changed(1, ("fair", "method"), lambda old: "companion-fair-3")),
    ("other_deal", changed(1, ("fair", "round"), lambda old: 2)),
    ("other_deal", changed(3, ("fair", "game"), lambda old: 2)),
    ("other_deal", changed(3, ("fair",), lambda old: RECORD[1]["fair"])),
    ("other_deal", changed(0, ("fair",), lambda old: {**old, "round": 0})),
    ("bad_field", changed(0, ("fair",), lambda old: [])),
    ("bad_field", changed(0, ("fair", "game"), lambda old: 0)),
    ("bad_field", changed(1, ("fair", "secret"), lambda old: old.upper() + "x")),
    ("bad_field", changed(1, ("fair", "shares"), lambda old: old[:2])),
    ("bad_field", changed(1, ("fair", "shares", 1), lambda old: "")),
    ("bad_field", changed(1, ("fair", "seed"), lambda old: None)),
    ("bad_commitment", changed(1, ("fair", "secret"), lambda old: "0" * 64)),
    ("bad_field", changed(1, ("fair", "seals"), lambda old: None)),
    ("bad_seal", changed(1, ("fair", "shares", 1), lambda old: "0" * 32)),
    ("bad_seal", changed(1, ("fair", "shares", 3), lambda old: "0" * 32)),
    ("bad_seal", changed(1, ("fair", "seals", 0), lambda old: "0" * 64)),
    ("other_numbers", changed(1, ("fair", "shares", 0), lambda old: None)),
    ("other_numbers", changed(1, ("fair", "seals", 2), lambda old: None)),
    ("other_cards", changed(5, ("roles",), lambda old: ["miner"] * 4)),
    ("not_legal", [*RECORD[:2], RECORD[1], *RECORD[2:]]),
    ("not_legal", RECORD[1:]),
    ("nothing_dealt", [{"game": "trains", "seats": ["A", "B"], "starter": "A"}]),
    ("no_game", []),
]


@pytest.mark.parametrize(("code", "lines"), CASES)
def test_what_can_be_the_matter(code: str, lines: list[Fields]) -> None:
    assert code in codes(lines)


def test_every_problem_has_a_case() -> None:
    assert {code for code, _ in CASES} == set(SENTENCES) - {Found.AGREES, Found.AGREES_UNSEALED} | {
        "bad_field",
        "not_legal",
    }


@pytest.mark.parametrize("name", ["A\nshare none B", "\ud800"])
def test_a_name_that_no_table_has(name: str) -> None:
    found = next(iter(findings([text(changed(0, ("seats", 0), lambda old: name))], GAMES)))
    assert found.code in ("not_legal", "bad_field")  # the starter's name, and a line of its own
    other = changed(0, ("seats", 1), lambda old: name)
    assert next(iter(findings([text(other)], GAMES))).field == "seats"


# In words


@pytest.mark.parametrize("locale", languages.LOCALES)
def test_every_finding_is_a_sentence(locale: str) -> None:
    speak = catalogues.catalogue(locale)
    told = set()
    for _, lines in [("", RECORD), *CASES]:
        for finding in findings([text(lines)], GAMES):
            said = sentence(speak, finding)
            assert said
            assert "%(" not in said
            assert said.endswith(".") or said.endswith(finding.commitment or ".") or finding.field
            told.add(said)
    assert len(told) > len(CASES) // 2
    english = sentence(NullTranslations(), next(iter(findings([text(RECORD)], GAMES))))
    spoken = sentence(speak, next(iter(findings([text(RECORD)], GAMES))))
    assert (spoken == english) == (locale == "en")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "saboteur.jsonl"
    path.write_bytes(text(RECORD))
    return path


def run(*arguments: str, given: bytes = b"") -> tuple[int, str]:
    done = CliRunner().invoke(main, ["verify", *arguments], input=given)
    return done.exit_code, done.output


def test_the_command(saved: Path) -> None:
    status, said = run(str(saved))
    assert status == 0
    lines = said.splitlines()
    assert len(lines) == 4
    commitment = fair.commitment(1, 0, lot(0).secret)
    assert lines[0] == (
        "Line 1: The order of the gold · The deal matches the numbers. · "
        "Sealed, but not opened in time, and so left out: Ülle · Numbers in it of: Anna, Žanna · "
        f"Fingerprint: {commitment}"
    )
    assert lines[1].startswith("Line 2: Round 1 · The deal matches the numbers.")
    assert run(given=text(RECORD)) == (status, said)
    assert run("-", given=text(RECORD)) == (status, said)


def test_the_command_in_another_language_and_of_two_files(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(text(without(3)))
    status, said = run("--lang", "et", str(saved), str(other))
    assert status == 1
    assert said.count("Jagamine vastab arvudele.") == 7
    assert said.count("Jagamist ei saa kontrollida") == 1


@pytest.mark.parametrize(("code", "lines"), CASES)
def test_the_exit_status_of_what_is_not_proved(code: str, lines: list[Fields]) -> None:
    status, said = run(given=text(lines))
    assert status == 1
    assert said


def test_a_file_that_cannot_be_read(saved: Path, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.jsonl")
    status, said = run(missing, str(saved))
    assert status == 2
    assert missing in said
    assert said.count("matches") == 4
    assert run(str(tmp_path))[0] == 2


def test_every_code_is_said() -> None:
    said_as_in_a_verdict = {Found.BAD_FIELD, Found.NOT_LEGAL}
    assert SENTENCES.keys() == set(Found) - said_as_in_a_verdict
