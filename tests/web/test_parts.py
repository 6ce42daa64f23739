"""Answers to a script: the fresh part where the form's way leads back, else the way on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.html.cache import VERSION
from companion.web.html.changes import Child, Children, part_change
from companion.web.html.panels import Attributes, Keyed, View
from tests.kit.parts import at_table, shown


def test_the_same_page_is_refreshed(seated) -> None:
    _, host, path, _ = seated
    form = {"version": 6, "key": "k", "name": "Fritz", "next": f"{path}/host"}
    answer = host.fetch(f"{path}/do/add-seat", form, on=f"{path}/host")
    assert answer.status_code == 200
    assert "<html" not in shown(answer)
    assert "Fritz" in shown(answer)
    assert 'class="hostpage"' in shown(answer)
    part = at_table(shown(answer), path).replace(VERSION, answer.headers["X-Version"])
    squeezed = re.sub(r"\s+", "", host.get(f"{path}/host").text)
    assert re.sub(r"\s+", "", part) in squeezed


@pytest.mark.parametrize(
    "page", ["/host", "/t/{}x/host", "/x/t/{}/host", "/t/{}/hosts", "host", ""]
)
def test_what_is_no_page_of_the_table_is_taken_for_the_seat_s(seated, page: str) -> None:
    _, host, path, _ = seated
    form = {"version": 6, "key": "k", "name": "Fritz", "next": path}
    answer = host.fetch(f"{path}/do/add-seat", form, on=page.format(path.removeprefix("/t/")))
    assert 'class="hostpage"' not in shown(answer)
    assert "Fritz" in shown(answer)


def test_another_page_is_gone_to(seated) -> None:
    _, host, path, _ = seated
    form = {"key": "k", "wifi_name": "Kelder", "next": path}
    answer = host.fetch(f"{path}/do/set-wifi", form, on=f"{path}/host")
    assert (answer.status_code, answer.headers["X-Location"]) == (200, path)


def test_the_end_leads_home(seated) -> None:
    _, host, path, _ = seated
    answer = host.fetch(f"{path}/do/end", {"key": "k", "next": "/"}, on=f"{path}/host")
    assert answer.headers["X-Location"] == "/?done=closed"


def test_a_refusal_stays_on_its_page(seated) -> None:
    _, host, path, _ = seated
    form = {"key": "k", "name": "Anna", "next": f"{path}/host"}
    answer = host.fetch(f"{path}/do/add-seat", form, on=f"{path}/host?x=1")
    assert answer.status_code == 409
    assert 'class="hostpage"' in shown(answer)
    assert "<html" not in shown(answer)


def test_a_refusal_without_script_stays_on_its_page_too(seated) -> None:
    _, host, path, _ = seated
    form = {"key": "k", "name": "Anna", "page": f"{path}/host"}
    answer = host.post(f"{path}/do/add-seat", form)
    assert answer.status_code == 409
    assert 'class="hostpage"' in shown(answer)
    assert "<html" in shown(answer)


def test_the_chosen_seat_stays_chosen(club) -> None:
    host = club.phone()
    path = club.open(host)
    for name in ("Anna", "Berta", "Carl"):
        club.done(host, path, "add-seat", name=name)
    page = f"{path}?seat=2"
    answer = host.fetch(f"{path}/do/start", {"key": "k", "next": page}, on=page)
    assert answer.status_code == 200
    dealt = f"{path}?seat=2&amp;dealt=0.1"
    # At a deal the phone asks who holds it now.
    assert f'href="{dealt}"' in at_table(shown(answer), path)
    chosen = host.get(dealt.replace("&amp;", "&")).text
    assert f'action="{path}/role"' in chosen
    assert re.search(r'id="role-2"', chosen)


def test_a_new_host_leaves_the_old_one_s_page(seated) -> None:
    """The page that a form came from may be closed to the device by the time it is answered."""
    club, host, path, phones = seated
    host.get(path)
    club.clock.now += 200
    club.done(phones[0], path, "take-hosting")
    answer = host.fetch(f"{path}/do/start", {"key": "k"}, on=f"{path}/host")
    assert answer.status_code == 403


def test_a_phone_whose_stream_is_open_is_only_told_the_version(seated) -> None:
    club, host, path, _ = seated
    page = f"{path}/host"
    form = {"version": 6, "name": "Fritz", "page": page}
    headers = {"X-Requested-With": "fetch", "X-Stream": "open"}
    answer = host.post(f"{path}/do/add-seat", form, **headers)
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["X-Version"] == str(club.table(path).version)


def test_an_attribute_that_is_not_named_any_more_goes() -> None:
    before = Attributes("row", (("aria-hidden", "true"), ("data-turn", "1")))
    after = Attributes("row", (("role", "img"), ("data-turn", "1")))
    assert part_change(before, after) == {
        "=": {"aria-hidden": None, "role": "img", "data-turn": "1"}
    }


class LetterView(View, frozen=True):
    template = "letter.html"

    letter: str


PAIRS = [(key, LetterView(letter)) for key in "abcdefgh" for letter in "xy"]
SOME = st.lists(st.sampled_from(PAIRS), unique_by=lambda pair: pair[0]).map(tuple)


@st.composite
def grown(draw: st.DrawFn) -> tuple[Children, Children]:
    """Children, and others of which the last are the same, as in a log."""
    were, head = draw(SOME), draw(SOME)
    keys = {key for key, _ in head}
    kept = were[draw(st.integers(0, len(were))) :]
    return were, head + tuple(pair for pair in kept if pair[0] not in keys)


def followed(were: Children, change: dict[str, Any]) -> list[tuple[str, View]]:
    """What the script on a page makes of it."""
    shown = {key: view for key, view in were if key not in change.get("-", ())}
    shown |= {key: child.view for key, child in change.get("+", {}).items()}
    order = list(shown)
    for key, behind in reversed(change.get("b", {}).items()):
        order.remove(key)
        order.insert(order.index(behind), key)
    order = change.get("o", order)
    return [(key, shown[key]) for key in order]


@given(st.one_of(st.tuples(SOME, SOME), grown()))
def test_children_become_what_they_are_now(pair: tuple[Children, Children]) -> None:
    were, are = pair
    change = part_change(Keyed("log", were), Keyed("log", are))
    assert isinstance(change, dict) or (change is None and were == are)
    assert followed(were, change or {}) == list(are)
    loose = part_change(Keyed("log", were, ordered=False), Keyed("log", are, ordered=False))
    assert dict(followed(were, loose or {})) == dict(are)


def test_of_a_log_only_what_has_come_is_told() -> None:
    were = tuple((f"e{number}", LetterView("x")) for number in range(60, 0, -1))
    change = part_change(Keyed("log", were), Keyed("log", (("e61", LetterView("y")), *were)))
    assert change == {"+": {"e61": Child("e61", LetterView("y"))}, "b": {"e61": "e60"}}
