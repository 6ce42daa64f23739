"""A table screen to which no phone comes says what to try, what is seen on this machine first."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

import pytest
from msgspec.structs import replace

from companion import catalogues, languages
from companion.web.answers.arrivals import LONELY_S
from companion.web.view import advice
from companion.web.view.advice import Tip
from companion.web.view.network import Kind, Network, Sign, WayIn

HOME = Network((WayIn("http://192.168.1.20:8000", Kind.WIFI),))
HEADING = "No phone has connected yet"
FIREWALLS = ("netsh", "socketfilterfw", "ufw", "firewalld")


def with_signs(*signs: Sign, **more: Any) -> Network:
    return replace(HOME, signs=frozenset(signs), **more)


@pytest.fixture
def at_home(clubs: Callable[..., Any]) -> Any:
    """A club on a laptop; its network can be changed."""
    club = clubs()
    services = club.app.extensions["companion"]
    services.network = services.arrivals.network = lambda: club.here
    club.here = HOME
    return club


@pytest.fixture
def screen(at_home: Any) -> Any:
    """What the screen of a table that nobody has come to shows; the table's path and host."""
    host = at_home.phone()
    path = at_home.open(host)
    return lambda: host.get(f"{path}/screen").text, path, host


def test_after_a_while(at_home: Any, screen: Any) -> None:
    shown, _, _ = screen
    assert HEADING not in shown()
    at_home.clock.now += LONELY_S - 1
    assert HEADING not in shown()
    at_home.clock.now += 1
    assert HEADING in shown()
    assert "same Wi-Fi" in shown()


def test_nobody_is_waited_for_when_a_phone_has_come_or_the_table_is_gone(
    at_home: Any, screen: Any
) -> None:
    shown, path, _ = screen
    services = at_home.app.extensions["companion"]
    shown()
    other_host = at_home.phone()
    other = at_home.open(other_host)
    other_host.get(f"{other}/screen")
    assert services.arrivals.awaited() == {path.removeprefix("/t/"), other.removeprefix("/t/")}
    at_home.phone().get(at_home.join_path(path))
    assert services.arrivals.awaited() == {other.removeprefix("/t/")}
    at_home.done(other_host, other, "end")
    assert services.arrivals.awaited() == set()


def test_nobody_is_waited_for_where_a_game_is_on_though_nobody_came_since_the_start(
    at_home: Any, screen: Any
) -> None:
    """As after a restart in the middle of an evening: else the firewall would be asked for ever."""
    shown, path, host = screen
    services = at_home.app.extensions["companion"]
    at_home.sit(path, ["Anna", "Berta", "Carl"])
    at_home.done(host, path, "start")
    services.arrivals.at_tables.clear()
    shown()
    assert services.arrivals.awaited() == set()


def test_a_stream_tells_it_by_itself(at_home: Any, screen: Any) -> None:
    _, path, host = screen
    stream = iter(host.get(f"{path}/live?page=screen").response)
    assert HEADING.encode() not in next(stream)
    at_home.clock.now += LONELY_S
    assert any(HEADING.encode() in next(stream) for _ in range(3))


@pytest.mark.parametrize("page", ["", "/screen"])
def test_a_phone_that_has_come_ends_it(at_home: Any, screen: Any, page: str) -> None:
    shown, path, _ = screen
    shown()
    at_home.clock.now += LONELY_S
    assert HEADING in shown()
    at_home.phone().get(at_home.join_path(path) + page)
    assert HEADING not in shown()


def test_the_host_opening_the_link_is_no_phone(at_home: Any, screen: Any) -> None:
    shown, path, host = screen
    shown()
    at_home.clock.now += LONELY_S
    host.get(at_home.join_path(path))
    host.post(at_home.join_path(path), {"name": "Anna", "key": "join"})
    assert HEADING in shown()


def test_at_once_where_a_phone_got_no_further_than_the_door(at_home: Any, screen: Any) -> None:
    shown, _, _ = screen
    at_home.here = with_signs(Sign.HALF)
    assert HEADING not in shown()  # it has not waited yet
    assert "the page did not load" in shown()


def test_never_behind_a_proxy(clubs: Callable[..., Any]) -> None:
    club = clubs(public_url="https://play.example.org")
    host = club.phone()
    path = club.open(host)
    host.get(f"{path}/screen")
    club.clock.now += LONELY_S
    assert HEADING not in host.get(f"{path}/screen").text


def test_other_addresses_are_one_tap_away(at_home: Any, screen: Any) -> None:
    shown, path, host = screen
    assert "Other addresses" not in shown()
    at_home.here = replace(
        HOME, ways=(*HOME.ways, WayIn("http://10.0.0.2:8000", Kind.WIRED, proved=True))
    )
    for page in (shown(), host.get(f"{path}/qr").text):
        assert "Other addresses" in page
        assert "10.0.0.2:8000" in page
        assert "Cable, works" in page


def test_a_change_of_the_network_is_on_the_page_at_once(at_home: Any, screen: Any) -> None:
    _, path, host = screen
    stream = iter(host.get(f"{path}/live?page=screen").response)
    assert b"192.168.1.20:8000" in next(stream)
    at_home.here = Network((WayIn("http://10.9.9.9:8000", Kind.WIFI),))
    at_home.hub.publish_all()
    said = next(stream)
    assert b"10.9.9.9:8000" in said
    assert b'"ring"' not in said  # only what has changed


@pytest.mark.parametrize(
    ("network", "first"),
    [
        (HOME, Tip.SAME_WIFI),
        (with_signs(Sign.VPN), Tip.VPN_ON),
        (with_signs(Sign.GUEST), Tip.GUEST),
        (with_signs(Sign.PUBLIC), Tip.PUBLIC),
        (with_signs(Sign.INSIDE, Sign.VPN), Tip.INSIDE),
        (with_signs(Sign.NO_NETWORK), Tip.NO_NETWORK),
        (with_signs(Sign.ONLY_HERE, Sign.NO_NETWORK), Tip.ONLY_HERE),
    ],
)
def test_what_can_be_seen_comes_first(network: Network, first: Tip) -> None:
    found = advice.tips(network)
    assert found[0] is first
    assert len(found) <= advice.TIPS_MAX


def test_a_firewall_is_told_with_its_command() -> None:
    assert Tip.FIREWALL not in advice.tips(HOME)
    for firewall in FIREWALLS:
        network = with_signs(Sign.FIREWALL, firewall=firewall)
        assert advice.tips(network)[:2] == (Tip.SAME_WIFI, Tip.FIREWALL)
        command = advice.command(network)
        assert command
        assert firewall == "socketfilterfw" or "8000" in command
    assert advice.command(HOME) == ""


@pytest.mark.parametrize("locale", languages.LOCALES)
def test_every_step_and_kind_has_its_words(locale: str) -> None:
    t = catalogues.catalogue(locale)
    tips = [advice.said(t, each) for each in Tip]
    labels = [advice.label(t, each) for each in Kind]
    assert len({*tips}) == len(Tip)
    assert len({*labels}) == len(Kind)
    if locale != "en":
        english = NullTranslations()
        assert not {advice.said(english, each) for each in Tip} & {*tips}
