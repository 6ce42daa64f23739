"""Every step of every explanation, in every edition, way of playing and language."""

from __future__ import annotations

import pytest

from companion import catalogues, languages
from companion.games import GAMES
from companion.games.explanation import Step

STEPS = range(8, 13)
WORDS_MAX = 30
CHOICES = range(3, 8)
"""As many as the pages have styles for."""


EXPLANATIONS = [
    (name, edition, way)
    for name, game in GAMES.items()
    if game.explanation is not None
    for edition in game.editions
    for way in game.ways
]


def steps(game: str, edition: str, way: str) -> tuple[Step, ...]:
    return GAMES[game].steps(edition, way)


@pytest.mark.parametrize(("game", "edition", "way"), EXPLANATIONS)
@pytest.mark.parametrize("locale", languages.LOCALES)
def test_each_is_short_and_asks_something(game: str, edition: str, way: str, locale: str) -> None:
    t, made = catalogues.catalogue(locale), steps(game, edition, way)
    assert len(made) in STEPS
    for step in made:
        text = " ".join(sentence(t) for sentence in step.text)
        assert len(text.split()) <= WORDS_MAX, text
        assert step.title(t)
        assert step.question(t)
        assert len(step.choices) in CHOICES
        assert {choice.right for choice in step.choices} == {True, False}, step.title(t)
        assert all(choice.why and choice.why(t) for choice in step.choices if not choice.right)
        labels = [choice.label(t) for choice in step.choices if choice.label]
        assert len(set(labels)) == len(labels)
        assert len(labels) in (0, len(step.choices))


RIGHT = {
    "saboteur": {
        "What everyone wants": ".+++",
        "Who you are": ".+.",
        "Your turn": ".+.",
        "A card that fits": "+..",
        "The path from the start": ".+.",
        "Broken tools": ".+.",
        "Rockfall": "+..",
        "Map": "+.+",
        "Reaching a goal card": "..+",
        "When no treasure is found": "..+",
        "The gold": ".+.",
        "With the phones": ".+.",
    },
    "trains": {
        "What everyone wants": ".+.",
        "Your seven wagons": "...+...",
        "Before the first turn": "+..",
        "Your turn": "+..",
        "Drawing a card": "...+...",
        "Two alike": "+..",
        "Changing your row": "+++++..",
        "Removing wagons": "...+...",
        "Protection": "+..+..+",
        "With the phones": "+..",
    },
}
"""By game and title: which choices are right; in an edition and a way that say nothing else."""

ELSE = {
    "et-2007": {
        "The path from the start": "++.",
        "Reaching a goal card": ".+.",
        "When no treasure is found": ".+.",
    },
    ("saboteur", "referee"): {"With the phones": "+.."},
    ("trains", "light"): {"With the phones": ".+."},
}
"""By edition, or by game and way."""


@pytest.mark.parametrize(("game", "edition", "way"), EXPLANATIONS)
def test_what_is_tried_is_judged_by_the_rules(game: str, edition: str, way: str) -> None:
    t = catalogues.catalogue("en")
    judged = {
        step.title(t): "".join(".+"[choice.right] for choice in step.choices)
        for step in steps(game, edition, way)
    }
    assert judged == RIGHT[game] | ELSE.get(edition, {}) | ELSE.get((game, way), {})


@pytest.mark.parametrize(
    ("game", "title", "choice", "why"),
    [
        ("saboteur", "A card that fits", 2, "do not match the neighbouring cards"),
        ("saboteur", "A card that fits", 3, "beside a path card that is face up"),
        ("saboteur", "The path from the start", 1, "must continue an unbroken path"),
        ("saboteur", "The path from the start", 3, "beside a path card that is face up"),
        ("saboteur", "Your turn", 3, "Berta is to play"),
        ("saboteur", "Broken tools", 3, "does not show the tool"),
        ("saboteur", "Rockfall", 2, "no path card here"),
        ("saboteur", "Rockfall", 3, "never takes the start card or a goal card"),
        ("saboteur", "Map", 2, "already face up"),
        ("trains", "Your seven wagons", 1, "descending order"),
        ("trains", "Your turn", 2, "No face-up card has this ability"),
        ("trains", "Changing your row", 6, "no room on the right"),
        ("trains", "Protection", 2, "Only the leftmost, middle or rightmost"),
    ],
)
def test_nearly_says_why_as_the_referee_does(game: str, title: str, choice: int, why: str) -> None:
    t = catalogues.catalogue("en")
    edition, way = list(GAMES[game].editions)[-1], next(iter(GAMES[game].ways))
    step = next(each for each in steps(game, edition, way) if each.title(t) == title)
    found = step.choices[choice - 1].why
    assert found is not None
    assert why in found(t)


def test_texts_differ_where_the_editions_do() -> None:
    t = catalogues.catalogue("en")

    def text(edition: str, number: int) -> str:
        return " ".join(each(t) for each in steps("saboteur", edition, "roles")[number - 1].text)

    for number, old, new in (
        (5, "enough that the sides match", "must also continue"),
        (9, "choose one", "both are turned over"),
        (10, "all pass in succession", "as long as somebody has a card"),
    ):
        assert old in text("et-2007", number)
        assert old not in text("lv-2009", number)
        assert new in text("lv-2009", number)
