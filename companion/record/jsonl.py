"""The lines of a record: where a line ends, which lines are blank, which are no JSON object.

A line ends at a line feed and nowhere else; blank is a line of JSON's own white space only.
A line longer than 64 KiB (without its line feed) is malformed and never held in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from json import JSONDecodeError, JSONDecoder, JSONEncoder
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
_DIGITS_HELD: Final = 32


def _integer(text: str) -> int | _TooLarge:
    return int(text) if len(text) <= _DIGITS_HELD else _TOO_LARGE


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


_encode: Final = JSONEncoder(ensure_ascii=False).encode
_decode: Final = JSONDecoder(parse_constant=_no_constant).decode
_decode_large: Final = JSONDecoder(parse_int=_integer, parse_constant=_no_constant).decode


def parse(line: bytes | None) -> Fields | None:
    """The object that a line holds; None where the whole line is `malformed`.

    >>> parse(b'{"play": "pass", "by": "Anna"}')
    {'play': 'pass', 'by': 'Anna'}
    >>> parse(b'["pass"]') is parse(b'{"x": NaN}') is None
    True
    """
    if line is None:
        return None
    if line.count(b"[") + line.count(b"{") > DEPTH_MAX and _is_deep(line):
        return None
    try:
        value = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _rare(line)
    return value if type(value) is dict else None


def _rare(line: bytes) -> Fields | None:
    """The same of a line that holds what msgspec leaves out, which reads eight times as fast: half
    a surrogate pair, and numbers too large for it; or no JSON."""
    try:
        text = line.decode()
        value = _decode(text)
    except (UnicodeDecodeError, JSONDecodeError):
        return None
    except ValueError:
        value = _again(text)
    return value if type(value) is dict else None


def in_one_line(fields: Fields) -> str:
    """The line that holds an object, without its line feed; half a surrogate pair, which JSON can
    hold and UTF-8 cannot, is escaped as in JSON.

    >>> in_one_line({"by": "Õnne", "play": "pass"})
    '{"by": "Õnne", "play": "pass"}'
    """
    try:
        return msgspec.json.format(msgspec.json.encode(fields), indent=0).decode()
    except UnicodeEncodeError:
        return _encode(fields).encode("utf-8", "backslashreplace").decode()


def _again(text: str) -> object:
    """The line's value with huge integers replaced: Python refuses more than 4,300 digits, but the
    field may be one that nobody reads."""
    try:
        return _decode_large(text)
    except ValueError:
        return None


def _is_deep(line: bytes) -> bool:
    depth = 0
    for bracket in _BRACKETS.findall(line):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(bracket, 0)
        if depth > DEPTH_MAX:
            return True
    return False


def lines_of(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Number and text of each line that is not blank; None for the text of one too long."""
    number = 0
    rest = b""
    skipping = blank = False
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        if skipping:
            blank = blank and not first.strip(WHITE)
        else:
            rest += first
            if len(rest) > LINE_MAX_BYTES:
                skipping, blank, rest = True, not rest.strip(WHITE), b""
        for part in others:
            number += 1
            if skipping:
                if not blank:
                    yield number, None
                skipping = False
            elif rest.strip(WHITE):
                yield number, rest
            rest = part
            if len(rest) > LINE_MAX_BYTES:
                skipping, blank, rest = True, not rest.strip(WHITE), b""
    number += 1
    if skipping:
        if not blank:
            yield number, None
    elif rest.strip(WHITE):
        yield number, rest
