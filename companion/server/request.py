"""What is read of a request: its head as RFC 9112 allows it, and its body in time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import gevent
from gevent.pywsgi import Input

from companion.web.answers.errors import TOO_SLOW

DISCARDED_MAX = 256 * 1024
"""Bytes of a body nobody wanted that are read so as to keep the connection."""


REQUEST = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ [^\0\r\n ]+ HTTP/1\.[01]\r?\n")
FIELD = re.compile(rb"(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\0\r\n]*)?\r?\n")
"""What RFC 9112 allows in a head, line by line; the last one is empty."""

FIELDS_MAX = 100
"""Browsers send less than thirty."""


class BadHeadError(ValueError):
    """The head of a request cannot be taken; `status` says why."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the head of a request is refused with {status}")
        self.status = status


def read_fields(rfile: Any, most: int) -> Iterator[tuple[str, str]]:
    """The fields of a head, names and values: `most` bytes of it, and no more. gevent would have
    them read as the head of a mail, which takes four times as long.

    Raises `BadHeadError`.
    """
    for _ in range(FIELDS_MAX):
        line: bytes = rfile.readline(most + 1)
        most -= len(line)
        if most < 0:
            raise BadHeadError(431)
        if not FIELD.fullmatch(line):
            raise BadHeadError(400)  # else what stands behind it would be overlooked
        if not line.strip():
            return
        name, _, value = line.decode("latin-1").partition(":")
        yield name, value.strip(" \t\r\n")
    raise BadHeadError(431)


class RequestBody(Input):  # type: ignore[misc] # gevent carries no types
    """The body of a request. It must arrive within `body_s` seconds; if more than `DISCARDED_MAX`
    bytes of it stay unread, the connection is closed."""

    __slots__ = ("handler",)

    def _do_read(self, length: int | None = None, use_readline: bool = False) -> bytes:
        return self._in_time(super()._do_read, length, use_readline)

    def _chunked_read(self, length: int | None = None, use_readline: bool = False) -> bytes:
        return self._in_time(super()._chunked_read, length, use_readline)

    def _in_time(self, read: Callable[..., bytes], length: int | None, line: bool) -> bytes:
        handler = self.handler
        handler.busy = False
        left_s = handler.body_until - handler.now()
        with gevent.Timeout(max(0.0, left_s), TimeoutError("the body took too long")) as timer:
            try:
                return read(length, line)
            except TimeoutError as error:
                if error is timer.exception:
                    handler.environ[TOO_SLOW] = True
                handler.close_connection = True
                raise
            finally:
                handler.busy = True

    def _discard(self) -> None:
        self.socket = None  # type: ignore[misc] # nobody is told to go on sending
        left = DISCARDED_MAX
        unread = self.chunked_input or self.position < (self.content_length or 0)
        while unread and not self._chunked_input_error and not self.handler.environ.get(TOO_SLOW):
            piece = self.read(16384)
            left -= len(piece)
            if not piece:
                break
            if left < 0:
                self.handler.close_connection = True
                break
