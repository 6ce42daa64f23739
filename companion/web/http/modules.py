"""Scripts that import each other, joined into one that imports nothing.

One request brings all that a page needs; otherwise a phone learns of each further script when it
has the one before. Every module stays a scope of its own: it becomes a function that gives back
what it exports. What ours do without has no place here: default exports, exports under another
name, exports that change later, modules that import each other in a ring.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.\.?/[\w./-]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|const) (\w+))", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b(?! *\()", re.MULTILINE)


def scopes(names: Iterable[str], read: Callable[[str], str]) -> dict[str, str]:
    """The scripts `names` and all that they import, in the order in which they need each other:
    by name, what stands for each in the joined one.

    `read`: the text of a script by its name. ValueError for a module that cannot be joined.

    >>> scripts = {"lamp.js": "export const lit = () => true;",
    ...            "page.js": 'import { lit } from "./lamp.js";\\nif (lit()) alert();'}
    >>> print("\\n".join(scopes(["page.js"], scripts.get).values()))
    const lamp_js = (() => {
    const lit = () => true;
    return { lit };
    })();
    (() => {
    const { lit } = lamp_js;
    if (lit()) alert();
    })();
    """
    done: dict[str, str] = {}

    def add(name: str, *waiting: str) -> None:
        if name in waiting:
            raise ValueError(f"{name} imports itself, by way of {', '.join(waiting)}")
        if name in done:
            return
        text = read(name)
        for _, imported in _IMPORT.findall(text):
            add(_beside(name, imported), name, *waiting)
        done[name] = text if ".min." in name else _scope(name, text)

    for each in names:
        add(each)
    return done


def _scope(name: str, text: str) -> str:
    exported = _EXPORT.findall(text)
    body = _IMPORT.sub(
        lambda found: f"const {found[1]} = {_variable(_beside(name, found[2]))};", text
    )
    body = _EXPORT.sub("", body)
    if _LEFT.search(body):
        raise ValueError(f"{name} imports or exports in a way that cannot be joined")
    if not exported:
        return f"(() => {{\n{body}\n}})();"
    given = f"return {{ {', '.join(exported)} }};"
    return f"const {_variable(name)} = (() => {{\n{body}\n{given}\n}})();"


def _beside(name: str, path: str) -> str:
    """What a path means in the script of this name."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _variable(name: str) -> str:
    return re.sub(r"\W", "_", name)
