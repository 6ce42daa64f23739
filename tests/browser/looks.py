"""What is wrong with the looks of a page: scripts that find it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

from tests.browser.phones import Device

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")

SPILLS = (Path(__file__).parent / "spills.js").read_text(encoding="utf-8")

BREAKS = (Path(__file__).parent / "breaks.js").read_text(encoding="utf-8")

WORDED = (
    *("aria-command-name", "aria-input-field-name", "aria-toggle-field-name", "button-name"),
    *("document-title", "empty-heading", "html-has-lang", "html-lang-valid", "image-alt", "label"),
    *("html-xml-lang-mismatch", "label-content-name-mismatch", "label-title-only", "link-name"),
    *("landmark-unique", "scrollable-region-focusable", "select-name", "summary-name"),
    *("svg-img-alt", "target-size", "valid-lang"),
)
"""Rules of axe-core that may find something in one language and nothing in another, on pages that
differ in their words alone: names, languages, and the space that words leave for fingers."""


def with_axe(devices: list[Device]) -> None:
    """Every page from now on has it loaded."""
    for device in devices:
        device.context.add_init_script(AXE)


def complaints(page: Page, but: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds wrong by all its rules but some, or by some only."""
    options: dict[str, Any] = {
        "resultTypes": ["violations"],
        "rules": {rule: {"enabled": False} for rule in but},
    }
    if only:
        options["runOnly"] = {"type": "rule", "values": sorted({*only} - {*but})}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{wrong['id']}: {node['target']}: {node['failureSummary']}"
        for wrong in found["violations"]
        for node in wrong["nodes"]
    ]
