"""Known vulnerabilities of the versions that requirements/ names: `make audit`.

Asks the package index for each of them (through pip-audit). Exit status: 0 when all were looked up
and none is known to be vulnerable, 1 when some are, 3 when not all could be looked up: no network,
or an index that says nothing about them. What could not be checked is never called good.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

NONE, SOME, UNKNOWN = 0, 1, 3
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", re.MULTILINE)
ROUND_S = 600


def pins(files: list[Path]) -> set[tuple[str, str]]:
    """Every name and version in the files, whatever system or Python it is for."""
    return {found for file in files for found in PIN.findall(file.read_text(encoding="utf-8"))}


def rounds(pinned: set[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Lists in which each name is once."""
    lists: list[dict[str, str]] = []
    for name, version in sorted(pinned):
        free = next((each for each in lists if name not in each), None)
        if free is None:
            free = {}
            lists.append(free)
        free[name] = version
    return [list(each.items()) for each in lists]


def ask(pinned: list[tuple[str, str]], program: list[str]) -> dict[str, dict[str, Any]]:
    """What is known of each, by name; what is missing could not be looked up."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.writelines(f"{name}=={version}\n" for name, version in pinned)
        listed.flush()
        options = ["--format", "json", "--disable-pip", "--no-deps", "--progress-spinner", "off"]
        try:
            done = subprocess.run(
                [*program, *options, "--requirement", listed.name],
                capture_output=True,
                text=True,
                timeout=ROUND_S,
                check=False,
            )
            told = json.loads(done.stdout)["dependencies"]
        except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
            return {}
    return {each["name"].lower(): each for each in told if "skip_reason" not in each}


def main(arguments: list[str], program: list[str] | None = None) -> int:
    pinned = pins([Path(each) for each in arguments])
    if not pinned:
        print("Nothing was checked: no versions are named there.")
        return UNKNOWN
    status, looked_up = NONE, 0
    for several in rounds(pinned):
        told = ask(several, program or [sys.executable, "-m", "pip_audit"])
        for name, version in several:
            known = told.get(name.lower())
            if known is None or known.get("version") != version:
                continue
            looked_up += 1
            for one in known["vulns"]:
                status = SOME
                mended = ", ".join(one.get("fix_versions", [])) or "no version yet"
                print(f"{name} {version}: {one['id']}, mended in {mended}")
    unknown = len(pinned) - looked_up
    if unknown:
        print(f"NOT CHECKED: {unknown} of {len(pinned)} versions could not be looked up.")
        return status or UNKNOWN
    if status == NONE:
        print(f"{looked_up} versions looked up: none is known to be vulnerable.")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
