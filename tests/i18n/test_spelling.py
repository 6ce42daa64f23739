"""Every word of every catalogue is known to a dictionary or to the list in words/."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.languages import LOCALES
from tests.i18n import catalogue
from tests.i18n.catalogue import PLACEHOLDER, TAG

WORDS = Path(__file__).parent / "words"
HUNSPELL = {"et": "et_EE", "lt": "lt_LT", "lv": "lv_LV", "en": "en_GB"}


def spoken(locale: str) -> set[str]:
    """The words of a catalogue. Compounds are split at the hyphen, words with digits left out."""
    words = set()
    for message in catalogue.read(locale):
        for text in catalogue.strings(message) if message.id else ():
            plain = TAG.sub(" ", PLACEHOLDER.sub(" ", text.replace(catalogue.SOFT_HYPHEN, "")))
            words |= set(re.findall(r"[^\W\d_]+(?:’[^\W\d_]+)?", plain))
    return {word for word in words if len(word) > 1}


def run(program: str, package: str, arguments: list[str], words: set[str]) -> str:
    found = shutil.which(program)
    assert found, f"{program} is missing; on Debian: apt-get install {package}"
    done = subprocess.run(
        [found, *arguments],
        input="\n".join(sorted(words)) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def unknown(locale: str, words: set[str]) -> set[str]:
    if locale == "fi":
        lines = run("voikkospell", "libvoikko-dev voikko-fi", ["-d", "fi"], words).splitlines()
        return {line.removeprefix("W: ") for line in lines if line.startswith("W: ")}
    plain = {word.replace("’", "'") for word in words}
    package = {"et": "myspell-et", "en": "hunspell-en-gb"}.get(locale, f"hunspell-{locale}")
    listed = run("hunspell", f"hunspell {package}", ["-d", HUNSPELL[locale], "-l"], plain)
    return set(listed.split())


def known(locale: str) -> set[str]:
    lines = (WORDS / f"{locale}.txt").read_text(encoding="utf-8").splitlines()
    return {line.partition("#")[0].strip() for line in lines} - {""}


@pytest.mark.parametrize("locale", LOCALES)
def test_every_word_is_known(locale: str) -> None:
    assert unknown(locale, spoken(locale)) - known(locale) == set()


@pytest.mark.parametrize(
    ("locale", "wrong", "right"),
    [
        ("et", "vrnast", "virnast"),
        ("en", "tresure", "treasure"),
        ("lv", "izmatoto", "izmantoto"),
        ("lt", "paslapyje", "paslaptyje"),
        ("fi", "kultahipuu", "kultahippu"),
    ],
)
def test_the_dictionary_is_there_and_catches_errors(locale: str, wrong: str, right: str) -> None:
    assert unknown(locale, {wrong, right}) == {wrong}
