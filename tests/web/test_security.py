"""Cookies, headers, forms from elsewhere, limits on sizes and rates."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.tables.log import StorageError
from companion.web.http import security
from companion.web.http.limits import group
from companion.web.http.security import local_path
from tests.kit import pages
from tests.kit.phone import moving_code


def test_headers_of_every_answer(seated) -> None:
    _, _, path, phones = seated
    for answer in (phones[0].get(path), phones[0].get("/nowhere"), phones[0].get("/robots.txt")):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "frame-ancestors 'none'" in policy
        assert not security.OVER_HTTPS.keys() & set(answer.headers.keys())


def test_headers_of_what_pages_load(club) -> None:
    address = club.app.extensions["companion"].assets.url
    for name, policy in (("app.css", False), ("table.js", False), ("icon.svg", True)):
        answer = club.phone().get(address(name))
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert ("Content-Security-Policy" in answer.headers) is policy


def test_no_page_has_inline_script_or_style(seated) -> None:
    club, host, path, phones = seated
    others = [host.get("/"), host.get("/language"), club.phone().get(club.join_path(path))]
    texts = [page.text for page in (*others, host.get("/nowhere"))]
    texts += [*pages.seen(phones[0], path).values(), *pages.seen(host, path).values()]
    for text in texts:
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick" not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text


def test_the_device_cookie(club) -> None:
    client = club.app.test_client()
    cookie = client.get("/").headers["Set-Cookie"]
    name, _, rest = cookie.partition("=")
    value, _, flags = rest.partition("; ")
    assert name == "device"
    assert len(value) == 22
    assert {"HttpOnly", "Path=/", "SameSite=Lax", "Max-Age=31536000"} <= set(flags.split("; "))
    assert "Secure" not in flags
    assert client.post("/open", data={"key": "k"}).status_code == 303
    kept = b"".join(file.read_bytes() for file in club.settings.data.iterdir())
    assert hashlib.sha256(value.encode()).hexdigest().encode() in kept
    assert value.encode() not in kept


def test_behind_a_proxy(clubs) -> None:
    club = clubs(public_url="https://play.example.org")
    headers = {"X-Forwarded-For": "198.51.100.1", "Host": "play.example.org"}
    client = club.app.test_client()
    answer = client.get("/", headers=headers)
    assert answer.headers["Set-Cookie"].startswith("__Host-device=")
    assert "; Secure" in answer.headers["Set-Cookie"]
    assert "Strict-Transport-Security" in answer.headers
    assert security.OVER_HTTPS.items() <= dict(answer.headers).items()
    opened = client.post(
        "/open", data={"key": "k"}, headers={**headers, "Origin": "https://play.example.org"}
    )
    assert opened.status_code == 303


def test_behind_a_proxy_that_says_nothing(clubs) -> None:
    club = clubs(public_url="https://play.example.org")
    client = club.app.test_client()
    answer = client.get("/", headers={"Host": "play.example.org"})
    assert answer.headers["Set-Cookie"].startswith("__Host-device=")
    for origin, status in (("https://play.example.org", 404), ("https://evil.example", 403)):
        sent = client.post("/code", headers={"Host": "play.example.org", "Origin": origin})
        assert sent.status_code == status


def test_without_a_public_url_no_proxy_is_believed(club) -> None:
    answer = club.app.test_client().get("/", headers={"X-Forwarded-Proto": "https"})
    assert answer.headers["Set-Cookie"].startswith("device=")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://localhost"}, 303),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "https://localhost"}, 403),
        ({"Origin": "http://localhost:81"}, 403),
        ({"Origin": "null"}, 403),
        ({"Referer": "http://localhost/"}, 303),
        ({"Referer": "http://evil.example/localhost"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": "http://[x]"}, 403),
        ({"Referer": "http://[::1"}, 403),
        ({"Origin": "http://\u2100.example"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Sec-Fetch-Site": "none", "Origin": "https://elsewhere.example"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({}, 303),
    ],
)
def test_forms_from_elsewhere(club, headers: dict[str, str], status: int) -> None:
    phone = club.phone()
    assert phone.post("/open", {"key": "k"}, **headers).status_code == status
    assert len(club.tables.hosted_by(_device(phone))) == (status == 303)


def _device(phone) -> str:
    return hashlib.sha256(phone.client.get_cookie("device").value.encode()).hexdigest()


def test_without_cookies_it_is_said(club, seated) -> None:
    _, _, path, _ = seated
    for where in ("/open", club.join_path(path)):
        answer = club.app.test_client().post(where, data={"name": "Ann", "key": "k"})
        assert answer.status_code == 400
        assert "cookie" in answer.text


@pytest.mark.parametrize("cookie", ["", "x", "x" * 21, "x" * 23, "x" * 21 + "é", "x" * 5000])
def test_made_up_cookies_are_nobody(club, cookie: str) -> None:
    client = club.app.test_client()
    answer = client.post("/open", data={"key": "k"}, headers={"Cookie": f"device={cookie}"})
    assert answer.status_code == 400


def test_large_bodies(club) -> None:
    phone = club.phone()
    assert phone.post("/open", {"key": "k" * 100_000}).status_code == 413
    assert phone.post("/open", {f"f{n}": "x" for n in range(50)}).status_code in (303, 413)
    many = phone.client.post(
        "/open",
        data={f"f{n}": "x" for n in range(50)},
        content_type="multipart/form-data",
    )
    assert many.status_code == 413


def test_forms_of_very_many_fields(club) -> None:
    """Each takes time to read, however short it is."""
    sent = club.app.test_client().post(
        "/code", data="a&" * 10_000, content_type="application/x-www-form-urlencoded"
    )
    assert sent.status_code == 413


def test_wrong_codes_are_counted_by_address(seated) -> None:
    club, _, path, _ = seated
    right = club.tables.code(club.table(path).id)
    guest = club.phone("lt")
    for _ in range(9):
        assert guest.post("/code", {"code": "222222"}).status_code == 404
        assert guest.post("/code", {"code": right}).status_code == 303
    assert guest.post("/code", {"code": "22222222"}).status_code == 404
    refused = guest.post("/code", {"code": right})
    assert refused.status_code == 429
    assert refused.headers["Retry-After"]
    assert guest.get("/m/22222222").status_code == 429
    elsewhere = guest.client.post(
        "/code", data={"code": right}, environ_overrides={"REMOTE_ADDR": "192.168.1.77"}
    )
    assert elsewhere.status_code == 303


def test_codes_guessed_at_the_same_time_are_counted(club, monkeypatch) -> None:
    def slowly(code: str) -> None:
        time.sleep(0.02)

    monkeypatch.setattr(club.tables, "by_code", slowly)
    phones = [club.phone() for _ in range(30)]
    with ThreadPoolExecutor(len(phones)) as threads:
        answers = threads.map(lambda each: each.post("/code", {"code": "222222"}), phones)
    assert Counter(answer.status_code for answer in answers) == {404: 10, 429: 20}


def test_wrong_codes_do_not_keep_anybody_from_a_seat_s_link(seated) -> None:
    club, _, path, phones = seated
    seat = club.table(path).seats[0].id
    club.done(phones[0], path, "offer-move", seat=seat)
    (shown,) = club.app.extensions["companion"].shown_offers._shown.values()
    key, code = shown.key, shown.code
    guest = club.phone()
    for _ in range(10):
        assert guest.post("/code", {"code": "222222"}).status_code == 404
    padded = f"{code[:4]}-{code[4:]}".ljust(22, "-")
    for guessable in (code, code.lower(), padded):
        assert guest.get(f"/m/{guessable}").status_code == 429
        assert guest.post(f"/m/{guessable}", {"key": "k"}).status_code == 429
    assert guest.get(f"/m/{'x' * 22}").status_code == 404
    assert guest.get(f"/m/{key}").status_code == 200
    assert guest.post(f"/m/{key}", {"key": "k"}).status_code == 303


def offered(club, phone, path: str):
    """The first seat, which this phone has, for another to take."""
    club.done(phone, path, "offer-move", seat=1)
    return list(club.app.extensions["companion"].shown_offers._shown.values())[-1]


@pytest.mark.parametrize("at", ["their own table", "that table"])
def test_a_right_code_is_told_from_a_wrong_one_only_by_a_guess_that_counts(clubs, at: str) -> None:
    """Whoever guesses has used up first what may be taken by codes, or at the table itself."""
    club = clubs(joins_per_minute=3, codes_per_minute=3)
    path = club.open(club.phone())
    (anna,) = club.sit(path, ["Anna"])
    right = offered(club, anna, path).code
    guesser = club.phone()
    if at == "that table":
        for name in ("Mallory", "Mall"):
            assert guesser.post(club.join_path(path), {"name": name}).status_code == 303
    else:
        theirs = club.open(guesser)
        club.done(guesser, theirs, "join", name="Mallory")
        key, other = offered(club, guesser, theirs).key, club.phone()
        assert {other.post(f"/m/{key}", {"key": "k"}).status_code for _ in range(9)} <= {303, 429}
    wrong = "22222222"
    answers = [guesser.post(f"/m/{code}") for code in (wrong, wrong, wrong, right, wrong)]
    assert [answer.status_code for answer in answers] == [404] * 3 + [429] * 2
    said = {answer.text.replace(right, wrong) for answer in answers[3:]}
    assert len(said) == 1
    assert "Too many wrong codes" in said.pop()


def test_wrong_codes_of_others_shut_nobody_out(seated) -> None:
    """However many addresses guess, a right code from another one is taken."""
    club, _, path, _ = seated
    stranger = club.app.test_client(use_cookies=False)
    guesses = Counter(
        stranger.post(
            "/code", data={"code": "222222"}, environ_overrides={"REMOTE_ADDR": f"10.0.{n % 30}.1"}
        ).status_code
        for n in range(600)
    )
    assert guesses == {404: 300, 429: 300}
    right = club.tables.code(club.table(path).id)
    assert club.phone().post("/code", {"code": right}).status_code == 303


def test_tables_are_counted(clubs) -> None:
    club = clubs(tables_per_hour=2)
    answers = [club.phone().post("/open", {"key": "k"}).status_code for _ in range(3)]
    assert answers == [303, 303, 429]


def test_openings_that_are_refused_keep_nobody_from_a_table(clubs, monkeypatch) -> None:
    club = clubs(tables_per_hour=1)
    tent = f"/s/{club.tables.standing_codes.key(club.tables.standing_codes.make(1))}"
    for form in ({"game": "chess"}, {"language": "xx"}, {"edition-saboteur": "x"}):
        for where in ("/open", tent):
            assert club.phone().post(where, {"key": "k", **form}).status_code == 400
    with monkeypatch.context() as full:
        full.setattr(club.log, "used", lambda: club.settings.mib_in_all << 20)
        assert club.phone().post("/open", {"key": "k"}).status_code == 503
    assert club.phone().post("/open", {"key": "k"}).status_code == 303
    assert club.phone().post(tent, {"key": "k"}).status_code == 429


def test_names_that_are_refused_keep_nobody_from_a_seat(clubs) -> None:
    """Whatever page they are sent from."""
    club = clubs(joins_per_minute=3)
    path = club.open(club.phone())
    link = club.join_path(path)
    (anna,) = club.sit(path, ["Anna"])
    for _ in range(5):
        assert club.phone().post(link, {"name": ""}).status_code == 400
        assert club.phone().post(link, {"claim": "1"}).status_code == 409
        assert club.do(anna, path, "rename-seat", seat=1, name="").status_code == 400
    club.sit(path, ["Berta", "Carl"])
    assert club.phone().post(link, {"name": "Dora"}).status_code == 429
    names = ("Anne", "Ann", "Anni", "Anu")
    renamed = [club.do(anna, path, "rename-seat", seat=1, name=name).status_code for name in names]
    assert renamed == [303] * 3 + [429]


def test_a_table_that_is_opened_again_keeps_nobody_from_another(clubs) -> None:
    """Nor is that refused: it is there."""
    club = clubs(tables_per_hour=2)
    host = club.phone()
    path = club.open(host)
    assert [club.open(host) for _ in range(3)] == [path] * 3
    assert club.open(club.phone()) != path
    assert club.open(host) == path
    assert club.phone().post("/open", {"key": "k"}).status_code == 429


def test_what_changes_nothing_keeps_nobody_from_a_seat(clubs) -> None:
    """One's own seat taken or called as it is, and what is sent again."""
    club = clubs(joins_per_minute=3)
    path = club.open(club.phone())
    link = club.join_path(path)
    (anna,) = club.sit(path, ["Anna"])
    for _ in range(5):
        club.done(anna, path, "claim-seat", seat=1)
        club.done(anna, path, "rename-seat", seat=1, name="Anna")
        assert anna.post(link, {"claim": "1"}).status_code == 303
        assert anna.post(link, {"name": "Anna", "key": "join"}).status_code == 303
        offer = offered(club, anna, path)
        for code in (offer.code, offer.key):
            assert anna.post(f"/m/{code}", {"key": "k"}).status_code == 303
    club.sit(path, ["Berta", "Carl"])
    assert club.phone().post(link, {"name": "Dora"}).status_code == 429


