"""Who is not a friend: guesses, floods, replays, other names, other sites. Each is tried, refused
with a clear answer, and a table under way goes on as if nobody had."""

from __future__ import annotations

import gzip
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from companion.tables.names import MARKS_MAX
from companion.tables.offers import LETTERS
from companion.web.live.stream import ON_HANGUP
from tests.kit import pages
from tests.web.conftest import Phone

HERE = {"REMOTE_ADDR": "203.0.113.9"}


def rows(club) -> list[tuple[Any, ...]]:
    """All that is kept of all tables."""
    with club.log.reading() as connection:
        return sorted(
            tuple(map(repr, row))
            for table in ("tables", "events", "devices")
            for row in connection.execute(f"SELECT * FROM {table}")
        )


@pytest.fixture
def under_way(seated) -> Callable[[], None]:
    """A table where a round is played; called, it goes on as it should."""
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.done(host, path, "begin")

    def goes_on() -> None:
        version = club.table(path).version
        for phone in phones:
            assert phone.get(path).status_code == 200
        club.done(phones[2], path, "play", play="result", reached="1", finisher="3")
        club.done(host, path, "take-back")
        assert club.table(path).version == version + 2

    return goes_on


# Guessing


def test_codes_are_guessed_in_vain(seated, under_way) -> None:
    club, _, path, phones = seated
    club.done(phones[0], path, "offer-move", seat=club.table(path).seats[0].id)
    kept = rows(club)
    chance, answers = random.Random(1), Counter()
    for n in range(400):
        code = "".join(chance.choice(LETTERS) for _ in range(8 if n % 4 else 6))
        where = {"REMOTE_ADDR": f"203.0.113.{n % 20}"}
        guest = club.app.test_client()
        if n % 4 < 2:
            answer = guest.post("/code", data={"code": code}, environ_overrides=where)
        elif n % 4 == 2:
            answer = guest.get(f"/m/{code}", environ_overrides=where)
        else:
            guest.set_cookie("device", "g" * 22)
            answer = guest.post(f"/m/{code}", data={"key": "k"}, environ_overrides=where)
        answers[answer.status_code] += 1
    assert answers[404] == 20 * 10
    assert set(answers) == {404, 429}
    assert rows(club) == kept
    under_way()


def test_join_keys_are_not_to_be_guessed(seated) -> None:
    """22 letters; a wrong one is a plain 404 that tells nothing about how near it was."""
    club, _, path, _ = seated
    key = club.join_path(path).removeprefix("/j/")
    near = [f"{key[:-1]}{'A' if key[-1] != 'A' else 'B'}", key.swapcase(), key[:-1], key + "A"]
    pages = {club.phone().get(f"/j/{each}").text.replace(each, "") for each in near}
    assert len(pages) == 1
    assert all(club.phone().get(f"/j/{each}").status_code == 404 for each in near)


# How long to wait


def minutes_in(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"\b(\d+) minutes?", text)]


def test_the_wait_is_told_as_it_is(clubs) -> None:
    club = clubs(tables_per_hour=1, codes_per_minute=2)
    phone = club.phone()
    assert phone.post("/open", {"key": "a"}).status_code == 303
    refused = phone.post("/open", {"key": "b"})
    assert refused.status_code == 429
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    assert minutes_in(refused.text) == [60]
    for _ in range(2):
        assert phone.post("/code", {"code": "222222"}).status_code == 404
    refused = phone.post("/code", {"code": "222222"})
    assert refused.status_code == 429
    assert 50 < int(refused.headers["Retry-After"]) <= 60
    assert "Wait a minute" in refused.text


