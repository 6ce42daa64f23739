"""The rules as data: whole, the same anchors everywhere, and in agreement with the referee."""

from __future__ import annotations

import re
from gettext import NullTranslations

import pytest
from msgspec.structs import fields

from companion.games import GAMES
from companion.games import book as book_model
from companion.games.saboteur.book.differences import differences
from companion.games.saboteur.book.figures import DWARFS, deck
from companion.games.saboteur.rules import cards
from companion.games.saboteur.rules.editions import EDITIONS, Edition
from companion.games.saboteur.rules.gold import pay_miners, pay_saboteurs
from companion.games.trains.reasons import OUT_OF_REACH, WRONG_PHASE
from companion.games.trains.rules.abilities import REACH as ABILITIES
from companion.web.view import rulebook
from companion.web.view.rulebook import rules_path

T = NullTranslations()
BOOKS = {name: tuple(game.editions) for name in GAMES if (game := GAMES[name])}
REASONS = {name: game.reasons for name in BOOKS if (game := GAMES[name])}
EVERY = [(game, edition) for game, editions in BOOKS.items() for edition in editions]
PROMISED = {
    "saboteur": """
        aim players cards copies dwarfs deal turn pass path-card matching connected dead-end break
        broken-tools repair rockfall map goals stones round-end gold saboteurs-gold gold-cards
        next-round standings
    """,
    "trains": """
        aim players cards deal draft turn draw market abilities swap move removal refill protect
        winning pile
    """,
}
"""Anchors that links out in the world may lead to."""

RULINGS = {field.name for field in fields(Edition)} - {"name", "source", "sections"}
ONLY_SAID = {"stone_opens_in_writing", "any_pay_order"}
"""Rulings of the referee that hold whatever the text says: only the book words them otherwise."""


RULED = {
    "reveals_all": ("goals", "all of them are turned over", "which one of them to turn over"),
    "connected": ("connected", "must continue", "need not continue"),
    "ring_ends": (
        "round-end",
        "also win when the draw pile is empty",
        "even if all players pass",
    ),
    "last_starts_next": ("next-round", "who had the last turn", "who started this round"),
}
"""The others, in the order of their questions: the anchor of the rule, and what it says where the
ruling holds, and where not."""


def rules(game: str, edition: str) -> dict[str, book_model.Rule]:
    sections = GAMES[game].book(T, edition)
    return {rule.anchor: rule for section in sections for rule in section.rules}


def lines(edition: str, anchor: str, mark: str) -> str:
    rule = rules("saboteur", edition)[anchor]
    return " ".join(line.text for line in rule.lines if line.mark == mark)


@pytest.mark.parametrize(("game", "edition"), EVERY)
def test_every_anchor_exists_once(game: str, edition: str) -> None:
    sections = GAMES[game].book(T, edition)
    anchors = [section.anchor for section in sections]
    anchors += [rule.anchor for section in sections for rule in section.rules]
    assert len(set(anchors)) == len(anchors)
    assert [each for each in anchors if not re.fullmatch(r"[a-z]+(-[a-z]+)*", each)] == []
    assert list(rules(game, edition)) == PROMISED[game].split()


@pytest.mark.parametrize(("game", "edition"), EVERY)
def test_paragraphs_are_short_and_whole(game: str, edition: str) -> None:
    for rule in rules(game, edition).values():
        assert rule.title
        assert rule.lines
        for line in rule.lines:
            assert re.fullmatch(r"[A-Z].*[.]", line.text), line.text
            assert len(line.text) <= 320, line.text
            longest = max(len(part.split()) for part in re.split(r"(?<=[.:]) ", line.text))
            assert longest <= 32, line.text


@pytest.mark.parametrize("game", BOOKS)
def test_every_reason_leads_to_a_paragraph(game: str) -> None:
    for edition in BOOKS[game]:
        known = rules(game, edition)
        for reason in REASONS[game].values():
            assert reason.paragraph in known
            assert rulebook.title(T, GAMES[game], edition, reason.paragraph)
    assert rulebook.title(T, GAMES[game], BOOKS[game][0], "no-such-paragraph") is None


def test_a_refusal_may_know_better() -> None:
    known = rules("trains", "et-2015")
    reached = {ability for ability, places in ABILITIES.items() if places}
    assert set(OUT_OF_REACH.paragraph_by[1]) == reached
    for reason in (OUT_OF_REACH, WRONG_PHASE):
        parameter, paragraphs = reason.paragraph_by
        for value, anchor in paragraphs.items():
            assert reason.paragraph_for({parameter: value}) == anchor
            assert anchor in known
    assert WRONG_PHASE.paragraph_for({"phase": None}) == "turn"


def test_addresses() -> None:
    assert rules_path("trains") == "/rules/trains"
    assert rules_path("saboteur", "fi", "map", "/t/a?seat=2") == (
        "/rules/saboteur?edition=fi&back=%2Ft%2Fa%3Fseat%3D2#map"
    )


# What differs


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_edition_s_own_rulings_are_marked(edition: str) -> None:
    for field, (anchor, holding, otherwise) in RULED.items():
        said = lines(edition, anchor, book_model.EDITION)
        holds = getattr(EDITIONS[edition], field)
        assert (holding in said, otherwise in said) == (holds, not holds), field


