"""The program as its users start it, with limits that the figures do not run into."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from benchmarks.kit.processes import memory_mb
from tests.kit import server

AS_USERS_HAVE_IT = """
import runpy, sys
sys.modules["PIL"] = None
runpy.run_module("companion", run_name="__main__", alter_sys=True)
"""
"""Without Pillow, which only the tests need: `qrcode` loads it wherever it is, and takes 2 MB."""

SETTLED_S = 3.0
"""By then the server has loaded what its first page did not need; nobody scans a code sooner."""

UNLIMITED = {
    "streams_per_address": "5000",
    "streams": "5000",
    "connections_per_address": "5000",
    "forms_per_minute": "1000000",
    "silent_s": "3600",  # else tables opened early lose their connections
    "host_gone_s": "86400",
}

STRICT = dict.fromkeys(("requests_per_minute", "dear_per_minute", "forms_per_minute"))


class Server(server.Server):
    """One that has been started, and has settled."""

    def __init__(
        self,
        data: str,
        *,
        strict: bool = False,
        core: int | None = None,
        **settings: str,
    ) -> None:
        """`strict`: with the usual limits, but for what the figures themselves need. `core`: of
        this machine, the only one that the server may use."""
        limits = STRICT if strict else UNLIMITED
        command = (sys.executable, "-c", AS_USERS_HAVE_IT)
        given = {"public_url": None, **limits, **settings}
        super().__init__(Path(data, "data"), command=command, **given)
        self._environment["PYTHONDONTWRITEBYTECODE"] = ""  # what is compiled is kept, as usual
        self._core = core
        self.first_page_s = self.start()
        time.sleep(SETTLED_S)

    def launch(self) -> None:
        super().launch()
        if self._core is not None:
            os.sched_setaffinity(self.pid, {self._core})

    def memory_mb(self) -> float:
        return memory_mb(self.pid)