def test_whoever_asks_too_often_gets_an_answer_of_their_own(clubs) -> None:
    """The page is drawn once for all; what is done to it for one phone stays with that phone."""
    club = clubs(requests_per_minute=10)
    phone = club.phone()
    while phone.get("/rules/saboteur").status_code != 429:
        pass
    plain = phone.get("/rules/saboteur")
    packed = phone.get("/rules/saboteur", **{"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == plain.data
    again = phone.get("/rules/saboteur")
    assert "Content-Encoding" not in again.headers
    assert again.data == plain.data


@pytest.mark.parametrize(
    ("way", "status"),
    [
        ({"headers": {"Host": "elsewhere.example"}}, 421),
        ({"method": "POST", "headers": {"Origin": "http://evil.example"}}, 403),
        ({"method": "POST", "content_type": "application/json", "data": "{}"}, 415),
    ],
)
def test_what_is_refused_at_once_is_counted_too(clubs, way: dict[str, Any], status: int) -> None:
    client = clubs(requests_per_minute=10).app.test_client()
    found = [client.open("/code", **way).status_code for _ in range(15)]
    assert (found[0], found[-1]) == (status, 429)


def test_the_wait_is_told_in_each_language(clubs) -> None:
    club = clubs(tables_per_hour=1)
    club.phone().post("/open", {"key": "a"})
    texts = {club.phone(each).post("/open", {"key": "b"}).text for each in ("et", "lt", "lv", "fi")}
    assert len(texts) == 4
    assert all("60" in text for text in texts)


# Floods


def test_thousands_of_tables_of_one_address(seated, under_way) -> None:
    club, _, _, _ = seated
    answers = Counter(
        club.phone().client.post("/open", data={"key": "k"}, environ_overrides=HERE).status_code
        for _ in range(2000)
    )
    assert answers == {303: 30, 429: 1970}
    under_way()


def test_thousands_of_streams_of_one_address(seated, under_way) -> None:
    club, _, path, _ = seated
    screen = club.join_path(path)
    answers, opened = Counter(), []
    for _ in range(1500):
        answer = club.app.test_client().get(
            f"{screen}/live", environ_overrides=HERE, buffered=False
        )
        answers[answer.status_code] += 1
        opened.append(answer)
    assert set(answers) == {200, 429}  # each new one ends the oldest of the same television
    assert club.hub.listening() <= 8
    under_way()
    for answer in opened:
        answer.close()
    assert club.hub.listening() == 0


def test_who_leaves_a_stream_makes_room_at_once(clubs) -> None:
    club = clubs(streams_per_address=1)
    host = club.phone()
    path = club.open(host)
    left: list[Callable[[], None]] = []
    environ = {ON_HANGUP: left.append}
    first = host.client.get(f"{path}/live", environ_overrides=environ, buffered=False)
    pieces = iter(first.response)
    next(pieces)
    assert host.get(f"{path}/live").status_code == 429
    left[0]()  # as the server does when the connection ends
    assert list(pieces) == []
    assert host.client.get(f"{path}/live", buffered=False).status_code == 200


# Replays


def everything_of_an_evening(club) -> tuple[str, list[tuple[Any, str, dict[str, Any]]]]:
    """The table and every form that was sent, by whom and where to."""
    sent: list[tuple[Any, str, dict[str, Any]]] = []
    host = club.phone()

    def post(phone, where: str, **form: Any) -> None:
        sent.append((phone, where, form))
        answer = phone.post(where, form)
        assert answer.status_code == 303, answer.text

    path = club.open(host)
    phones = [club.phone() for _ in range(3)]
    for phone, name in zip(phones, ("Anna", "Berta", "Carl"), strict=True):
        post(phone, club.join_path(path), name=name, key="join")

    def do(phone, name: str, **form: Any) -> None:
        version = club.table(path).version
        post(phone, f"{path}/do/{name}", version=version, key=f"v{version}", **form)

    do(host, "configure", language="lt")
    do(host, "start")
    do(host, "begin")
    do(phones[1], "play", play="result", reached="1", finisher="2")
    do(host, "take-back")
    do(phones[2], "play", play="result", reached="0", last="1")
    do(host, "deal")
    return path, sent


@pytest.mark.parametrize("seed", range(3))
def test_what_was_sent_is_sent_again_in_any_order(club, seed: int) -> None:
    _, sent = everything_of_an_evening(club)
    kept, again = rows(club), [each for each in sent for _ in range(2)]
    random.Random(seed).shuffle(again)
    for phone, where, form in again:
        assert phone.post(where, form).status_code in (303, 409)
    assert rows(club) == kept


def test_forms_out_of_order_do_nothing(club) -> None:
    """The same key for other words, or a page from before, is stale; nothing is done twice."""
    _, sent = everything_of_an_evening(club)
    kept = rows(club)
    for phone, where, form in sent:
        if "/do/" in where:
            answer = phone.post(where, {**form, "key": "another"})
            done_already = where.endswith("/configure")
            assert answer.status_code == (303 if done_already else 409)
            assert done_already or 'id="refusal"' in answer.text
    assert rows(club) == kept


def test_a_form_that_was_read_over_a_shoulder_is_of_no_use(club) -> None:
    """All that a form holds, its key included, without the device's cookie."""
    _, sent = everything_of_an_evening(club)
    kept = rows(club)
    for _, where, form in sent:
        if "/do/" in where:
            assert club.phone().post(where, form).status_code == 403
            assert club.app.test_client().post(where, data=form).status_code == 403
    assert rows(club) == kept


def test_another_site_s_form_with_the_cookie_does_nothing(club) -> None:
    """A browser that brought the cookie along all the same."""
    _, sent = everything_of_an_evening(club)
    kept = rows(club)
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Referer": "https://evil.example/"},
    ):
        for phone, where, form in sent:
            assert phone.post(where, {**form, "key": "new"}, **headers).status_code == 403
    assert rows(club) == kept


@pytest.mark.parametrize(
    "content_type", ["application/json", "text/plain", "text/xml", "", "application/octet-stream"]
)
def test_what_is_no_form_is_not_read(club, content_type: str) -> None:
    phone = club.phone()
    answer = phone.client.post("/open", data=b'{"key": "k"}', content_type=content_type)
    assert answer.status_code == 415
    assert len(rows(club)) == 0


def test_the_end_of_a_table_is_the_end_of_its_links(club) -> None:
    """Not even its own host makes a table again that an old QR code leads to."""
    host = club.phone()
    path = club.open(host)
    link, code = club.join_path(path), club.tables.code(club.table(path).id)
    club.done(host, path, "end")
    club.clock.now += 1
    again = club.open(host)
    assert again != path
    assert club.join_path(again) != link
    assert club.phone().get(link).status_code == 404
    assert club.phone().post("/code", {"code": code}).status_code == 404
    assert club.open(host) == again  # a double tap


# Whose name, whose address


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.168.1.20:8000", 200),
        ("[fd00::7]:8000", 200),
        ("localhost:8000", 200),
        ("laptop", 200),
        ("laptop.local:8000", 200),
        ("Laptop.LAN", 200),
        ("club.example", 200),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("192.168.1.20.evil.example", 421),
        ("club.example.evil.example", 421),
        ("club.example@evil.example", 421),
        ("evil.example#.local", 421),
        ("evil.example/.local", 421),
        ("[", 421),
        ("a b.local", 421),
    ],
)
def test_only_names_of_its_own(clubs, host: str, status: int) -> None:
    club = clubs(host_names="club.example, other.example")
    phone = club.phone()
    assert phone.get("/", Host=host).status_code == status
    origin = {"Host": host, "Origin": f"http://{host}"}
    assert phone.post("/open", {"key": "k"}, **origin).status_code == (
        303 if status == 200 else 421
    )
    assert len(rows(club)) == (3 if status == 200 else 0)


