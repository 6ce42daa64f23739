"""Where lines end, what is blank, and what is no JSON object."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.record.jsonl import DEPTH_MAX, LINE_MAX_BYTES, in_one_line, lines_of, parse


def cut(data: bytes, at: list[int]) -> list[bytes]:
    """The data in pieces."""
    places = sorted({0, len(data), *(place % (len(data) + 1) for place in at)})
    return [data[a:b] for a, b in itertools.pairwise(places)]


@given(
    st.lists(
        st.sampled_from(
            [b"\n", b"\r", b" ", b"\t", b"{}", b"\x0b", b"\xc2\x85", b"\xe2\x80\xa8", b"x"]
        )
    ).map(b"".join),
    st.lists(st.integers(0, 1000)),
)
def test_lines_end_at_a_line_feed_and_nowhere_else(data: bytes, at: list[int]) -> None:
    expected = [
        (number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip(b" \t\r")
    ]
    assert list(lines_of(cut(data, at))) == expected


LONG = b"x" * LINE_MAX_BYTES


@pytest.mark.parametrize("size", [1, 7, 4096, LINE_MAX_BYTES, 10**9])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (LONG, [(1, LONG)]),
        (LONG + b"\nz", [(1, LONG), (2, b"z")]),
        (LONG + b"x", [(1, None)]),
        (LONG + b"x\n", [(1, None)]),
        (LONG + b"x\ny\n" + LONG + b"x\nz", [(1, None), (2, b"y"), (3, None), (4, b"z")]),
        (LONG + b"\r", [(1, None)]),
        (b" " * (LINE_MAX_BYTES + 5) + b"\nz", [(2, b"z")]),
        (b" " * (LINE_MAX_BYTES + 5), []),
        (b" " * (LINE_MAX_BYTES + 5) + b"x\nz", [(1, None), (2, b"z")]),
        (b"x" + b" " * (LINE_MAX_BYTES + 5) + b"\nz", [(1, None), (2, b"z")]),
        (b"\n\na\n\n", [(3, b"a")]),
        (b"", []),
    ],
)
def test_long_lines(size: int, data: bytes, expected: list[tuple[int, bytes | None]]) -> None:
    if size == 1 and len(data) > 100:
        data_chunks = [data[: LINE_MAX_BYTES - 3]] + [
            data[i : i + 1] for i in range(LINE_MAX_BYTES - 3, len(data))
        ]
        data_chunks = data_chunks if len(data) < 2 * LINE_MAX_BYTES else [data]
    else:
        data_chunks = [data[i : i + size] for i in range(0, len(data), size)]
    assert list(lines_of(data_chunks)) == expected


def test_a_line_of_ten_megabytes_is_not_held() -> None:
    pieces = 0

    def chunks():
        nonlocal pieces
        for _ in range(160):
            pieces += 1
            yield b"[" * 65536
        yield b"\n{}\n"

    assert list(lines_of(chunks())) == [(1, None), (2, b"{}")]
    assert pieces == 160


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[1]",
        b'"x"',
        b"3",
        b"null",
        b"{} {}",
        b"{}x",
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b"{'a': 1}",
        b'{"a": 01}',
        b'{"a": +1}',
        b'{"a": .5}',
        b'{"a": 1,}',
        b'{"a": "\t"}',
        b'{"a": "\x00"}',
        b'{"a": "\\x"}',
        b'{"a": "\xff"}',
        b'{"a": "\xed\xa0\x80"}',
        b'{"a": "\xc0\xaf"}',
        b'\xef\xbb\xbf{"a": 1}',
        '{"a": 1}'.encode("utf-16"),
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b'{"a":' + b"[" * DEPTH_MAX + b"]" * DEPTH_MAX + b"}",
        b'{"a": ' + b"9" * 60_000,
    ],
)
def test_no_json_object(line: bytes) -> None:
    assert parse(line) is None


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b"{}", {}),
        (b' \t{"a": 1}\r', {"a": 1}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b'{"a": 1e999}', {"a": float("inf")}),
        (b'{"a": -0}', {"a": 0}),
        (b'{"\\ud800": "\\ud83c\\udca0"}', {"\ud800": "🂠"}),
        (b'{"a": 123456789012345678901234567890}', {"a": 123456789012345678901234567890}),
        (b'{"a": "' + b"[{" * 5000 + b'"}', {"a": "[{" * 5000}),
        (b'{"a": "' + b'\\"[' * 5000 + b'"}', {"a": '"[' * 5000}),
        (b'{"a": [' + b"[]," * 5000 + b"{}]}", {"a": [*([] for _ in range(5000)), {}]}),
    ],
)
def test_json_objects(line: bytes, value: object) -> None:
    assert parse(line) == value


def test_the_deepest_line_that_is_read() -> None:
    depth = DEPTH_MAX - 1
    assert parse(b'{"a":' + b"[" * depth + b"]" * depth + b"}") is not None


def test_a_number_too_large_to_read_is_no_error_where_nobody_looks() -> None:
    fields = parse(b'{"play": "pass", "x": ' + b"9" * 60_000 + b"}")
    assert fields is not None
    assert fields["play"] == "pass"
    assert not isinstance(fields["x"], int)


@given(st.binary(max_size=200))
def test_no_exception_escapes(line: bytes) -> None:
    assert parse(line) is None or isinstance(parse(line), dict)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values))
def test_what_json_writes_is_read(value: dict[str, object]) -> None:
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)
        encoded = text.encode("utf-8", "surrogatepass")
        assert parse(encoded) == (value if _is_utf8(encoded) else None)


def _is_utf8(data: bytes) -> bool:
    return data.decode("utf-8", "ignore").encode() == data


SHREDS = (
    *("{", "}", "[", "]", ":", ",", '"', '"by"', "true", "null", "NaN", "-", "0", "-0", "1", "7"),
    *(".5", "e9", "E-400", "e400", "9" * 19, "9" * 40, " ", "\t", "\x01", "\x7f", "õ", "\ufeff"),
    *("\\", "\\n", "\\x", "\\u00e9", "\\ud83d", "\\ude00", "\\u0000", "/"),
)


@given(st.lists(st.sampled_from(SHREDS)).map("".join), st.text(max_size=5))
def test_a_line_is_read_as_pythons_own_json_reads_it(said: str, text: str) -> None:
    def no_constant(name: str) -> None:
        raise ValueError(name)

    for line in (said, f'{{"x": {said}}}', f'{{"x": "{said}{text}"}}'):
        try:
            value = json.loads(line, parse_constant=no_constant)
        except (json.JSONDecodeError, ValueError):
            value = None
        expected = value if isinstance(value, dict) else None
        assert repr(parse(line.encode())) == repr(expected)


@given(
    st.dictionaries(
        st.text(st.characters()),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(st.characters()),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=6,
        ),
    )
)
def test_a_line_is_written_as_pythons_own_json_writes_it(value: dict[str, object]) -> None:
    said = json.dumps(value, ensure_ascii=False)
    assert in_one_line(value) == said.encode("utf-8", "backslashreplace").decode()
