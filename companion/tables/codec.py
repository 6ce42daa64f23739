"""Events to plain JSON and back, led by the type hints of their classes.

Reading is strict: a value whose type differs from the hint is an `UndecodableError` with the
field's name. Events are made of numbers, texts, tuples of these, None, and plain JSON (`Any`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints


class UndecodableError(ValueError):
    """A value that its field's type does not allow."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def encode(value: Any) -> Any:
    """Plain JSON: objects, lists, texts, numbers and null.

    >>> encode(((1, 2), None, "x"))
    [[1, 2], None, 'x']
    """
    if value is None or isinstance(value, (str, int)):
        return value
    if is_dataclass(value):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: encode(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [encode(one) for one in value]
    raise TypeError(f"{type(value).__name__} has no plain form")


def encode_events(events: Iterable[Any]) -> tuple[dict[str, Any], ...]:
    """A game's events, each with the name of its class."""
    return tuple({"event": type(event).__name__, **encode(event)} for event in events)


def decode_events(kinds: Mapping[str, type], plain: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
    """The events as they were; `UndecodableError` where no program of ours wrote them."""
    return tuple(_event(kinds, each) for each in plain)


def _event(kinds: Mapping[str, type], plain: Mapping[str, Any]) -> Any:
    kind = kinds.get(plain.get("event", ""))
    if kind is None:
        raise UndecodableError("event")
    return decode(kind, {name: plain[name] for name in plain if name != "event"})


@cache
def _hints(kind: type) -> tuple[tuple[str, Any, bool], ...]:
    """Name, type and whether it is required, of every field."""
    hints = get_type_hints(kind)
    return tuple(
        (field.name, hints[field.name], field.default is MISSING) for field in fields(kind)
    )


def decode(kind: type, data: Mapping[str, Any]) -> Any:
    """The dataclass with these fields; unknown and missing fields are errors.

    >>> from companion.tables.model import Wifi
    >>> decode(Wifi, {"name": "Kelder", "password": ""})
    Wifi(name='Kelder', password='')
    """
    values = {}
    for name, hint, required in _hints(kind):
        if name in data:
            values[name] = _value(hint, data[name], name)
        elif required:
            raise UndecodableError(name)
    if len(values) != len(data):
        raise UndecodableError(min(set(data) - set(values)))
    return kind(**values)


def _value(hint: Any, value: Any, field: str) -> Any:
    if hint is Any:
        return value
    if hint in (int, str, NoneType):
        if type(value) is hint:
            return value
        raise UndecodableError(field)
    origin, args = get_origin(hint), get_args(hint)
    if origin is UnionType:
        for option in args:
            try:
                return _value(option, value, field)
            except UndecodableError:
                continue
        raise UndecodableError(field)
    assert origin is tuple, hint
    return _tuple(args, value, field)


def _tuple(args: tuple[Any, ...], value: Any, field: str) -> tuple[Any, ...]:
    if type(value) not in (list, tuple):
        raise UndecodableError(field)
    if args[1:] == (Ellipsis,):
        return tuple(_value(args[0], one, field) for one in value)
    if len(args) != len(value):
        raise UndecodableError(field)
    return tuple(_value(hint, one, field) for hint, one in zip(args, value, strict=True))