def test_links_and_codes_never_lead_to_the_host_that_was_named(clubs) -> None:
    for club in (clubs(), clubs(public_url="https://play.example.org")):
        host = Phone(club.app.test_client(use_cookies=False), "en")
        headers = {
            "Cookie": f"device={'h' * 22}",
            "Host": "192.168.66.66:666",
            "X-Forwarded-Host": "10.66.66.66",
            "Forwarded": "host=evil.example",
            "X-Original-URL": "/evil",
        }
        answer = host.post("/open", {"key": "k"}, **headers)
        assert answer.status_code == 303
        path = answer.location
        assert path.startswith("/t/")
        for page in ("/", *(path + each for each in pages.ALL.values()), "/nowhere"):
            answer = host.get(page, **headers)
            assert "66.66" not in answer.text
            assert "evil" not in answer.text
            assert "66.66" not in str(answer.headers)


def test_behind_the_proxy_only_its_word_counts(clubs, caplog) -> None:
    club = clubs(public_url="https://play.example.org", trusted_proxies="127.0.0.1,10.1.0.0/16")

    def guesses(proxy: str) -> Counter[int]:
        return Counter(
            club.app.test_client()
            .post(
                "/code",
                data={"code": "222222"},
                headers={"X-Forwarded-For": f"198.51.100.{n}", "Host": "play.example.org"},
                environ_overrides={"REMOTE_ADDR": proxy},
            )
            .status_code
            for n in range(15)
        )

    assert guesses("10.1.2.3") == {404: 15}
    assert guesses("::ffff:10.1.2.4") == {404: 15}
    assert caplog.text == ""
    assert guesses("192.0.2.5") == {404: 10, 429: 5}
    assert caplog.text.count("not among the trusted proxies") == 1
    told = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
    stranger = club.app.test_client().get("/", headers=told, environ_overrides=HERE)
    assert stranger.headers["Set-Cookie"].startswith("device=")