def test_our_rulings_are_marked() -> None:
    assert "left face down" in lines("et-2007", "goals", book_model.OURS)
    assert "next path card" in lines("et-2007", "goals", book_model.OURS)
    assert "everyone passes" in lines("et-2007", "round-end", book_model.OURS)
    assert "any order" in lines("et-2007", "saboteurs-gold", book_model.OURS)
    assert "first round" in lines("fi", "next-round", book_model.OURS)
    assert "open the way" in lines("fi", "goals", book_model.EDITION)
    for edition in ("lt-2009", "lv-2009", "en"):
        assert "open the way" in lines(edition, "goals", book_model.OURS)
    for edition in EDITIONS:
        assert "A saboteur whose path card" in lines(edition, "gold", book_model.OURS)
        assert "bottom" in lines(edition, "saboteurs-gold", book_model.OURS)


def test_an_edition_states_only_what_differs_and_where_it_is_said() -> None:
    for edition in EDITIONS.values():
        usual = Edition(edition.name, edition.source)
        differing = {name for name in RULINGS if getattr(edition, name) != getattr(usual, name)}
        assert edition.sections.keys() == differing
    assert [name for name in EDITIONS if EDITIONS[name].sections] == ["et-2007", "fi"]


def test_the_table_of_differences_is_that_of_the_referee() -> None:
    assert RULED.keys() | ONLY_SAID == RULINGS
    shown = differences(T)
    assert [each.anchor for each in shown] == [anchor for anchor, _, _ in RULED.values()]
    for field, each in zip(RULED, shown, strict=True):
        assert len(each.answers) == 2
        seen = {
            edition: place
            for place, (_, editions) in enumerate(each.answers)
            for edition in editions
        }
        assert sorted(seen) == sorted(EDITIONS)
        ways = {(place, getattr(EDITIONS[name], field)) for name, place in seen.items()}
        assert len(ways) == 2, each.question
    answers = {each.anchor: dict(reversed(pair) for pair in each.answers) for each in shown}
    assert answers["goals"]["et-2007",].startswith("The player turns over one")
    assert answers["connected"]["et-2007",].startswith("Beside any")
    assert "pass" in answers["round-end"]["et-2007",]
    assert "started this round" in answers["next-round"]["fi",]


# Numbers


def test_numbers_of_cards_are_those_of_the_referee() -> None:
    edition = next(iter(EDITIONS))
    said = lines(edition, "cards", book_model.PLAIN)
    tunnels = sum(cards.TUNNEL_COPIES.values())
    actions = cards.DECK - tunnels
    assert f"1 start card, 3 goal cards and {tunnels} cards" in said
    assert f"{tunnels + 4} path cards" in said
    assert f"{actions} action cards, {len(cards.GOLD_CARDS)} gold cards" in said
    saboteurs, miners = cards.DWARVES[10]
    assert f"{miners} gold diggers and {saboteurs} saboteurs" in said
    copies = lines(edition, "copies", book_model.PLAIN)
    tool, pair = cards.REPAIR_COPIES[1], cards.REPAIR_COPIES[3]
    for part in (
        f"{cards.BREAK_COPIES} broken pickaxes, {cards.BREAK_COPIES} broken lanterns",
        f"{tool} repair cards for each tool, {pair} repair card for each pair",
        f"{cards.ROCKFALL_COPIES} rockfall cards and {cards.MAP_COPIES} map cards",
    ):
        assert part in copies
    assert 3 * (cards.BREAK_COPIES + tool + pair) + cards.ROCKFALL_COPIES + cards.MAP_COPIES == (
        actions
    )
    gold = lines(edition, "gold-cards", book_model.PLAIN)
    one, two, three = (cards.GOLD_COPIES[value] for value in (1, 2, 3))
    assert f"{one} cards with one nugget, {two} with two and {three} with three" in gold


def test_the_table_of_dwarfs() -> None:
    assert [row[0] for row in DWARFS] == list(cards.SEAT_COUNTS)
    for players, saboteurs, miners, hand in DWARFS:
        assert saboteurs + miners == players + 1
        assert (saboteurs, miners) == cards.DWARVES[players]
        assert hand == cards.HANDS[players]
    deal = lines("en", "deal", book_model.PLAIN)
    for low, high, hand in re.findall(r"(\d+) (?:to|or) (\d+) players[a-z ]* (\d) cards", deal):
        assert {cards.HANDS[n] for n in range(int(low), int(high) + 1)} == {int(hand)}


def test_gold_dues_are_those_of_the_referee() -> None:
    said = lines("en", "saboteurs-gold", book_model.PLAIN)
    pile = cards.GOLD_CARDS
    for saboteurs, seats in ((1, 3), (2, 5), (3, 7), (4, 10)):
        roles = ["saboteur"] * saboteurs + ["miner"] * (seats - saboteurs)
        shares, _ = pay_saboteurs(pile, roles, 0, range(seats))
        due = {sum(share) for share in shares[:saboteurs]}
        assert due == {{1: 4, 2: 3, 3: 3, 4: 2}[saboteurs]}
    for part in ("single saboteur gets 4", "three saboteurs get 3", "Four saboteurs get 2"):
        assert part in said
    taken = [sum(map(len, pay_miners(pile, ["miner"] * n, 0, range(n))[0])) for n in (5, 9, 10)]
    assert taken == [5, 9, 9]
    assert "With 10 players, only 9 are taken" in lines("en", "gold", book_model.PLAIN)


def test_the_deck_is_drawn_whole() -> None:
    drawn = deck(T, ", ".join)
    assert sum(card.copies for card in drawn) == 40
    labels = {card.symbol: card.label for card in drawn}
    assert labels["t-NES"] == "Path card, open sides: top, right, bottom"
    assert labels["d-E"] == "Dead end, open sides: right"
    assert len(labels) == len(cards.TUNNEL_COPIES)
