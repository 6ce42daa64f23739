"""Where connections or streams are used up, the greediest gives way; a table's own stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gevent
import pytest
from gevent import socket as green

from companion.live.admission import OWN, OWN_EACH, StreamLimits
from companion.live.hub import Hub
from companion.server.wsgi import Server
from companion.settings import Settings

# Streams


def test_the_oldest_stream_of_the_greediest_ends() -> None:
    hub = Hub(limits=StreamLimits(in_all=20, per_address=15, per_table=100))
    many = [hub.subscribe("sham", f"d{n}", "1.1.1.1") for n in range(12)]
    few = [hub.subscribe("sham", f"e{n}", "2.2.2.2") for n in range(8)]
    guest = hub.subscribe("table", "guest", "3.3.3.3")
    assert guest is not None
    assert [each.closed for each in many] == [True] + [False] * 11
    assert not any(each.closed for each in few)
    assert hub.listening() == 20
    assert hub.subscribe("sham", "more", "1.1.1.1") is None
    assert hub.listening() == 20
    hub.leave(many[0])
    assert hub.listening() == 20


def test_of_tables_that_nobody_follows_the_latest_are_remembered(monkeypatch) -> None:
    monkeypatch.setattr("companion.live.hub.ROOMS_MAX", 10)
    now = [0.0]
    hub = Hub(lambda: now[0])
    now[0] = 5.0
    followed = hub.subscribe("followed", "phone")
    for number in range(100):
        hub.touch(f"t{number}", "phone")
    assert len(hub._rooms) <= 12
    assert hub.followed() == {"followed"}
    assert followed is not None
    assert not followed.closed
    now[0] = 6.0
    assert hub.absent_s("followed", "phone") == 0.0
    assert hub.absent_s("t99", "phone") == 1.0
    assert hub.absent_s("t1", "phone") == 6.0  # as after a restart


def test_of_tables_that_many_came_to_the_latest_are_remembered(clubs, monkeypatch) -> None:
    monkeypatch.setattr("companion.web.answers.arrivals.TABLES_KNOWN", 3)
    club = clubs()
    host = club.phone()
    paths = [club.open(host, key=f"{number}") for number in range(6)]
    for path in paths:
        host.get(path)
    here = club.app.extensions["companion"]
    assert list(here.arrivals.at_tables) == [club.table(path).id for path in paths[-3:]]
    assert host.get(paths[0]).status_code == 200


def test_televisions_of_one_household_are_one(clubs) -> None:
    """Else a name for each address of a network would be kept for ever."""
    club = clubs()
    path = club.open(club.phone())
    link = club.join_path(path)
    for number in range(1, 6):
        television = {"REMOTE_ADDR": f"2001:db8::{number}"}
        stream = club.app.test_client().get(
            f"{link}/live", buffered=False, environ_overrides=television
        )
        next(iter(stream.response))
        stream.close()
    assert len(club.hub._rooms[club.table(path).id].seen) == 1


def test_a_table_has_so_many() -> None:
    hub = Hub(limits=StreamLimits(per_table=20))
    guests = [hub.subscribe("t", f"d{n}", f"1.1.1.{n}") for n in range(20)]
    assert hub.subscribe("t", "more", "2.2.2.2") is None
    assert hub.subscribe("another", "more", "2.2.2.2") is not None
    assert hub.subscribe("t", "player", "3.3.3.3", belongs=True) is not None
    assert [each.closed for each in guests] == [True] + [False] * 19
    assert hub.subscribe("t", "more", "2.2.2.2") is None


def test_televisions_shut_nobody_out_of_a_lobby(clubs) -> None:
    """Whoever has the link can pretend to be many; host, players and the table screen follow."""
    club = clubs(streams_per_table=16, streams_per_address=100)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])

    def follow(phone: Any, live: str, number: int) -> Any:
        where = {"REMOTE_ADDR": f"192.168.1.{number}"}
        return phone.client.get(live, buffered=False, environ_overrides=where)

    stranger = club.phone()
    streams = [follow(stranger, f"{club.join_path(path)}/live", number % 4) for number in range(16)]
    assert {each.status_code for each in streams} == {200}
    own = [follow(host, f"{path}/live?page={page}", 9) for page in ("host", "screen")]
    own += [follow(phone, f"{path}/live?page=seat", 10 + n) for n, phone in enumerate(phones)]
    assert [each.status_code for each in own] == [200] * 5
    assert b"event: deal" in next(iter(own[-1].response))
    assert follow(stranger, f"{club.join_path(path)}/live", 5).status_code == 429
    for each in (*streams, *own):
        each.close()


def test_nobody_gives_way_to_who_is_refused() -> None:
    hub = Hub(limits=StreamLimits(per_address=2, per_table=3))
    television = hub.subscribe("t", "television", "2.2.2.2")
    assert television is not None
    for name in ("anna", "berta"):
        assert hub.subscribe("t", name, "1.1.1.1", belongs=True) is not None
    assert hub.subscribe("t", "carl", "1.1.1.1", belongs=True) is None
    assert not television.closed
    assert hub.subscribe("t", "carl", "3.3.3.3", belongs=True) is not None
    assert television.closed


def test_a_playing_table_has_room_for_its_own() -> None:
    """Also behind an address that holds all that it may, and while others hold all there are."""
    hub = Hub(limits=StreamLimits(in_all=40, per_address=20, per_table=100))
    for number in range(40):
        assert hub.subscribe("sham", f"d{number}", f"1.1.1.{number % 2}") is not None
    own = [hub.subscribe("t", f"p{n}", "1.1.1.0", belongs=True) for n in range(OWN)]
    assert all(each is not None and not each.closed for each in own)
    assert hub.subscribe("t", "one more", "1.1.1.0", belongs=True) is None
    assert hub.listening() == 40
    assert not any(each.closed for each in own)


def test_sham_tables_behind_the_same_address_do_not_hold_all_that_it_may() -> None:
    """Each table has its part, and second pages go before first ones."""
    hub = Hub(limits=StreamLimits(per_address=48, per_table=100))
    sham = [
        [
            hub.subscribe(f"sham{table}", f"d{number // 2}", "1.1.1.1", belongs=True)
            for number in range(12)
        ]
        for table in range(4)
    ]
    own = [hub.subscribe("t", f"p{number}", "1.1.1.1", belongs=True) for number in range(10)]
    followed = [each for each in own if each is not None]
    assert len(followed) == 9
    assert not any(each.closed for each in followed)
    for table in sham:
        assert [each.closed for each in table if each][::2] == [False] * 6
    assert hub.listening() == 48


def test_sham_tables_that_play_do_not_hold_all() -> None:
    hub = Hub(limits=StreamLimits(in_all=48, per_address=24, per_table=100))
    for number in range(48):
        sham = f"sham{number // 12}"
        assert hub.subscribe(sham, f"d{number}", f"1.1.1.{number // 24}", belongs=True)
    assert hub.subscribe("t", "player", "9.9.9.9", belongs=True) is not None
    assert hub.subscribe("t", "stranger", "8.8.8.8") is None
    assert hub.listening() == 48


def test_one_seat_and_many_addresses_do_not_keep_the_others_from_following() -> None:
    hub = Hub()
    sham = [hub.subscribe("t", "thief", "1.1.1.1", belongs=True) for _ in range(8)]
    for number in range(60):
        hub.subscribe("t", f"guest{number % 7}", f"2.2.2.{number % 7}")
    assert hub.subscribe("t", "guest", "3.3.3.3") is None
    others = [hub.subscribe("t", f"p{n}", f"1.2.3.{n}", belongs=True) for n in range(10)]
    assert all(others)
    assert hub.subscribe("t", "p0", "1.2.3.0", belongs=True) is not None  # another page
    assert sum(not each.closed for each in sham if each) >= OWN_EACH
    for _ in range(20):
        hub.subscribe("t", "thief", "1.1.1.1", belongs=True)
    assert not any(each.closed for each in others if each)
    assert hub.listening() == 60


def test_a_device_that_has_most_gives_way_to_one_that_has_none() -> None:
    hub = Hub(limits=StreamLimits(per_table=12))
    two = [hub.subscribe("t", "two", "1.1.1.1", belongs=True) for _ in range(2)]
    many = [hub.subscribe("t", "many", "2.2.2.2", belongs=True) for _ in range(8)]
    for name in ("one", "another"):
        assert hub.subscribe("t", name, "3.3.3.3", belongs=True) is not None
    assert hub.subscribe("t", "last", "3.3.3.3", belongs=True) is not None
    assert [each.closed for each in many if each] == [False, False, True] + [False] * 5
    assert not any(each.closed for each in two if each)


def test_where_all_have_their_own_a_second_page_gives_way_to_a_first() -> None:
    hub = Hub(limits=StreamLimits(per_table=12))
    pages = [hub.subscribe("t", f"p{n}", "1.1.1.1", belongs=True) for n in range(6) for _ in "ab"]
    assert hub.subscribe("t", "guest", "2.2.2.2") is None
    assert hub.subscribe("t", "p6", "1.1.1.1", belongs=True) is not None
    assert [number for number, each in enumerate(pages) if each and each.closed] == [11]


@pytest.mark.parametrize("limit", [{"per_table": 12}, {"per_address": 12}, {"in_all": 12}])
def test_a_phone_that_comes_again_and_again_ends_its_own(limit: dict[str, int]) -> None:
    """What it had before is perhaps not known yet to be dead."""
    hub = Hub(limits=StreamLimits(**limit))
    others = [hub.subscribe("t", f"p{n}", "1.1.1.1", belongs=True) for n in range(10)]
    came = [hub.subscribe("t", "phone", "1.1.1.1", belongs=True) for _ in range(6)]
    assert all(came)
    assert [each.closed for each in came if each] == [True] * 4 + [False] * 2
    assert not any(each.closed for each in others if each)


# Requests


def asked_too_much(phone: Any, path: str = "/t/x/do/look") -> None:
    while phone.get(path).status_code != 429:
        pass


def test_a_stranger_behind_the_same_address_shuts_no_player_out(clubs) -> None:
    club = clubs(requests_per_minute=40)
    host = club.phone()
    path = club.open(host, way="roles")
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.look(path, phones)
    stranger = club.phone()
    stranger.client.delete_cookie("device")
    asked_too_much(stranger)
    with_a_cookie = club.phone()
    assert with_a_cookie.get("/").status_code == 429
    assert with_a_cookie.get(path).status_code == 429, "a table's address makes nobody a player"
    for seat, phone in enumerate(phones, 1):
        assert phone.get(path).status_code == 200
        assert phone.post(f"{path}/role", {"seat": seat}).status_code == 200
    assert host.get(f"{path}/screen").status_code == 200


def test_after_a_start_players_are_known_by_their_seats(clubs) -> None:
    """And at another process: nobody has been heard of there yet."""
    club = clubs(requests_per_minute=40)
    host = club.phone()
    path = club.open(host, way="roles")
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    club.app.extensions["companion"].arrivals.last_table.clear()
    asked_too_much(club.phone())
    assert [phone.get(path).status_code for phone in phones] == [200] * 3


def test_who_plays_may_not_ask_without_end_either(clubs) -> None:
    club = clubs(forms_per_minute=20)
    host = club.phone()
    path = club.open(host, way="roles")
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    club.done(host, path, "start")
    asked_too_much(phones[0], path)
    assert phones[0].get(path).status_code == 429
    assert phones[1].get(path).status_code == 200
    assert club.phone().get("/").status_code == 200


# Connections


@pytest.fixture
def servers() -> Iterator[Callable[..., Server]]:
    made: list[Server] = []

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"] == "/long":
            gevent.sleep(1)
        environ["wsgi.input"].read()
        start("200 OK", [("Content-Length", "5")])
        return [b"hello"]

    def make(connections_max: int, **settings: Any) -> Server:
        listener = green.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        made.append(
            Server(listener, application, Settings(**settings), connections_max=connections_max)
        )
        made[-1].start()
        return made[-1]

    yield make
    for each in made:
        each.end(0.2)


@pytest.fixture
def line() -> Iterator[Callable[[Server, str], Any]]:
    lines: list[Any] = []

    def connect(server: Server, source: str) -> Any:
        there = server.socket.getsockname()
        lines.append(green.create_connection(there, timeout=5, source_address=(source, 0)))
        gevent.sleep(0.002)
        return lines[-1]

    yield connect
    for each in lines:
        each.close()


def asks(made: Any, path: str = "/") -> bytes:
    made.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    found: bytes = made.recv(1000)
    return found[9:12]


def closed(made: Any) -> bool:
    made.settimeout(0.05)
    try:
        return made.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_ten_addresses_do_not_shut_the_door(servers, line) -> None:
    server = servers(50)
    player = line(server, "127.0.0.1")
    assert asks(player) == b"200"
    busy = line(server, "127.0.0.2")
    busy.sendall(b"GET /long HTTP/1.1\r\nHost: a\r\n\r\n")
    held = [line(server, f"127.0.0.{2 + number // 10}") for number in range(100)]
    assert len(server.connections) <= 41
    guest = line(server, "127.0.0.99")
    assert asks(guest) == b"200"
    assert asks(player) == b"200"
    assert busy.recv(100)[9:12] == b"200"
    assert sum(map(closed, held)) >= 60


def test_the_longest_idle_of_the_greediest_goes(servers, line) -> None:
    server = servers(10)
    few = [line(server, "127.0.0.2") for _ in range(3)]
    many = [line(server, "127.0.0.3") for _ in range(5)]
    assert asks(many[0]) == b"200"
    gevent.sleep(0.01)
    line(server, "127.0.0.4")
    gevent.sleep(0.01)
    assert [closed(each) for each in many] == [False, True, False, False, False]
    assert not any(map(closed, few))


def test_who_has_not_asked_yet_is_let_go_soon(servers, line) -> None:
    server = servers(10, unasked_s=1)
    silent, asked = line(server, "127.0.0.2"), line(server, "127.0.0.3")
    assert asks(asked) == b"200"
    gevent.sleep(1.2)
    assert closed(silent)
    assert not closed(asked)
