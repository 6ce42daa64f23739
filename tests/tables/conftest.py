from __future__ import annotations

import pytest

from tests.tables.evening import DirectEvening


@pytest.fixture
def evening() -> DirectEvening:
    evening = DirectEvening()
    evening.open()
    return evening
