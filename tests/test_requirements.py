"""What is installed is pinned by hash, agrees with pyproject.toml, and can be audited."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import audit

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = PYPROJECT["dependency-groups"]
OWN = PYPROJECT["project"]["dependencies"]


def group(name: str) -> list[str]:
    found: list[str] = []
    for each in GROUPS[name]:
        found += group(each["include-group"]) if isinstance(each, dict) else [each]
    return found


WANTED = {
    "run": [*OWN, *group("build")],
    "shared": [*OWN, *PYPROJECT["project"]["optional-dependencies"]["shared"]],
    "test": [*OWN, *group("test")],
    "tools": group("tools"),
}


def locked(name: str) -> list[tuple[Requirement, list[str]]]:
    """Each requirement with its hashes."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    lines = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    found = []
    for line in filter(str.strip, lines):
        requirement, *hashes = line.split("--hash=")
        found.append((Requirement(requirement), [each.strip() for each in hashes]))
    return found


every_lock = pytest.mark.parametrize("name", WANTED)


@every_lock
def test_every_version_is_pinned_with_hashes(name: str) -> None:
    pins = locked(name)
    assert pins
    for requirement, hashes in pins:
        assert re.fullmatch(r"==[\w.!+-]+", str(requirement.specifier)), requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes), requirement


@every_lock
def test_the_lock_agrees_with_pyproject(name: str) -> None:
    """If it does not: make lock."""
    pins = {(canonicalize_name(each.name), str(each.specifier)) for each, _ in locked(name)}
    for wanted in map(Requirement, WANTED[name]):
        assert (canonicalize_name(wanted.name), str(wanted.specifier)) in pins, wanted


@pytest.mark.parametrize("name", ["run", "shared", "test"])
def test_the_lock_holds_all_that_is_needed_and_no_more(name: str) -> None:
    """Extras, too: older pips take `a[x]` for unpinned where only `a` is, once `a` is renewed."""
    extras_of = {canonicalize_name(each.name): each.extras for each, _ in locked(name)}
    waiting = [(Requirement(each), {""}) for each in WANTED[name]]
    needed: set[str] = set()
    while waiting:
        wanted, extras = waiting.pop()
        known = canonicalize_name(wanted.name)
        if wanted.marker and not any(wanted.marker.evaluate({"extra": one}) for one in extras):
            continue
        assert wanted.extras <= extras_of.get(known, set()), f"{wanted}: make lock"
        if known in needed:
            continue
        needed.add(known)
        of = {"", *wanted.extras}
        waiting += [(Requirement(each), of) for each in metadata.requires(known) or ()]
    pins = [each for each, _ in locked(name)]
    here = {
        canonicalize_name(each.name) for each in pins if not each.marker or each.marker.evaluate()
    }
    assert needed <= here, "make lock"
    assert here <= needed, "make lock"


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_there_is_one_version_for_each_python(python: str) -> None:
    given = {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "sys_platform": "linux",
        "platform_system": "Linux",
    }
    for name in WANTED:
        names = [
            canonicalize_name(each.name)
            for each, _ in locked(name)
            if not each.marker or each.marker.evaluate(given)
        ]
        assert len(names) == len(set(names))


# Of the npm registry


def test_what_npm_installs_is_pinned_with_hashes() -> None:
    """If it is not: make lock."""
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert packages.pop("")["devDependencies"] == wanted
    for name, version in wanted.items():
        assert packages[f"node_modules/{name}"]["version"] == version
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name  # whichever registry is asked


# The audit


def fake(tmp_path: Path, code: str) -> list[str]:
    """A program in pip-audit's place; `pins` are the names and versions that it is asked for."""
    program = tmp_path / "fake.py"
    program.write_text(
        "import json, sys\n"
        "lines = open(sys.argv[-1]).read().split()\n"
        "pins = [dict(zip(('name', 'version'), line.split('=='))) for line in lines]\n" + code
    )
    return [sys.executable, str(program)]


ASKED = """
two==2.0 ; python_version < '3.12' \\
    --hash=sha256:00
two==2.1 ; python_version >= '3.12' \\
    --hash=sha256:00
One==1.0
"""
ALL_WELL = "print(json.dumps({'dependencies': [{**pin, 'vulns': []} for pin in pins]}))"
ONE_BAD = """
for pin in pins:
    pin['vulns'] = [{'id': 'PYSEC-1', 'fix_versions': ['2.2']}] * (pin['version'] == '2.1')
print(json.dumps({'dependencies': pins}))
sys.exit(1)
"""
SKIPPED = "print(json.dumps({'dependencies': [{**pin, 'skip_reason': 'x'} for pin in pins]}))"
ONE_BAD_REST_SKIPPED = """
pins = [{**pin, 'vulns': [{'id': 'PYSEC-1'}]} for pin in pins if pin['version'] == '2.1']
print(json.dumps({'dependencies': pins}))
"""


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        (ALL_WELL, 0, "3 versions looked up: none is known to be vulnerable."),
        (ONE_BAD, 1, "two 2.1: PYSEC-1, mended in 2.2"),
        (SKIPPED, 3, "NOT CHECKED: 3 of 3 versions could not be looked up."),
        ("sys.exit('no network')", 3, "NOT CHECKED: 3 of 3"),
        ("print('[]')", 3, "NOT CHECKED: 3 of 3"),
        ("print('no JSON')", 3, "NOT CHECKED: 3 of 3"),
        (ONE_BAD_REST_SKIPPED, 1, "NOT CHECKED: 2 of 3"),
    ],
)
def test_the_audit_says_what_it_knows(
    tmp_path: Path, capsys: Any, code: str, status: int, said: str
) -> None:
    (tmp_path / "lock.txt").write_text(ASKED)
    assert audit.main([str(tmp_path / "lock.txt")], fake(tmp_path, code)) == status
    assert said in capsys.readouterr().out


def test_the_audit_looks_at_every_lock() -> None:
    files = sorted((ROOT / "requirements").glob("*.txt"))
    assert [each.stem for each in files] == sorted(WANTED)
    names = {canonicalize_name(name) for name, _ in audit.pins(files)}
    assert names == {canonicalize_name(each.name) for lock in WANTED for each, _ in locked(lock)}
