"""Cache for compiled templates, beside all else that is compiled."""

from __future__ import annotations

import sys
from contextlib import suppress

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from companion import compiled


class CompiledTemplates(FileSystemBytecodeCache):
    """Where nothing can be written, each start compiles them."""

    def __init__(self) -> None:
        super().__init__(str(compiled.FOLDER))

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                compiled.FOLDER.mkdir(exist_ok=True)
                super().dump_bytecode(bucket)
