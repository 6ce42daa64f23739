"""What a script is told of a page: JSON of its parts, as the HTML that is in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from werkzeug.test import TestResponse

from companion.web.html.cache import TABLE


def html_in(said: Any) -> Iterator[str]:
    """Every text in what is said of a page's parts."""
    match said:
        case str():
            yield said
        case dict():
            for each in said.values():
                yield from html_in(each)
        case list():
            for each in said:
                yield from html_in(each)


def shown(answer: TestResponse) -> str:
    """What an answer shows: its page, or what changes on the page where a script has asked."""
    if answer.mimetype != "application/json":
        return answer.text
    return "\n".join(html_in(json.loads(answer.text)))


def at_table(part: str, path: str) -> str:
    """A part as the script puts it into a page of the table at `path`."""
    return part.replace(TABLE, path.removeprefix("/t/"))


def aloud(page: str) -> str:
    """What the script has read aloud when a page has become this one."""
    (happened, to_do), *_ = re.findall(r'data-news="([^"]*)"(?: data-to-do="([^"]*)")?', page)
    first = to_do and re.findall(r'data-to-do="([^"]*)"', page)[0]
    return unescape(f"{happened} {first}").strip()


def message(block: bytes) -> tuple[int, list[dict[str, Any]]]:
    """Of a stream: the table's version, and what is said of the parts, line by line."""
    lines = block.partition(b"event: ")[0].decode().splitlines()
    said = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    version = next(line.removeprefix("id: ") for line in lines if line.startswith("id: "))
    return int(version), said
