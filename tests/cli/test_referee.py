"""`companion referee`, `show` and `replay`: files, exit status, text, and output as it comes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from companion.cli.referee import referee
from companion.cli.replay import replay
from companion.cli.show import show
from companion.games.saboteur.rules.cards import GOLD_CARDS
from companion.languages import LOCALES

SHARED = Path(__file__).parents[1] / "games" / "saboteur" / "records" / "shared"
RECORD = SHARED / "saboteur-lv-2009.jsonl"
TRAINS = Path(__file__).parents[1] / "games" / "trains" / "records" / "trains-1.jsonl"
VERDICTS = SHARED / "saboteur-lv-2009.verdicts.jsonl"
COMMAND = [sys.executable, "-c", "from companion.cli.referee import referee; referee()"]
ROOT = Path(__file__).parents[2]

HEADER = json.dumps(
    {
        "game": "saboteur",
        "edition": "en",
        "seats": ["A", "B", "C"],
        "starter": "A",
        "gold": list(GOLD_CARDS),
    }
)
DEAL = json.dumps({"play": "deal", "roles": ["miner"] * 3})
PASS = json.dumps({"play": "pass", "by": "A"})


@pytest.fixture
def run() -> Callable[..., Result]:
    return lambda *args, **kw: CliRunner().invoke(referee, [str(arg) for arg in args], **kw)


def values(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_file(run: Callable[..., Result]) -> None:
    result = run(RECORD)
    assert result.exit_code == 1
    assert result.stdout == VERDICTS.read_text(encoding="utf-8")


def test_standard_input(run: Callable[..., Result]) -> None:
    result = run(input=RECORD.read_bytes())
    assert result.stdout == VERDICTS.read_text(encoding="utf-8")
    assert run("-", input=RECORD.read_bytes()).stdout == result.stdout


def test_each_file_starts_afresh(run: Callable[..., Result], tmp_path: Path) -> None:
    head, tail = tmp_path / "head", tmp_path / "tail"
    head.write_text(f"{HEADER}\n{DEAL}")
    tail.write_text(f"\n{PASS}\n")
    found = values(run(head, tail).stdout)
    assert found == [
        {"line": 2, "ok": True, "round": 1, "pile": 49, "turn": "A"},
        {"line": 2, "ok": False, "reason": "no_game"},
    ]


def test_exit_status(run: Callable[..., Result], tmp_path: Path) -> None:
    good = tmp_path / "good"
    good.write_text("\n".join([HEADER, DEAL, PASS]))
    assert run(good).exit_code == 0
    assert run(input=b"").exit_code == 0
    assert run(input=b"\n \n\r\n").stdout == ""
    assert run(input=b"x").exit_code == 1
    gone = run(tmp_path / "gone", good)
    assert gone.exit_code == 2
    assert len(values(gone.stdout)) == 2
    assert "gone" in gone.stderr
    assert run(tmp_path).exit_code == 2
    assert run(RECORD, tmp_path / "gone").exit_code == 2


def test_half_a_surrogate_pair_in_a_name(run: Callable[..., Result]) -> None:
    header = HEADER.replace('"A"', '"\\ud800"')
    for args in [(), ("--text",)]:
        result = run(*args, input=f"{header}\n{DEAL}".encode())
        assert result.exit_code == 0
        assert "\\ud800" in result.stdout
    assert values(run(input=f"{header}\n{DEAL}".encode()).stdout)[0]["turn"] == "\ud800"


def test_text(run: Callable[..., Result]) -> None:
    result = run("--text", RECORD)
    lines = result.stdout.splitlines()
    assert len(lines) == len(VERDICTS.read_text(encoding="utf-8").splitlines())
    assert lines[0] == "Line 2: Legal. Round 1/3 · Draw pile: 31 cards · Turn: Hanna-Liisa"
    assert lines[6] == ("Line 8: Not legal. This tool is not broken: there is nothing to repair.")
    assert "The gold diggers win the round" in lines[-1]
    assert "Jüri 🂠: 7 gold nuggets" in lines[-1]
    for path in sorted(SHARED.glob("*.jsonl")):
        assert run("--text", path).exit_code in (0, 1)


def test_text_of_lines_without_a_game(run: Callable[..., Result]) -> None:
    lines = run("--text", SHARED / "edges.jsonl").stdout.splitlines()
    assert lines[0] == "Line 2: Not legal. This line is not a JSON object that can be read."
    assert lines[3] == "Line 5: Not legal. No game has begun: a line with ‘game’ must come first."
    assert lines[4] == "Line 6: Not legal. A field is missing or wrong: game"


@pytest.mark.parametrize("language", sorted({*LOCALES} - {"en"}))
def test_languages(run: Callable[..., Result], language: str) -> None:
    english = run("--text", RECORD).stdout.splitlines()
    other = run("--text", "--lang", language, RECORD).stdout.splitlines()
    assert len(other) == len(english)
    assert "%(" not in "".join(other)


def test_names_cannot_play_tricks_on_the_terminal(run: Callable[..., Result]) -> None:
    header = HEADER.replace('"A"', '"A\\n\\u001b[2J\\u202e"')
    data = f"{header}\n{DEAL}".encode()
    assert run("--text", input=data).stdout.count("\n") == 1
    shown = CliRunner().invoke(show, ["-"], input=data).stdout
    for text in (run("--text", input=data).stdout, shown):
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_nor_can_they_where_verdicts_are_data(run: Callable[..., Result]) -> None:
    """The same verdicts, escaped."""
    header = HEADER.replace('"A"', '"A\\u009b2J\\u202e\\u007f"')
    said = run(input=f"{header}\n{DEAL}\n{DEAL}".encode()).stdout
    assert not {"\x9b", "\u202e", "\x7f"} & {*said}
    assert json.loads(said.splitlines()[0])["turn"] == "A\x9b2J\u202e\x7f"


def test_show() -> None:
    shown = CliRunner().invoke(show, [str(RECORD), "--at", "81"])
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == "lv-2009 · round 1/3"
    assert "   0 ─S──┼──┼──┤  ·  ·  ·  · │?│" in lines
    assert "  Bērtulis: hand 0 · gold cards 0 · broken: pickaxe" in lines
    assert lines[-1] == "draw pile: 0 · gold pile: 28"
    assert "→ Õnne: hand 1 · gold cards 0" in lines
    ended = CliRunner().invoke(show, [str(RECORD)]).stdout.splitlines()
    assert ended[-2:] == ["round won by miners", "winners: Jüri 🂠"]
    assert "  Čarlis: saboteur · hand 2 · gold cards 0 · nuggets 0" in ended
    turning = CliRunner().invoke(show, [str(RECORD), "--at", "211"]).stdout.splitlines()
    assert turning[-1] == "to be turned over: middle"
    dealing = CliRunner().invoke(show, [str(RECORD), "--at", "1"]).stdout.splitlines()
    assert dealing == ["lv-2009 · no round", "starter: Hanna-Liisa"]


def test_of_a_round_that_was_only_told_nothing_is_drawn_that_nobody_reported() -> None:
    told = '{"play": "result", "by": "A", "finisher": "A"}'
    data = f"{HEADER}\n{DEAL}\n{told}".encode()
    lines = CliRunner().invoke(show, ["-"], input=data).stdout.splitlines()
    assert lines[0].endswith("round 1/3")
    assert lines[-2].startswith("gold pile: ")
    assert lines[-1].startswith("round won by ")
    assert len(lines) == 6
    assert not any("hand" in line or "draw pile" in line for line in lines)


@pytest.mark.parametrize("data", [b"", b"x", b'{"game": "chess"}'])
def test_nothing_to_show(data: bytes) -> None:
    shown = CliRunner().invoke(show, ["-"], input=data)
    assert shown.exit_code == 1
    assert "No game is on" in shown.stderr


def test_rows_are_shown() -> None:
    dealt = [{"by": "A", "play": "deal", "row": list(range(70, 63, -1))}]
    drafted = [
        {"by": "B", "play": "deal", "row": list(range(60, 53, -1))},
        {"by": "A", "play": "draft", "card": 1, "at": 1, "ability": "protect"},
        {"by": "B", "play": "draft", "card": 2, "at": 1, "ability": "remove_left"},
        {"by": "A", "play": "use", "ability": "protect", "at": "middle"},
    ]
    won = [
        {"by": "B", "play": "use", "ability": "remove_left"},
        {"by": "B", "play": "refill", "card": 3, "ability": "remove_middle"},
    ]
    header = {"game": "trains", "seats": ["A", "B"], "starter": "A"}

    def drawn(*plays: object) -> list[str]:
        data = "".join(json.dumps(line) + "\n" for line in (header, *plays))
        shown = CliRunner().invoke(show, ["-"], input=data)
        assert shown.exit_code == 0
        return shown.stdout.splitlines()

    assert drawn(*dealt) == ["deal", "  A: 70 69 68 67 66 65 64", "  B: not dealt"]
    assert drawn(*dealt, *drafted) == [
        "turn",
        "  A: 1 69 68 [67] 66 65 64",
        "→ B: 2 59 58 57 56 55 54",
        "face up: remove_left (60)",
    ]
    assert drawn(*dealt, *drafted, *won) == [
        "refill",
        "→ A: _ 69 68 [67] 66 65 64 · removed 1",
        "  B: 3 59 58 57 56 55 54",
        "face up: remove_middle (2)",
    ]
    ended = CliRunner().invoke(show, [str(TRAINS)]).stdout.splitlines()
    assert ended[0] == "over"
    assert ended[-1].startswith("winner: ")


# In a process of its own


def start(**kw: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, **kw)


def test_verdicts_come_as_the_lines_do() -> None:
    with start() as process:
        assert process.stdin
        assert process.stdout
        for line, expected in [(HEADER, None), (DEAL, 49), (PASS, 48)]:
            process.stdin.write(f"{line}\n".encode())
            process.stdin.flush()
            if expected:
                assert json.loads(process.stdout.readline())["pile"] == expected
        process.stdin.close()
        assert process.wait(10) == 0


def test_memory_does_not_grow() -> None:
    """Four megabytes of games and a line of sixty, in an address space that cannot hold them."""
    limit = 100 * 2**20
    record = RECORD.read_bytes()

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    with start(preexec_fn=little) as process:
        assert process.stdin
        assert process.stdout

        def write() -> None:
            for _ in range(300):
                process.stdin.write(record)
            process.stdin.write(b"[" * 60_000_000)
            process.stdin.close()

        writer = Thread(target=write)
        writer.start()
        last = b""
        for line in process.stdout:
            last = line
        writer.join()
        assert process.wait(30) == 1
    assert json.loads(last) == {"line": 300 * 231 + 1, "ok": False, "reason": "malformed"}


def test_nobody_listens() -> None:
    with start(stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(RECORD.read_bytes())
        process.stdin.close()
        assert process.wait(10) == 2
        assert process.stderr.read() == b""


@pytest.mark.parametrize("lang", ["en", "et"])
def test_neither_flask_nor_sqlalchemy_is_loaded(lang: str) -> None:
    code = (
        "import sys\nfrom companion.cli.referee import referee\n"
        f"try: referee([{str(RECORD)!r}, '--text', '--lang', {lang!r}])\n"
        "except SystemExit: pass\n"
        "found = {'flask', 'flask_babel', 'sqlalchemy', 'gevent', 'jinja2'} & set(sys.modules)\n"
        "sys.exit(' '.join(found) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def by_shell(redirected: str) -> subprocess.CompletedProcess[str]:
    command = f"{' '.join(map(repr, COMMAND))} {redirected}"
    return subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True)


def test_standard_input_that_is_closed() -> None:
    done = by_shell("<&-")
    assert (done.returncode, done.stderr) == (2, "-: Bad file descriptor\n")


def test_standard_output_that_is_closed() -> None:
    assert by_shell(f"{RECORD} >&-").returncode == 2


def test_a_disk_that_is_full() -> None:
    done = by_shell(f"{RECORD} >/dev/full")
    said = "Standard output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_nothing_follows_where_nothing_is_left_to_say(run: Callable[..., Result]) -> None:
    header = json.dumps({"game": "trains", "seats": ["A", "B"], "starter": "A"})
    deal = json.dumps({"play": "deal", "by": "A", "row": [7, 6, 5, 4, 3, 2, 1]})
    assert run("--text", input=f"{header}\n{deal}\n").stdout == "Line 2: Legal.\n"


def test_a_page_in_a_home_folder_as_a_shell_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    said = CliRunner().invoke(replay, [str(TRAINS), "--output=~/game.html"])
    assert (said.exit_code, said.output) == (0, "")
    assert (tmp_path / "game.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_page_does_not_take_its_record_s_place(tmp_path: Path) -> None:
    record, link = tmp_path / "game.jsonl", tmp_path / "link"
    record.write_bytes(TRAINS.read_bytes())
    link.symlink_to(record)
    for output in (record, link):
        said = CliRunner().invoke(replay, [str(record), "-o", str(output)])
        assert said.exit_code == 2
        assert said.output.endswith(f"Error: {output} is the record itself.\n")
        assert record.read_bytes() == TRAINS.read_bytes()
    page = tmp_path / "game.html"
    for _ in range(2):  # and it is replaced
        said = CliRunner().invoke(replay, ["-", "-o", str(page)], input=record.read_bytes())
        assert (said.exit_code, said.output) == (0, "")
    assert page.exists()
