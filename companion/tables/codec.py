"""Dataclasses to plain JSON and back, led by their type hints.

Reading is strict: a value whose type differs from the hint is an `UndecodableError` with the
field's name. So the same functions serve the log and the fields that a phone sends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


class UndecodableError(ValueError):
    """A value that its field's type does not allow."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def encode(value: Any) -> Any:
    """Plain JSON: objects, lists, texts, numbers, booleans and null.

    >>> encode(((1, 2), None, "x"))
    [[1, 2], None, 'x']
    """
    if isinstance(value, Enum):
        return encode(value.value)
    if value is None or isinstance(value, (str, int, float)):
        return value
    if is_dataclass(value):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: encode(one) for key, one in value.items()}
    if isinstance(value, (frozenset, set)):
        return [encode(one) for one in sorted(value)]
    if isinstance(value, (tuple, list)):
        return [encode(one) for one in value]
    raise TypeError(f"{type(value).__name__} has no plain form")


@cache
def _hints(kind: type) -> tuple[tuple[str, Any, bool], ...]:
    """Name, type and whether it is required, of every field."""
    hints = get_type_hints(kind)
    return tuple(
        (
            field.name,
            hints[field.name],
            field.default is MISSING and field.default_factory is MISSING,
        )
        for field in fields(kind)
    )


def decode(kind: type, data: Mapping[str, Any]) -> Any:
    """The dataclass with these fields; unknown and missing fields are errors.

    >>> from companion.tables.model import Wifi
    >>> decode(Wifi, {"name": "Kelder", "password": ""})
    Wifi(name='Kelder', password='')
    """
    found = {}
    for name, hint, required in _hints(kind):
        if name in data:
            found[name] = _value(hint, data[name], name)
        elif required:
            raise UndecodableError(name)
    if len(found) != len(data):
        raise UndecodableError(min(set(data) - set(found)))
    return kind(**found)


def _value(hint: Any, value: Any, field: str) -> Any:
    hint = getattr(hint, "__supertype__", hint)
    if hint is Any:
        return value
    if hint in (int, str, bool, NoneType, None):
        if type(value) is (NoneType if hint is None else hint):
            return value
        raise UndecodableError(field)
    if hint is float:
        if type(value) in (int, float):
            return float(value)
        raise UndecodableError(field)
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        for option in args:
            try:
                return _value(option, value, field)
            except UndecodableError:
                continue
        raise UndecodableError(field)
    if origin is Literal:
        for option in args:
            if type(option) is type(value) and option == value:
                return value
        raise UndecodableError(field)
    if origin in (tuple, frozenset):
        return _sequence(origin, args, value, field)
    if isinstance(hint, type) and is_dataclass(hint) and isinstance(value, Mapping):
        return decode(hint, value)
    if isinstance(hint, type) and issubclass(hint, tuple) and type(value) in (list, tuple):
        inner = tuple(get_type_hints(hint).values())
        return hint(*_sequence(tuple, inner, value, field))
    if isinstance(hint, type) and issubclass(hint, Enum):
        for member in hint:
            if type(member.value) is type(value) and member.value == value:
                return member
    raise UndecodableError(field)


def _sequence(origin: Any, args: tuple[Any, ...], value: Any, field: str) -> Any:
    if type(value) not in (list, tuple):
        raise UndecodableError(field)
    if args == (Any, ...):
        return tuple(value)
    if origin is frozenset:
        return frozenset(_value(args[0], one, field) for one in value)
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_value(args[0], one, field) for one in value)
    if len(args) != len(value):
        raise UndecodableError(field)
    return tuple(_value(hint, one, field) for hint, one in zip(args, value, strict=True))