def test_who_sits_down_at_other_tables_behind_the_same_address_keeps_nobody_from_a_seat(
    clubs,
) -> None:
    """A mobile provider's phones all come from one. Guessing codes there is as slow as ever."""
    club = clubs(joins_per_minute=3, codes_per_minute=3)
    paths = [club.open(club.phone()) for _ in range(3)]
    for path in paths:
        phones = club.sit(path, ["Anna", "Berta"])
        club.done(phones[0], path, "offer-move", seat=1)
        page = phones[0].get(f"{path}/seat?seat=1").text
        new = club.phone()
        assert new.post(f"/m/{moving_code(page)}", {"key": "k"}).status_code == 303
        assert club.phone().post(club.join_path(path), {"name": "Dora"}).status_code == 429
        assert club.do(new, path, "rename-seat", seat=1, name="Anne").status_code == 303
    right = club.tables.code(club.table(paths[0]).id)
    guesses = (right, right, "222222", right, "222222", right, "222222", "222222", right)
    answers = [club.phone().post("/code", {"code": code}).status_code for code in guesses]
    assert answers == [303, 303, 404, 303, 404, 303, 404, 429, 429]


def test_names_sent_at_the_same_time_are_counted(clubs, monkeypatch) -> None:
    """Before it is known whether they are taken."""
    club = clubs(joins_per_minute=3)
    link = club.join_path(club.open(club.phone()))
    submit = club.tables.submit

    def slowly(*given, **more):
        time.sleep(0.05)
        return submit(*given, **more)

    monkeypatch.setattr(club.tables, "submit", slowly)
    phones = {name: club.phone() for name in ("Anna", "Berta", "Carl", "Dora", "Emil", "Frida")}
    with ThreadPoolExecutor(len(phones)) as threads:
        answers = threads.map(lambda name: phones[name].post(link, {"name": name}), phones)
    assert Counter(answer.status_code for answer in answers) == {303: 3, 429: 3}


