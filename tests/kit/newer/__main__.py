"""The program as it will be one day, with a newer database: python -m tests.kit.newer"""

from __future__ import annotations

from companion.cli import main
from tests.kit.newer import become

become()
main()
