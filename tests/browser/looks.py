"""What is wrong with the looks of a page: scripts that find it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")

SPILLS = (Path(__file__).parent / "spills.js").read_text(encoding="utf-8")

BREAKS = (Path(__file__).parent / "breaks.js").read_text(encoding="utf-8")


def complaints(page: Page, but: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds wrong by all its rules but some, or by some only."""
    page.evaluate(AXE)
    options: dict[str, Any] = {
        "resultTypes": ["violations"],
        "rules": {rule: {"enabled": False} for rule in but},
    }
    if only:
        options["runOnly"] = {"type": "rule", "values": list(only)}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{wrong['id']}: {node['target']}: {node['failureSummary']}"
        for wrong in found["violations"]
        for node in wrong["nodes"]
    ]