@pytest.mark.parametrize(
    "written", ["198.51.100.{}:4711", "[2001:db8:{}::1]:4711", "[2001:db8:{}::1]"]
)
def test_a_proxy_may_name_the_port_too(clubs, written: str) -> None:
    """Else all phones were one."""
    club = clubs(public_url="https://play.example.org")
    answers = {
        club.app.test_client()
        .post("/code", data={"code": "222222"}, headers={"X-Forwarded-For": written.format(n)})
        .status_code
        for n in range(15)
    }
    assert answers == {404}


def test_the_last_proxy_s_word_is_taken(clubs) -> None:
    """What a stranger wrote into the header himself stands before the proxy's."""
    club = clubs(public_url="https://play.example.org")
    answers = [
        club.app.test_client()
        .post(
            "/code",
            data={"code": "222222"},
            headers={"X-Forwarded-For": f"198.51.100.{n}, 203.0.113.5"},
        )
        .status_code
        for n in range(12)
    ]
    assert answers == [404] * 10 + [429] * 2


@pytest.mark.parametrize(
    ("days", "sent"), [(365, "max-age=31536000"), (1, "max-age=86400"), (0, None)]
)
def test_how_long_browsers_keep_to_https(clubs, days: int, sent: str | None) -> None:
    club = clubs(public_url="https://play.example.org", hsts_days=days)
    answer = club.app.test_client().get("/", headers={"Host": "play.example.org"})
    assert answer.headers.get("Strict-Transport-Security") == sent


# Names


HOSTILE = {
    "<script>alert(1)</script>": 400,
    "<b onclick=x>": 303,
    "\u202eannA": 409,
    "An\u200bna": 409,
    "Аnnа": 409,
    "ANNΑ": 409,
    "ᴬⁿⁿᵃ": 409,
    "A\u0301\u0301" + "\u0301" * 10_000: 400,
    "\u0301" * 10_000: 400,
    "\u202e\u2066\u200b": 400,
    "x" * 10_000: 400,
    "😀" * 10_000: 413,
    "👨\u200d👩\u200d👧\u200d👦": 303,
    "محمد": 303,
    "\u202bשרה\u202c": 303,
    "Z" + "\u0335" * 20: 303,
    "{{7*7}}${7*7}": 303,
    "a\r\nSet-Cookie: x=1": 303,
    "\ud800": 303,
}


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name[:12]))
def test_hostile_names(seated, name: str) -> None:
    club, host, path, phones = seated
    seats = len(club.table(path).seats)
    sent = name.encode("utf-8", "surrogatepass")
    guest = club.phone("fi")
    answer = guest.client.post(
        club.join_path(path),
        data={"name": sent, "key": "k"},
        headers={"Accept-Language": "fi"},
    )
    assert answer.status_code == HOSTILE[name]
    assert len(club.table(path).seats) == seats + (answer.status_code == 303)
    if answer.status_code != 303:
        assert ('id="refusal"' in answer.text) is (answer.status_code != 413)
        assert 'lang="fi"' in answer.text
        return
    kept = club.table(path).seats[-1].name
    assert len(kept) <= 24
    assert not set("\r\n\u202b\u202c") & set(kept)
    assert kept.count("\u0335") <= MARKS_MAX
    assert set(answer.headers.keys()) & {"x", "Set-Cookie: x"} == set()
    for page, text in pages.seen(host, path).items():
        assert "<b onclick" not in text
        assert "49$49" not in text
        shown = text.count(str(kept)) or "&lt;b" in text
        assert shown or page not in pages.WITH_NAMES
        assert phones[0].get(path).status_code == 200


def test_names_are_as_long_as_the_setting_says(clubs) -> None:
    club = clubs(name_max=8)
    host = club.phone()
    path = club.open(host)
    club.sit(path, ["Wolfgang"])
    refused = club.phone().post(club.join_path(path), {"name": "Wolfgang!", "key": "k"})
    assert refused.status_code == 400
    assert "8 characters" in refused.text
    taken = club.phone().post(club.join_path(path), {"name": "wolfgang", "key": "k"})
    assert taken.status_code == 409
    assert "wolfga 2" in taken.text


def test_right_to_left_names_do_not_turn_the_page_about(seated) -> None:
    club, host, path, _ = seated
    club.done(host, path, "add-seat", name="محمد")
    for page in (path, f"{path}/screen", f"{path}/host"):
        body = host.get(page, **{"Accept-Encoding": "gzip"}).data
        text = gzip.decompress(body).decode()
        around = re.findall(r"<([a-z]+)[^<>]*>[^<>]*محمد", text)
        assert around
        assert set(around) <= {"bdi", "option", "title"}, page
