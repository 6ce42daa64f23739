"""What was compiled is kept, and never taken for what it is not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from companion import compiled
from companion.web.html.compiled_templates import CompiledTemplates


class Compiler:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, text: bytes) -> bytes:
        self.calls += 1
        return text.upper()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "kept"
    monkeypatch.setattr(compiled, "FOLDER", folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return folder


def test_only_the_first_time_is_it_compiled(folder: Path) -> None:
    compiler = Compiler()
    for _ in range(3):
        assert compiled.compiled(b"text", "name", compiler) == b"TEXT"
    assert compiler.calls == 1
    assert [each.name for each in folder.iterdir()] == ["name.compiled"]


def test_another_text_is_compiled_anew(folder: Path) -> None:
    compiled.compiled(b"text", "name", Compiler())
    assert compiled.compiled(b"more", "name", Compiler()) == b"MORE"


@pytest.mark.parametrize("left", range(0, 36, 5))
def test_half_a_file_is_not_taken(folder: Path, left: int) -> None:
    compiled.compiled(b"text", "name", Compiler())
    kept = folder / "name.compiled"
    kept.write_bytes(kept.read_bytes()[:left])
    assert compiled.compiled(b"text", "name", Compiler()) == b"TEXT"


def test_nothing_is_written_where_python_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compiled.compiled(b"text", "name", Compiler()) == b"TEXT"
    assert drawn("a") == "a"
    assert not folder.exists()


def test_where_nothing_can_be_written_it_is_compiled_each_time(folder: Path) -> None:
    folder.write_bytes(b"a file")
    compiler = Compiler()
    for _ in range(2):
        assert compiled.compiled(b"text", "name", compiler) == b"TEXT"
    assert compiler.calls == 2
    assert drawn("a") == "a"


def test_a_template_that_has_changed_is_compiled_anew(folder: Path) -> None:
    assert drawn("a") == "a"
    assert len(list(folder.iterdir())) == 1
    assert drawn("b") == "b"


def drawn(text: str) -> str:
    kept = CompiledTemplates()
    return (
        Environment(loader=DictLoader({"t": text}), bytecode_cache=kept).get_template("t").render()
    )


def test_what_could_not_be_written_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("os.replace", full)
    assert compiled.compiled(b"text", "name", Compiler()) == b"TEXT"
    assert list(folder.iterdir()) == []
