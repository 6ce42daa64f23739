"""The messages in the source, and the catalogues brought in line with them (`make messages`).

What `pybabel extract` and `pybabel update` do, in one process and with the options that the
project needs: no fuzzy guesses, nothing obsolete kept, an English catalogue that repeats the
messages, and each language's own plural rule kept. Latvian's differs from Babel's. What the
glossary has settled is filled in; the rest is left to translators.
"""

from __future__ import annotations

import csv
import re
import sys
from copy import deepcopy
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po, write_po

from companion.languages import LOCALES

ROOT = Path(__file__).resolve().parents[2]

COMMENT_TAG = "Translators:"
PLACEHOLDER = re.compile(r"%\((\w+)\)([sd])")
TAG = re.compile(r"<[^<>]*>")

SOFT_HYPHEN = "\u00ad"
"""Where a long word may be broken on a narrow phone; no part of the word."""


def po_path(locale: str) -> Path:
    return ROOT / "translations" / locale / "LC_MESSAGES" / "messages.po"


def extract() -> Catalog:
    """Every message of the program and its templates, in the order of the files."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as source:
        methods, options = parse_mapping_cfg(source)
    template = Catalog(project="companion", charset="utf-8")
    for file, line, message, comments, context in extract_from_dir(
        ROOT,
        method_map=methods,
        options_map=options,
        keywords=DEFAULT_KEYWORDS,
        comment_tags=(COMMENT_TAG,),
        strip_comment_tags=False,
        directory_filter=_of_the_program,
    ):
        template.add(message, None, [(file, line)], auto_comments=comments, context=context)
    return template


def _of_the_program(directory: str | Path) -> bool:
    path = Path(directory)
    return path == ROOT or path.relative_to(ROOT).parts[0] in ("companion", "templates")


def read(locale: str) -> Catalog:
    """A language's catalogue; an empty one, with Babel's plural rule, where there is none yet."""
    if not po_path(locale).exists():
        return Catalog(locale=locale, project="companion", charset="utf-8", fuzzy=False)
    with po_path(locale).open("rb") as source:
        return read_po(source, locale=locale, abort_invalid=True)


def settled() -> dict[str, dict[str, str]]:
    """The glossary's whole labels and sentences: English -> locale -> text."""
    phrases = Path(__file__).parent / "data" / "phrases.tsv"
    with phrases.open(encoding="utf-8", newline="") as source:
        return {row["en"]: row for row in csv.DictReader(source, delimiter="\t")}


def keys(catalog: Catalog) -> set[tuple[str | None, str | tuple[str, ...]]]:
    return {(message.context, _id(message)) for message in catalog if message.id}


def _id(message: Message) -> str | tuple[str, ...]:
    return message.id if isinstance(message.id, str) else tuple(message.id)


def update() -> None:
    """Brings every committed catalogue in line with the source; translations are kept."""
    template, phrases = extract(), settled()
    for locale in LOCALES:
        catalog = read(locale)
        catalog.update(
            deepcopy(template),  # its new messages become the catalogue's own
            no_fuzzy_matching=True,
            update_creation_date=False,
        )
        for message in catalog:
            if message.id and locale == "en":
                message.string = message.id
            elif isinstance(message.id, str) and message.id in phrases and not message.string:
                message.string = phrases[message.id].get(locale, "")
        po_path(locale).parent.mkdir(parents=True, exist_ok=True)
        with po_path(locale).open("wb") as target:
            write_po(
                target,
                catalog,
                width=100,
                sort_by_file=True,
                ignore_obsolete=True,
                include_lineno=False,
            )
        missing = sum(1 for message in read(locale) if message.id and not all(strings(message)))
        sys.stdout.write(f"{locale}: {len(catalog)} messages, {missing} to translate\n")


def strings(message: Message) -> tuple[str, ...]:
    """The translations of a message, one a plural form; empty where there is none yet."""
    if isinstance(message.string, str) or not message.string:
        return (message.string or "",)
    return tuple(message.string)


if __name__ == "__main__":
    update()