def test_what_one_device_sends_is_counted(seated) -> None:
    _, _, path, phones = seated
    answers = {phones[0].post(f"{path}/do/look", {"seat": "1"}).status_code for _ in range(125)}
    assert 429 in answers
    assert phones[1].post(f"{path}/do/look", {"seat": "2"}).status_code != 429


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("192.168.1.20", "192.168.1.20"),
        ("::ffff:192.168.1.20", "192.168.1.20"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
        ("fe80::1%2", "fe80:0000:0000:0000"),
        ("fe80::1%wlan0", "fe80:0000:0000:0000"),
        ("::ffff:192.168.1.20%1", "192.168.1.20"),
        ("nonsense", "-"),
        (None, "-"),
    ],
)
def test_addresses_of_one_person(address: str | None, kept: str) -> None:
    assert group(address) == kept


@pytest.mark.parametrize(
    "path", ["//evil.example", "https://evil.example", "/\\evil.example", "/a\nb", "x", "", None]
)
def test_the_way_on_stays_here(path: str | None) -> None:
    assert local_path(path, "/") == "/"
    assert local_path("/t/a?seat=1", "/") == "/t/a?seat=1"


def test_the_way_on_stays_at_the_table(seated) -> None:
    club, host, path, _ = seated
    for there in ("/", "/t/other", "https://evil.example", f"{path}x"):
        answer = club.do(host, path, "clear-wifi", next=there)
        assert answer.location == path


