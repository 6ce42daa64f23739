"""Whatever comes in gets a clear answer and a fitting status, and changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.tables.log import StorageError
from companion.web.pages.forms import NAMES
from tests.kit.parts import shown
from tests.kit.phone import FETCH


def same(club, path: str, before) -> None:
    assert club.table(path) == before


@pytest.mark.parametrize(
    ("command", "form", "status"),
    [
        ("start", {"version": "x"}, 400),
        ("start", {"version": "-1"}, 400),
        ("start", {"version": "9" * 30}, 400),
        ("start", {"version": "²"}, 400),
        ("start", {"version": "99999"}, 409),
        ("start", {"starter": "77"}, 404),
        ("start", {"starter": "one"}, 400),
        ("configure", {"edition": "xx-1999"}, 400),
        ("configure", {"way": "none"}, 400),
        ("configure", {"way": "other"}, 400),
        ("configure", {"language": "<b>"}, 400),
        ("configure", {"language": "zz"}, 400),
        ("configure", {"language": ""}, 400),
        ("order-seats", {"order": "1,2"}, 409),
        ("order-seats", {"order": "1,2,x"}, 400),
        ("order-seats", {"order": ",".join(["1"] * 500)}, 409),
        ("order-seats", {"order": "77,2,1"}, 409),
        ("order-seats", {}, 409),
        ("remove-seat", {}, 400),
        ("remove-seat", {"seat": "77"}, 404),
        ("free-seat", {"seat": "77"}, 404),
        ("claim-seat", {"seat": "1"}, 409),
        ("add-seat", {"name": ""}, 400),
        ("add-seat", {"name": "Anna"}, 409),
        ("add-seat", {"name": "x" * 10_000}, 400),
        ("set-wifi", {"wifi_name": "x" * 33}, 400),
        ("set-wifi", {"wifi_name": "a", "wifi_password": "x" * 64}, 400),
        ("set-wifi", {"wifi_name": "a", "wifi_password": "x" * 7}, 400),
        ("set-wifi", {}, 400),
        ("play", {}, 409),
        ("play", {"play": "path", "card": "NESW"}, 409),
        ("play", {"play": "result", "reached": "1"}, 400),
        ("play", {"play": "result", "reached": "2"}, 400),
        ("play", {"play": "result", "reached": "1", "finisher": "1"}, 409),
        ("take-back", {}, 409),
        ("deal", {}, 409),
        ("begin", {}, 409),
        ("look", {"seat": "1"}, 403),
        ("offer-move", {"seat": "1"}, 403),
        ("offer-move", {"seat": "x"}, 400),
        ("offer-move", {}, 400),
    ],
)
def test_commands_that_do_not_fit(seated, command: str, form: dict, status: int) -> None:
    club, host, path, _ = seated
    before = club.table(path)
    for headers in ({}, FETCH):
        answer = host.post(f"{path}/do/{command}", {"key": "k", **form}, **headers)
        assert answer.status_code == status, answer.text[-500:]
        assert 'id="refusal"' in shown(answer)
        assert "Traceback" not in answer.text
        assert ("<html" in answer.text) is not bool(headers)
    same(club, path, before)


@pytest.mark.parametrize(
    "headers",
    [
        {"Referer": "http://[x", "Sec-Fetch-Site": "same-origin"},
        {**FETCH, "Referer": "http://[x]/t/", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_a_form_from_an_address_that_is_none(seated, headers: dict[str, str]) -> None:
    club, host, path, _ = seated
    version = club.table(path).version
    form = {"version": version, "name": "Fritz", "page": headers["Referer"]}
    answer = host.post(f"{path}/do/add-seat", form, **headers)
    assert answer.status_code in (200, 303)


@pytest.mark.parametrize("headers", [{}, FETCH])
@pytest.mark.parametrize("seat", ["1\r\n", "\u20281", " 1 "])
def test_a_seat_with_blanks_around_it(seated, headers: dict[str, str], seat: str) -> None:
    club, _, path, phones = seated
    assert club.table(path).seats[0].id == 1
    answer = phones[0].post(f"{path}/do/offer-move", {"seat": seat}, **headers)
    where = answer.headers.get("X-Location") or answer.headers["Location"]
    assert where == f"{path}/seat?seat=1"


@pytest.mark.parametrize("there", ["\u2603", "?q=\u2603#\u00e4", "\x7f", "\x85"])
def test_the_way_on_for_a_script_is_ascii(seated, there: str) -> None:
    club, host, path, _ = seated
    form = {"name": "Fritz", "version": club.table(path).version, "next": f"{path}/{there}"}
    answer = host.post(f"{path}/do/add-seat", form, **FETCH)
    where = answer.headers["X-Location"]
    assert where.isascii()
    assert where.isprintable()
    assert where.startswith(f"{path}/")


def test_the_way_on_may_be_no_address(seated) -> None:
    club, host, path, _ = seated
    form = {"name": "Fritz", "version": club.table(path).version, "next": "http://["}
    assert host.post(f"{path}/do/add-seat", form, **FETCH).status_code == 200


@pytest.mark.parametrize("command", sorted(NAMES))
def test_strangers_can_do_nothing(seated, command: str) -> None:
    club, _, path, _ = seated
    before = club.table(path)
    form = {"key": "k", "seat": "1", "name": "Mallory", "order": "5,4,3,2,1"}
    assert club.phone().post(f"{path}/do/{command}", form).status_code == 403
    assert club.app.test_client().post(f"{path}/do/{command}", data=form).status_code == 403
    same(club, path, before)


@pytest.mark.parametrize(
    "command",
    sorted(
        {"add-seat", "order-seats", "configure", "set-wifi", "clear-wifi", "start", "free-seat"}
        | {"renew-link", "new-game", "begin", "deal", "take-back", "end", "explain"}
    ),
)
def test_guests_cannot_do_the_host_s_part(seated, command: str) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    before = club.table(path)
    form = {"seat": "2", "name": "Mallory", "order": "5,4,3,2,1", "wifi_name": "x"}
    answer = club.do(phones[0], path, command, **form)
    assert answer.status_code in (403, 409)
    same(club, path, before)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/t/none", 404),
        ("GET", "/t//none", 404),
        ("GET", "/t/none/screen", 404),
        ("GET", "/t/%0Dx/gold", 404),
        ("GET", "/t/%0Ax/do/start", 404),
        ("GET", "/t/%E2%80%A8x/role", 404),
        ("POST", "/t/%00/do/start", 404),
        ("GET", "/t/../../etc/passwd", 404),
        ("GET", "/j/none", 404),
        ("POST", "/j/none", 404),
        ("GET", "/m/none", 404),
        ("POST", "/m/none", 404),
        ("POST", "/", 405),
        ("DELETE", "/t/none", 405),
        ("POST", "/t/none/do/start", 404),
        ("POST", "/t/none/do/explode", 404),
        ("POST", "/t/none/role", 404),
        ("POST", "/code", 404),
        ("GET", "/code", 405),
        ("GET", "/static/0/none.css", 404),
        ("GET", "/static/0/../app.py", 404),
        ("GET", "/t/" + "x" * 3000, 404),
        ("GET", "/language?next=//evil.example", 200),
    ],
)
def test_addresses_that_lead_nowhere(club, method: str, path: str, status: int) -> None:
    phone = club.phone()
    for headers in ({}, FETCH):
        answer = phone.client.open(path, method=method, headers=headers)
        assert answer.status_code == status
        assert "evil" not in answer.text
        if status == 405:
            assert answer.headers["Allow"]
        if method != "DELETE" and answer.mimetype == "text/html":
            assert ("<html" in answer.text) is not bool(headers)


@pytest.mark.parametrize(
    ("page", "status"),
    [("/", 200), ("/nowhere", 404), ("/t/none/games", 404), ("/rules/trains", 200)],
)
def test_a_query_in_no_encoding(club, page: str, status: int) -> None:
    """Old browsers send letters as they are, in the encoding of their system."""
    query = {"QUERY_STRING": "q=k\xe4ik&back=\xff"}
    answer = club.phone().client.get(page, environ_overrides=query)
    assert answer.status_code == status


@pytest.mark.parametrize("kind", ["role", "gold"])
@pytest.mark.parametrize(
    ("seat", "status"), [("x", 400), ("-1", 400), ("", 200), ("2", 403), ("99", 403)]
)
def test_secrets_for_seats_that_do_not_fit(seated, kind: str, seat: str, status: int) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    answer = phones[0].post(f"{path}/{kind}", {"seat": seat})
    assert answer.status_code == status


def test_a_form_s_address_leads_to_its_table(seated) -> None:
    _, _, path, phones = seated
    for name in ("start", "nonsense"):
        answer = phones[0].get(f"{path}/do/{name}")
        assert (answer.status_code, answer.location) == (303, path)


def test_settings_that_nobody_offers(club) -> None:
    phone = club.phone()
    for form in (
        {"game": "chess"},
        {"way-saboteur": "x"},
        {"edition-saboteur": "x"},
        {"language": "x"},
    ):
        answer = phone.post("/open", {"key": "k", **form})
        assert answer.status_code == 400
        assert 'id="refusal"' in shown(answer)
    assert phone.get("/screen").location == "/?screen=1"


def test_a_stale_page_learns_what_happened(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(host, path, "begin")
    version = club.table(path).version
    form = {"version": version, "play": "result", "reached": "1"}
    first = phones[1].post(f"{path}/do/play", {**form, "key": "a", "finisher": "2"})
    second = phones[4].post(f"{path}/do/play", {**form, "key": "b", "finisher": "3"})
    assert (first.status_code, second.status_code) == (303, 409)
    assert "Berta" in second.text
    assert club.table(path).game_state.past[-1].finisher == 1


def test_a_play_where_nobody_follows_plays(seated) -> None:
    club, host, path, _ = seated
    club.done(host, path, "start")
    club.done(host, path, "begin")
    for seat in ({"seat": "1"}, {}):
        answer = club.do(host, path, "play", play="path", card="NESW", at="1,0", **seat)
        assert answer.status_code == 400
    assert not club.table(path).round.undo_steps


def test_a_double_tap_does_once(seated) -> None:
    club, host, path, _ = seated
    form = {"key": "k", "version": club.table(path).version, "name": "Fritz"}
    assert [host.post(f"{path}/do/add-seat", form).status_code for _ in range(2)] == [303, 303]
    assert len(club.table(path).seats) == 6
    other = {**form, "name": "Greta"}  # the same page, another meaning
    assert host.post(f"{path}/do/add-seat", other).status_code == 303
    assert [seat.name for seat in club.table(path).seats][-2:] == ["Fritz", "Greta"]


def test_two_taps_open_one_table(club) -> None:
    phone = club.phone()
    paths = {phone.post("/open", {"key": "k"}).location for _ in range(2)}
    paths.add(club.phone().post("/open", {"key": "k"}).location)
    assert len(paths) == 2
    assert phone.post("/open").location != phone.post("/open").location


def test_names_at_the_door(seated) -> None:
    club, _, path, _ = seated
    guest, join = club.phone(), club.join_path(path)
    for name, status in (("", 400), (" \u200b ", 400), ("x" * 25, 400), ("anna", 409)):
        answer = guest.post(join, {"name": name, "key": "k"})
        assert answer.status_code == status
        assert 'id="refusal"' in shown(answer)
    assert "anna 2" in answer.text
    for number in range(5):
        club.sit(path, [f"Guest {number}"])
    assert guest.post(join, {"name": "One too many", "key": "k"}).status_code == 409
    assert guest.post(join, {"claim": "x", "key": "k"}).status_code == 400
    assert guest.post(join, {"claim": "99", "key": "k"}).status_code == 404


def test_a_broken_store_is_said(seated, monkeypatch) -> None:
    club, host, path, _ = seated
    before = club.table(path)

    def fails(*args: object) -> bool:
        raise StorageError("the disk is full")

    monkeypatch.setattr(club.log, "append", fails)
    answer = club.do(host, path, "start")
    assert answer.status_code == 503
    assert "disk is full" not in answer.text
    monkeypatch.undo()
    same(club, path, before)


def test_a_bug_is_a_plain_sentence(club, monkeypatch, caplog) -> None:
    path = club.open(club.phone())

    def fails(*args: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(club.tables, "by_join_key", fails)
    answer = club.phone("lt").get(club.join_path(path))
    assert answer.status_code == 500
    assert "secret detail" not in answer.text
    assert "ZeroDivisionError" in caplog.text
    assert club.join_path(path) not in caplog.text


ODD = (
    *("", "x", "0", "-1", "1", "99", "9" * 30, "²", "1,0", "1,0,0", "9,9", ","),
    *("path", "NO", "NESW", "cart", "pickaxe,pickaxe", "north", "treasure", "\x00"),
)

REPORTED = (
    {"play": "path", "card": "EW", "at": "1,0"},
    {"play": "break", "tool": "cart", "target": "2"},
    {"play": "repair", "card": "cart", "tool": "cart", "target": "2"},
)

PLAYS = (
    *REPORTED,
    *({"step": str(step), **play} for step, play in enumerate(REPORTED)),
    {"play": "rockfall", "at": "1,0"},
    {"play": "map", "goal": "north"},
    {"play": "reveal", "goal": "north", "card": "treasure"},
    {"play": "result", "reached": "1", "finisher": "1"},
    {"play": "count", "pile": "3"},
    {"play": "pass"},
)


@pytest.mark.parametrize("form", PLAYS, ids=str)
def test_plays_and_corrections_of_which_one_thing_is_odd(seated, form: dict[str, str]) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee")
    club.done(host, path, "start")
    club.look(path, phones)
    for phone, play in zip(phones, REPORTED, strict=False):
        club.done(phone, path, "play", **play)
    club.odd(host, path, "correct" if "step" in form else "play", form, ODD)


@pytest.fixture
def open_club(clubs):
    return clubs(tables_per_hour=10**6)


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    command=st.sampled_from([*NAMES, "nonsense"]),
    form=st.dictionaries(
        st.sampled_from(
            [
                *(
                    "version",
                    "key",
                    "next",
                    "page",
                    "seat",
                    "name",
                    "order",
                    "edition",
                    "way",
                ),
                *("language", "wifi_name", "wifi_password", "starter", "play", "reached"),
                *("finisher", "last"),
            ]
        ),
        st.one_of(st.text(max_size=40), st.integers(-3, 12).map(str)),
    ),
    fragment=st.booleans(),
)
def test_anything_at_all(open_club, command: str, form: dict[str, str], fragment: bool) -> None:
    club = open_club
    phone = club.phone()
    path = club.open(phone)
    club.done(phone, path, "add-seat", name="Anna")
    answer = phone.post(f"{path}/do/{command}", form, **(FETCH if fragment else {}))
    assert answer.status_code in (200, 303, 400, 403, 404, 409, 429)
