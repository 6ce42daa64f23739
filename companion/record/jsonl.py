"""The lines of a record: where a line ends, which lines are blank, which are no JSON object.

A line ends at a line feed and nowhere else; blank is a line of JSON's own white space only.
A line longer than 64 KiB (without its line feed) is malformed and never held in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from json import JSONDecoder, JSONEncoder
from typing import Final, NoReturn

import msgspec

from companion.games.fields import Fields

LINE_MAX_BYTES: Final = 64 * 1024
DEPTH_MAX: Final = 500
"""How deep lists and objects may be nested; the same on every version of Python."""
WHITE: Final = b" \t\r"


_BRACKETS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?|[][{}]')
"""Strings and brackets, so that brackets in strings are passed over."""


class _TooLarge:
    """A number with too many digits to be one: of no type that any field asks for."""


_TOO_LARGE: Final = _TooLarge()


def _integer(text: str) -> int | _TooLarge:
    try:
        return int(text)
    except ValueError:  # Python refuses more than 4,300 digits
        return _TOO_LARGE


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


_read: Final = msgspec.json.Decoder().decode
_write: Final = msgspec.json.Encoder().encode

_encode: Final = JSONEncoder(ensure_ascii=False).encode
_decode: Final = JSONDecoder(parse_int=_integer, parse_constant=_no_constant).decode


def parse(line: bytes | None) -> Fields | None:
    """The object that a line holds; None where the whole line is `malformed`.

    >>> parse(b'{"play": "pass", "by": "Anna"}')
    {'play': 'pass', 'by': 'Anna'}
    >>> parse(b'["pass"]') is parse(b'{"x": NaN}') is None
    True
    """
    if line is None:
        return None
    if len(line) > DEPTH_MAX and _is_deep(line):
        return None
    try:
        value = _read(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _rare(line)
    return value if type(value) is dict else None


def _rare(line: bytes) -> Fields | None:
    """The same of a line that holds what msgspec leaves out, which reads eight times as fast: half
    a surrogate pair, and numbers too large for it, perhaps where nobody looks; or no JSON."""
    try:
        value = _decode(line.decode())
    except ValueError:
        return None
    return value if type(value) is dict else None


def in_one_line(fields: Fields) -> str:
    """The line that holds an object, without its line feed; half a surrogate pair, which JSON can
    hold and UTF-8 cannot, is escaped as in JSON.

    >>> in_one_line({"by": "Õnne", "play": "pass"})
    '{"by": "Õnne", "play": "pass"}'
    """
    try:
        return msgspec.json.format(_write(fields), indent=0).decode()
    except UnicodeEncodeError:
        return _encode(fields).encode("utf-8", "backslashreplace").decode()


def _is_deep(line: bytes) -> bool:
    if line.count(b"[") + line.count(b"{") <= DEPTH_MAX:
        return False
    depth = 0
    for bracket in _BRACKETS.findall(line):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(bracket, 0)
        if depth > DEPTH_MAX:
            return True
    return False


def lines_of(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Number and text of each line that is not blank; None for the text of one too long."""
    number, line, size = 1, b"", 0
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        line += first
        size += len(first)
        for part in others:
            if line.strip(WHITE):
                yield number, line if size <= LINE_MAX_BYTES else None
            number, line, size = number + 1, part, len(part)
        if size > LINE_MAX_BYTES:
            line = line.lstrip(WHITE)[:1]  # all that is asked of it: whether it is blank
    if line.strip(WHITE):
        yield number, line if size <= LINE_MAX_BYTES else None
