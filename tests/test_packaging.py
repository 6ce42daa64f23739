"""The wheel carries all that it needs and runs where there is no checkout."""

import subprocess
import sys
import urllib.request
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from companion.build import build
from companion.i18n import html_lang
from companion.languages import LOCALES
from tests.kit.server import SOON_S, Server

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def needed(wheel: Path) -> set[str]:
    """The distributions that the wheel asks for, with all that they ask for."""
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [each for each in packed.namelist() if each.endswith(".dist-info/METADATA")]
        own = metadata.PathDistribution(zipfile.Path(packed, name.rpartition("/")[0] + "/"))  # type: ignore[arg-type]
        waiting = [Requirement(each) for each in own.requires or ()]
    found: set[str] = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        extras = wanted.extras or {""}
        if name in found or not (
            wanted.marker is None or any(wanted.marker.evaluate({"extra": e}) for e in extras)
        ):
            continue
        found.add(name)
        waiting += [Requirement(each) for each in metadata.requires(name) or ()]
    return found


@pytest.fixture(scope="module")
def empty(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it asks for, and nothing else of the tests' own.

    The dependencies are linked from here instead of fetched, so that the test needs no network.
    """
    home = tmp_path_factory.mktemp("elsewhere") / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    (site,) = home.glob("lib/python3*/site-packages")
    for name in sorted(needed(wheel)):
        there = metadata.distribution(name)
        for top in {file.parts[0] for file in there.files or ()} - {"..", "__pycache__"}:
            if not (site / top).is_symlink():  # zope is shared by two
                (site / top).symlink_to(Path(str(there.locate_file(top))).resolve())
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True, cwd=home
    )
    return home


def test_the_wheel_carries_texts_pages_and_what_they_load(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "companion", "templates", "translations"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    missing = {
        name
        for name in tracked
        if (name if name.startswith("companion/") else f"companion/{name}") not in names
    }
    assert missing == set()
    assert [name for name in names if name.startswith("tests") or name.endswith(".mo")] == []


def test_it_explains_itself(empty: Path) -> None:
    done = subprocess.run(
        [empty / "bin" / "companion", "--help"],
        cwd=empty,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "--port" in done.stdout


def test_it_is_the_same_build_as_this_checkout(empty: Path) -> None:
    done = subprocess.run(
        [empty / "bin" / "companion", "--version"], cwd=empty, capture_output=True, text=True
    )
    assert done.stdout == f"companion {build()}\n", done.stderr


def test_it_serves_a_page_in_every_language(empty: Path, tmp_path: Path) -> None:
    server = Server(tmp_path / "data", command=[str(empty / "bin" / "companion")])
    try:
        server.start()
        titles = set()
        for language in LOCALES:
            asked = urllib.request.Request(server.url, headers={"Accept-Language": language})
            with urllib.request.urlopen(asked, timeout=30) as answer:
                page = answer.read().decode()
            assert f'<html lang="{html_lang(language)}"' in page
            titles.add(page)
        assert len(titles) == len(LOCALES)
        styles = page.split('rel="stylesheet" href="')[1].split('"')[0]
        with urllib.request.urlopen(server.url + styles, timeout=30) as answer:
            assert answer.headers.get_content_type() == "text/css"
        assert server.end() < SOON_S
    finally:
        server.stop()
