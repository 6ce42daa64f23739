"""What the program writes into the documents is what it would write now."""

from __future__ import annotations

from dataclasses import fields

import pytest

from companion.settings import Settings, about
from tests.docs.sections import DOCS, SECTIONS, written


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_is_as_the_program_has_it(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == written(name), "run `make docs`"


def test_every_setting_is_there() -> None:
    text = SECTIONS["settings.md"]()
    for setting in fields(Settings):
        assert f"`--{setting.name.replace('_', '-')}`" in text
        assert about(setting).help in text
