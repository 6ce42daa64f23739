"""The rules at hand: in every edition and language, searched without script, and on every page."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from companion import catalogues
from companion.games import GAMES
from companion.languages import LOCALES
from companion.web.pages.rules_search import marked, search, words
from tests.kit import pages

EVERY = [(name, edition) for name in GAMES if (game := GAMES[name]) for edition in game.editions]


def asked(phone, **query: str):
    return phone.get(f"/rules/saboteur?{urlencode(query)}")


def shown(text: str) -> list[str]:
    """The anchors of the paragraphs that are not hidden."""
    return re.findall(r'<article id="([\w-]+)" data-rule>', text)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("game", "edition"), EVERY)
def test_every_edition_in_every_language(club, game: str, edition: str, locale: str) -> None:
    answer = club.phone(locale).get(f"/rules/{game}?edition={edition}")
    assert answer.status_code == 200
    assert answer.headers["Content-Language"].startswith(locale)
    book = GAMES[game].book(catalogues.catalogue(locale), edition)
    assert shown(answer.text) == [rule.anchor for section in book for rule in section.rules]
    ids = re.findall(r'\bid="([^"]+)"', answer.text)
    assert len(set(ids)) == len(ids)
    drawn = set(re.findall(r'<use href="#([^"]+)"', answer.text))
    assert drawn <= set(ids)


def test_without_an_edition_it_is_the_one_of_the_reader_s_language(club) -> None:
    for locale, name in (("et", "et-2007"), ("fi", "fi"), ("lt", "lt-2009")):
        for query in ("", "?edition=", "?edition=whist", "?edition=et-2015"):
            answer = club.phone(locale).get(f"/rules/saboteur{query}")
            assert f'name="edition" value="{name}"' in answer.text
    assert 'value="et-2015"' in club.phone("lt").get("/rules/trains").text


def test_where_there_are_no_rules(club) -> None:
    assert club.phone().get("/rules/whist").status_code == 404
    assert club.phone().get("/rules").location == f"/rules/{next(iter(GAMES))}"


# Searching


def test_a_book_without_rules_has_no_hit() -> None:
    assert search((), ("gold",)) == (frozenset(), ("gold",))


@pytest.mark.parametrize("query", ["rockfall", "ROCKFALL", "  rockfall card ", "róckfäll"])
def test_what_is_searched_is_shown_and_marked(club, query: str) -> None:
    answer = asked(club.phone(), q=query, edition="en")
    found = shown(answer.text)
    assert "rockfall" in found
    assert "aim" not in found
    assert "<mark>Rockfall</mark>" in answer.text
    assert f"Paragraphs found: {len(found)}" in answer.text
    assert 'id="contents" aria-label="Contents" hidden' in answer.text


def test_all_words_must_be_there(club) -> None:
    page = club.phone().get("/rules/saboteur?q=saboteurs+clockwise&edition=en").text
    assert "saboteurs-gold" in shown(page)
    assert "map" not in shown(page)


@pytest.mark.parametrize(
    ("language", "question", "paragraph"),
    [
        ("en", "what happens when the pile is empty?", "round-end"),
        ("en", "Can I break my own tool", "break"),
        ("fi", "saanko heittää kortin pois", "pass"),
        ("et", "kas ma võin passida", "turn"),
        ("lv", "cik kāršu man ir rokā", "pass"),
        ("lt", "ar galima matyti kito žaidėjo kortą", "goals"),
    ],
)
def test_a_question_finds_what_has_most_of_its_words(
    club, language: str, question: str, paragraph: str
) -> None:
    page = club.phone(language).get(f"/rules/saboteur?q={question}").text
    assert paragraph in shown(page)


def test_nothing_found(club) -> None:
    page = club.phone().get("/rules/saboteur?q=xylophone").text
    assert shown(page) == []
    assert "Nothing was found" in page
    assert 'href="/rules/saboteur?edition=en' in page


@pytest.mark.parametrize("query", ["", "  ", "?!", "%00"])
def test_no_words_are_no_question(club, query: str) -> None:
    page = club.phone().get(f"/rules/saboteur?q={query}").text
    assert "aim" in shown(page)
    assert "<mark>" not in page


def test_a_query_is_text(club) -> None:
    page = asked(club.phone(), q='<b>"&' + "x" * 5000).text
    assert "<b>&#34;" not in page
    assert '<b>"' not in page
    assert "x" * 101 not in page


def test_marks_are_put_around_the_letters_as_they_are_written() -> None:
    assert marked("Käik & kaik", words("KAIK")) == "<mark>Käik</mark> &amp; <mark>kaik</mark>"
    assert marked("Straße", words("strasse")) == "<mark>Straße</mark>"
    assert marked("banana", words("ana")) == "b<mark>anana</mark>"
    assert marked("a<b", ()) == "a&lt;b"
    assert words("Žygimantė, õli õli") == ("zygimante", "oli")


# The way there and back


def test_every_page_of_a_table_leads_there_and_back(seated) -> None:
    club, host, path, phones = seated
    every = [(phones[0], pages.seen(phones[0], path)), (host, pages.seen(host, path))]
    for phone, page, text in [(one, *each) for one, shown in every for each in shown.items()]:
        links = re.findall(r'href="(/rules/saboteur\?[^"]+)"', text)
        assert links, page
        rules = phone.get(links[0].replace("&amp;", "&"))
        assert f'name="edition" value="{club.table(path).edition}"' in rules.text
        assert f'href="{path}{page}' in rules.text
        assert "/language?next=/rules/saboteur%3F" in rules.text


def test_without_an_edition_it_is_the_one_of_the_table(club) -> None:
    host = club.phone("lv")
    path = club.open(host, edition="et-2007")
    phone = club.sit(path, ["Anna"], ("lv",))[0]
    for back in (path, f"{path}/fair", f"{club.join_path(path)}/screen"):
        there = phone.get(f"/rules?back={back}").location
        trains = phone.get(f"/rules/trains?back={back}").text
        again = re.search(r'class="chip" href="(/rules/saboteur[^"]*)"', trains)
        assert again is not None
        for page in (there, again[1].replace("&amp;", "&")):
            assert 'name="edition" value="et-2007"' in phone.get(page).text
        assert 'name="edition" value="et-2007"' not in trains
        assert 'name="edition" value="fi"' in phone.get(f"{there}&edition=fi").text
    assert 'value="lv-2009"' in asked(club.phone("lv"), back=path).text  # a stranger


def test_the_rules_at_hand_are_those_of_the_game_at_the_table(club) -> None:
    host = club.phone()
    path = club.open(host, game="trains")
    assert host.get(f"/rules?back={path}").location.startswith("/rules/trains?")
    assert (
        club.phone().get(f"/rules?back={path}").location.startswith(f"/rules/{next(iter(GAMES))}?")
    )


def test_there_is_no_way_out_to_another_site(club) -> None:
    for back in ("//evil.example", "https://evil.example", "javascript:alert(1)", "/\\evil"):
        page = asked(club.phone(), back=back).text
        assert "evil" not in page
        assert "javascript:" not in page


def test_the_table_s_language_for_guests_without_one_of_ours(club) -> None:
    path = club.open(club.phone("lv"), language="lv")
    join = club.join_path(path)
    seated = club.sit(path, ["Anna"], ("ru",))[0]
    guest = club.phone("ru")
    for phone, back in ((seated, path), (guest, join), (guest, f"{join}/screen")):
        assert asked(phone, back=back).headers["Content-Language"] == "lv"
    assert asked(seated, back="/t/none").headers["Content-Language"] == "en-GB"


def test_strangers_do_not_learn_a_table_s_language(club) -> None:
    path = club.open(club.phone("lv"), language="lv")
    for back in (path, "/j/none"):
        assert asked(club.phone("ru"), back=back).headers["Content-Language"] == "en-GB"


def test_the_home_page_leads_there(club) -> None:
    assert re.search(rf'href="/rules/{next(iter(GAMES))}\?edition=', club.phone().get("/").text)