def test_names_are_text(club) -> None:
    host = club.phone()
    path = club.open(host)
    name = "<b>&'\"{{7*7}}</b>"
    club.sit(path, [name])
    for page, text in pages.seen(host, path).items():
        assert "<b>&'" not in text
        assert "{{7*7}}" in text or page not in pages.WITH_NAMES


def test_a_code_that_could_not_be_looked_up_is_no_guess(clubs, monkeypatch) -> None:
    club = clubs(codes_per_minute=2)
    path = club.open(club.phone())
    code = club.tables.code(path.split("/")[2])
    phone = club.phone()

    def away(_: str) -> None:
        raise StorageError

    with monkeypatch.context() as patched:
        patched.setattr(club.tables, "by_code", away)
        assert {phone.post("/code", {"code": code}).status_code for _ in range(5)} == {503}
    assert phone.post("/code", {"code": code}).location == club.join_path(path)


def test_a_device_is_one_object_and_made_up_ones_take_no_room(club) -> None:
    """Anybody can make devices up, as many as they like."""

    def asks(number: int) -> str | None:
        cookie = f"device={number:022d}"
        return security.device_of({"HTTP_COOKIE": cookie, "wsgi.url_scheme": "http"}, "")

    assert asks(1) is asks(1)
    for number in range(2 * security.DEVICES_SHARED):
        asks(number)
    assert security._shared.cache_info().currsize == security.DEVICES_SHARED
