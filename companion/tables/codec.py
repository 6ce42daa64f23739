"""Events to plain JSON and back, led by the types of their fields.

Reading is strict: a field that is missing, unknown or of another type is an `UndecodableError`.
Events are made of numbers, texts, tuples of these, None, and events of games (`Plain`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec import Struct, ValidationError, convert, json

Kind = TypeVar("Kind", bound=Struct)

Plain = tuple[dict[str, Any], ...]
"""A game's events as plain JSON: ``{"event": class name, **fields}`` each."""


class UndecodableError(ValueError):
    """Says which field is not as its type has it, and no value."""


def encode(value: Any) -> Any:
    """Plain JSON: objects, lists, texts, numbers and null.

    >>> encode(((1, 2), None, "x"))
    [[1, 2], None, 'x']
    """
    return json.decode(json.encode(value))


def encode_events(events: Iterable[Any]) -> Plain:
    """A game's events, each with the name of its class."""
    return tuple({"event": type(event).__name__, **encode(event)} for event in events)


def decode_events(kinds: Mapping[str, type[Struct]], plain: Plain) -> tuple[Any, ...]:
    """The events as they were; `UndecodableError` where no program of ours wrote them."""
    return tuple(_event(kinds, each) for each in plain)


def _event(kinds: Mapping[str, type[Struct]], plain: Mapping[str, Any]) -> Struct:
    kind = kinds.get(plain.get("event", ""))
    if kind is None:
        raise UndecodableError("event")
    return decode(kind, {name: plain[name] for name in plain if name != "event"})


def decode(kind: type[Kind], data: Mapping[str, Any]) -> Kind:
    """The value with these fields.

    >>> from companion.tables.model import Wifi
    >>> decode(Wifi, {"name": "Kelder", "password": ""})
    Wifi(name='Kelder', password='')
    """
    unknown = data.keys() - set(kind.__struct_fields__)
    if unknown:
        raise UndecodableError(min(unknown))
    try:
        return convert(data, kind)
    except ValidationError as error:
        raise UndecodableError(str(error)) from error
