"""Five people, five languages, a laptop: a whole evening through the interface."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.phones import FIVE, Device, Phone, cards_gained, report, scan, seats

pytestmark = pytest.mark.browser

DUE = {1: 4, 2: 3, 3: 3, 4: 2}
"""Nuggets for each saboteur, by the number of saboteurs."""


def test_a_whole_game(
    laptop: Device,
    new_phone: Callable[..., Phone],
    zbarimg: str,
    pictures: Path | None,
) -> None:
    whole_game(SeenEvening(laptop, pictures), new_phone, zbarimg)


def whole_game(evening: "SeenEvening", new_phone: Callable[..., Phone], zbarimg: str) -> None:
    evening.opens()
    evening.five_sit_down(new_phone, zbarimg)
    evening.the_host_starts()

    roles = evening.everybody_looks("1")
    evening.reports(3, finisher=None, last="Rūta")
    evening.takes_the_report_back()
    diggers = [name for name, role in roles.items() if role == "miner"]
    evening.reports(1, finisher=diggers[-1])
    first = evening.the_round_is_settled(roles, finisher=diggers[-1])
    gold = evening.everybody_counts_gold(roles, first, {})

    evening.the_host_deals()
    roles = evening.everybody_looks("2")
    evening.reports(4, finisher=None, last="Charlotte")
    second = evening.the_round_is_settled(roles, finisher=None)
    gold = evening.everybody_counts_gold(roles, second, gold)

    evening.the_host_deals()
    roles = evening.everybody_looks("3")
    diggers = [name for name, role in roles.items() if role == "miner"]
    evening.reports(2, finisher=diggers[0])
    evening.the_game_is_over(gold, roles)
    evening.another_game()
    evening.nothing_went_wrong()


class SeenEvening:
    """By taps, on phones and a laptop; whoever wants has pictures of all of them."""

    def __init__(self, laptop: Device, pictures: Path | None) -> None:
        self.laptop = laptop
        self.pictures = pictures
        self.phones: dict[str, Phone] = {}

    @property
    def host(self) -> Phone:
        return next(iter(self.phones.values()))

    def picture(self, name: str) -> None:
        self.laptop.shot(self.pictures, f"{name}-screen")
        for phone in self.phones.values():
            phone.shot(self.pictures, f"{name}-{phone.kind.locale}")

    def opens(self) -> None:
        """One tap on the laptop, and it is the table screen."""
        self.laptop.page.goto("/screen")
        self.laptop.page.locator("form[action='/open'] button.main").click()
        self.laptop.page.wait_for_url(re.compile(r"/t/[^/]+/screen$"))

    def five_sit_down(self, new_phone: Callable[..., Phone], zbarimg: str) -> None:
        link = scan(self.laptop.page.screenshot(), zbarimg)
        assert re.fullmatch(re.escape(self.laptop.url) + r"/j/[\w-]{22}", link)
        for count, (name, kind) in enumerate(FIVE, 1):
            phone = new_phone(kind)
            phone.page.goto(link)
            phone.page.locator("input[name=name]").fill(name)
            phone.page.locator("#join-form button").click()  # the one tap
            phone.page.wait_for_url(re.compile(r"/t/[^/]+"))
            expect(phone.page.locator("html")).to_have_attribute(
                "lang", "en-GB" if kind.locale == "en" else kind.locale
            )
            self.phones[name] = phone
            for device in (self.laptop, *self.phones.values()):
                expect(device.page.locator("li.seat[id]")).to_have_count(count)
        self.picture("1-lobby")

    def the_host_starts(self) -> None:
        assert list(seats(self.laptop.page)) == list(self.phones)
        self.laptop.do("start")
        for phone in self.phones.values():
            expect(phone.page.locator("[data-pad]").first).to_be_visible()

    def everybody_looks(self, number: str) -> dict[str, str]:
        roles = {}
        self.picture(f"{number}-looking")
        for phone in self.phones.values():
            expect(self.laptop.page.locator(".seat.unlit")).to_have_count(5 - len(roles))
            expect(phone.page.locator("[data-pad]").first).to_be_visible()
            roles[next(n for n, p in self.phones.items() if p is phone)] = phone.role()
            assert phone.page.url.count("saboteur") == 0
        assert set(roles.values()) <= {"miner", "saboteur"}
        assert list(roles.values()).count("saboteur") in (1, 2)
        for phone in self.phones.values():
            expect(phone.page.locator('a[href$="/report"]').first).to_be_visible()
        self.picture(f"{number}-playing")
        return roles

    def reports(self, who: int, finisher: str | None, last: str | None = None) -> None:
        report(list(self.phones.values())[who], finisher, last)
        for phone in self.phones.values():
            expect(phone.page.locator("[aria-labelledby=roles-h]").first).to_be_attached()

    def takes_the_report_back(self) -> None:
        expect(self.laptop.form("take-back")).to_have_count(1)
        self.laptop.page.locator("#taking-back summary").click()
        self.laptop.do("take-back")
        for phone in self.phones.values():
            expect(phone.page.locator('a[href$="/report"]').first).to_be_visible()
            assert phone.secrets() == set()

    def the_round_is_settled(self, roles: dict[str, str], finisher: str | None) -> dict[str, int]:
        """Roles are turned over for all, and all see the same numbers of gold cards."""
        saboteurs = {name for name, role in roles.items() if role == "saboteur"}
        for phone in self.phones.values():
            groups = phone.page.locator("[aria-labelledby=roles-h] .rolegroup")
            shown = {
                group.locator("use").first.get_attribute("href"): set(
                    group.locator("bdi").all_inner_texts()
                )
                for group in groups.all()
            }
            assert shown.get("#role-sab", set()) == saboteurs
            assert shown["#role-dig"] == set(roles) - saboteurs
        gained = [cards_gained(phone.page) for phone in self.phones.values()]
        assert all(each == gained[0] for each in gained)
        if finisher:
            assert sum(gained[0].values()) == 5
            assert all(gained[0][name] == 0 for name in saboteurs)
            assert gained[0][finisher] == max(gained[0].values())
        else:
            assert all((gained[0][name] > 0) == (name in saboteurs) for name in roles)
        self.picture("settled-by-" + ("diggers" if finisher else "saboteurs"))
        return gained[0]

    def everybody_counts_gold(
        self, roles: dict[str, str], gained: dict[str, int], before: dict[str, tuple[int, ...]]
    ) -> dict[str, tuple[int, ...]]:
        held = {}
        saboteurs = list(roles.values()).count("saboteur")
        for name, phone in self.phones.items():
            old = before.get(name, ())
            held[name] = phone.gold() if gained[name] or old else ()
            assert len(held[name]) == len(old) + gained[name]
            assert held[name][: len(old)] == old
            if roles[name] == "saboteur" and gained[name]:
                assert sum(held[name]) - sum(old) == DUE[saboteurs]
        return held

    def the_host_deals(self) -> None:
        self.laptop.do("deal")
        for phone in self.phones.values():
            expect(phone.page.locator("form[id^=role-] [data-pad]").first).to_be_visible()

    def the_game_is_over(self, gold: dict[str, tuple[int, ...]], roles: dict[str, str]) -> None:
        """First the last round, like the others; then anybody lets all see who has won."""
        for phone in self.phones.values():
            assert cards_gained(phone.page)
        expect(self.laptop.page.locator(".figures")).to_be_visible()
        expect(self.laptop.page.locator("ol.score")).to_have_count(0)
        list(self.phones.values())[2].do("count")
        tables = []
        for device in (self.laptop, *self.phones.values()):
            lines = device.page.locator("ol.score > li")
            expect(lines).to_have_count(5)
            tables.append(
                [
                    (
                        int(re.sub(r"\D", "", line.locator(".rank").inner_text())),
                        line.locator("bdi").inner_text(),
                        int(line.locator(".pts [aria-hidden]").inner_text()),
                    )
                    for line in lines.all()
                ]
            )
        assert all(each == tables[0] for each in tables)
        standings = tables[0]
        points = [nuggets for _, _, nuggets in standings]
        assert points == sorted(points, reverse=True)
        for place, name, nuggets in standings:
            assert place == 1 + sum(other > nuggets for other in points)
            assert nuggets >= sum(gold[name])
            if roles[name] == "saboteur":
                assert nuggets == sum(gold[name])
        assert 5 <= sum(points) - sum(map(sum, gold.values())) <= 15
        self.picture("over")

    def another_game(self) -> None:
        self.laptop.do("new-game")
        for phone in self.phones.values():
            expect(phone.page.locator("form[id^=role-] [data-pad]").first).to_be_visible()
            assert phone.secrets() == set()

    def nothing_went_wrong(self) -> None:
        said = {name: phone.said for name, phone in self.phones.items() if phone.said}
        assert (said, self.laptop.said) == ({}, [])
