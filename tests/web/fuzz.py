"""Anything at all, from anybody, at every address that the program has.

    python -m tests.web.fuzz [requests]    # 20,000 unless said otherwise; a few minutes

Ctrl-C ends it sooner, and it tells how far it came.

Tables of every game, in every phase and both ways, are built by honest play. Then come requests:
routes as the program itself lists them, forms as they were sent in earnest, both changed at random;
with cookies that are right, another's, expired or broken. After each one: no fault, the headers
that every answer has, and nothing written by who had no right to write it.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from werkzeug.test import create_environ, run_wsgi_app

from companion.games import GAMES
from companion.tables.model import Table
from companion.web.http.security import HEADERS
from companion.web.pages.forms import NAMES
from companion.web.view.asking import PAGES
from tests.games.saboteur import players
from tests.kit.forms import form_of
from tests.web.conftest import Club, Phone
from tests.web.page_forms import Page

ROOT = Path(__file__).resolve().parents[2]
REQUESTS = 20_000
BATCH = 25
"""Requests of one example; each starts from the same tables."""
TICK_S = 0.001
"""Between two requests: a table that was ended and one that is opened anew are two."""
BATCHES = 400
"""Examples in one go: Hypothesis remembers all of them."""

HOSTS_ALONE = frozenset(
    [
        *("add-seat", "order-seats", "configure", "set-wifi", "clear-wifi", "start", "new-game"),
        *("begin", "deal", "free-seat", "renew-link", "end", "explain", "go-on"),
    ]
)
"""What a seated phone that is not the host's can never do."""

SAFE = ("GET", "HEAD", "OPTIONS")
METHODS = (*SAFE, "POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "")
FIELDS = sorted(
    {
        name
        for page in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r'name="(\w+)"', page.read_text(encoding="utf-8"))
    }
    | {"share", "page", "ask", "q", "x"}
)
ODD = (
    *("", "0", "1", "2", "3", "-1", "9" * 30, "²", "1e3", " 1 ", "true", "null", "NaN", "None"),
    *("1,0", "8,-2", "1,0,0", ",", "3,1,2", "en", "lt", "zz", "saboteur", "trains", "referee"),
    *("roles", "path", "pass", "break", "repair", "rockfall", "map", "reveal", "result", "deal"),
    *("NESW", "NSW", "x", "pick", "cart", "lamp", "treasure", "A\nB: c", "\x00", "\x7f", "a\r\n"),
    *("<script>alert(1)</script>", "' OR 1=1 --", "{{7*7}}", "%s%n", "../../etc/passwd", "\\"),
    *("//evil.example", "https://evil.example", "/t/x", "\u202e", "\u200d", "a\u0301" * 99),
    *("Ａ", "🎲", "\ud800", "x" * 3000, "\u2028", "seat=1&seat=2", "%00", "%", "%zz", ";"),
)
COOKIES = (
    *("", "x", "x" * 21, "x" * 23, "\x00" * 22, "é" * 22, '"quoted"', "a;b", "=", "x" * 5000),
    *("0" * 64, "../" * 8, "null", "{}", "[]" * 11),
)
HEADER_VALUES: dict[str, tuple[str, ...]] = {
    "Accept-Language": ("lt", "zz", "*", "en;q=x", ",".join(["et"] * 500), "\xff", "fi;q=0"),
    "Accept-Encoding": ("gzip", "gzip;q=0", "br", "gzip, \x00", "*", "identity"),
    "X-Requested-With": ("fetch", "XMLHttpRequest", "1"),
    "Origin": ("http://localhost", "https://evil.example", "null", "http://[", ""),
    "Referer": ("http://localhost/", "http://evil.example/", "http://[::1", "x"),
    "Sec-Fetch-Site": ("same-origin", "cross-site", "same-site", "none", "x"),
    "Last-Event-ID": ("0", "-1", "99999999999999999999", "x", "\xff"),
    "Range": ("bytes=0-0", "bytes=-1", "bytes=9-1", "x", "bytes=0-,0-,0-"),
    "If-None-Match": ("*", '"x"', "W/"),
    "If-Modified-Since": ("x", "Thu, 01 Jan 1970 00:00:00 GMT"),
    "Content-Encoding": ("gzip", "deflate", "x"),
    "Transfer-Encoding": ("chunked", "gzip"),
    "Expect": ("100-continue", "x"),
    "Host": ("localhost", "evil.example", "[", "127.0.0.1:x", "", "a b"),
    "X-Forwarded-For": ("1.2.3.4", "x", "1.2.3.4, 5.6.7.8"),
    "X-Forwarded-Host": ("evil.example",),
    "X-HTTP-Method-Override": ("DELETE",),
    "Authorization": ("Basic eDp5", "Bearer x"),
    "Accept": ("text/event-stream", "application/json", "x"),
    "Upgrade": ("websocket",),
}
CONTENT_TYPES = (
    *("application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/plain"),
    *("application/json", "multipart/form-data", "x", "", "application/x-www-form-urlencoded; x"),
)


@dataclass
class Sent:
    """A form as it was sent in earnest, or as a page has it now; by whom."""

    who: str
    path: str
    form: dict[str, tuple[str, ...]]  # each field's values, one of which is sent


@dataclass
class Asked:
    """A request to be made."""

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    headers: list[tuple[str, str]] = field(default_factory=list)
    cookie: str = ""
    who: str = ""

    @property
    def from_here(self) -> bool:
        """Whether the browser, if it is one, says that the form is ours."""
        said = dict(self.headers)
        if "Sec-Fetch-Site" in said:
            return said["Sec-Fetch-Site"] in ("same-origin", "none")
        told = said.get("Origin", said.get("Referer", "http://localhost/"))
        return told.startswith("http://localhost")


class Village:
    """Tables in every phase, two circles of phones, and all that they sent."""

    def __init__(self, folder: Path) -> None:
        many = 10**6
        self.club = Club(
            folder / "data",
            tables_per_hour=many,
            codes_per_minute=many,
            joins_per_minute=many,
            forms_per_minute=many,
            requests_per_minute=10**7,
            streams=many,
            streams_per_address=many,
        )
        self.app = self.club.app
        self.sent: list[Sent] = []
        self.shown: list[Sent] = []
        self.tables: list[str] = []
        self.phones: dict[str, Phone] = {}
        for circle in "ab":
            for name in ("host", "Anna", "Berta", "Carl"):
                self.phones[f"{circle} {name}"] = self.club.phone()
        self.phones["moved"] = self.club.phone()
        self.chance = random.Random(4)
        for game in GAMES:
            self._build(game)
        self._gather()
        self.written: list[str] = []
        """The tables that something was written to, since this was last emptied."""
        self._watch()
        self.kept = self._rows()
        self.built_at = self.club.clock.now
        self.asked = 0
        self.statuses: Counter[int] = Counter()
        self.wrote: Counter[str] = Counter()
        """How often something was written, by the last part of the address."""

    # Honest play

    def _build(self, game: str) -> None:
        for number, (way, until) in enumerate(stages(game)):
            self._circle = "ab"[number % 2]
            self._sit(game, way)
            if game == "saboteur":
                self._play(way, until)
            else:
                self._begin(until)

    def _post(self, who: str, path: str, **form: Any) -> None:
        phone = self.phones[f"{self._circle} {who}"]
        answer = phone.post(path, form)
        assert answer.status_code in (200, 303), (path, form, answer.text[-900:])
        self._note(who, path, form)

    def _note(self, who: str, path: str, form: dict[str, str]) -> None:
        said = {name: (value,) for name, value in form.items()}
        self.sent.append(Sent(f"{self._circle} {who}", path, said))

    def _gather(self) -> None:
        """All forms that the pages of all tables have now."""
        known = set()
        for who, phone in self.phones.items():
            for table_id in self.tables:
                here = f"/t/{table_id}"
                for page in PAGES.values():
                    answer = phone.get(here + page)
                    found = Page(answer.text).forms if answer.status_code == 200 else []
                    for form in found:
                        one = Sent(who, form.action or here + page, dict(form.fields))
                        if form.method == "POST" and repr(one) not in known:
                            known.add(repr(one))
                            self.shown.append(one)

    def _do(self, who: str, deed: str, **form: Any) -> None:
        version = str(self.table.version)
        path = f"/t/{self.table_id}/do/{deed}"
        self._post(who, path, version=version, key=f"v{version}", **form)

    @property
    def table(self) -> Table:
        found = self.club.tables.get(self.table_id)
        assert found is not None
        return found

    def _sit(self, game: str, way: str) -> None:
        host = self.phones[f"{self._circle} host"]
        form = {"game": game, f"way-{game}": way, "key": f"open{len(self.tables)}"}
        answer = host.post("/open", form)
        assert answer.status_code == 303, answer.text[-900:]
        self._note("host", "/open", form)
        self.table_id = answer.location.split("/")[2]
        self.tables.append(self.table_id)
        for name in ("Anna", "Berta", "Carl"):
            self._post(
                name,
                f"/j/{self.club.tables.join_key(self.club.tables.get(self.table_id))}",
                name=name,
                key="j",
            )
        self._do("Anna", "offer-move", seat="1")
        self._do("host", "set-wifi", wifi_name="Home", wifi_password="12345678")
        self._do("host", "order-seats", order="3,1,2")

    def _begin(self, until: str) -> None:
        if until != "lobby":
            self._do("host", "start")

    def _play(self, way: str, until: str) -> None:
        if until == "lobby":
            return
        self._do("host", "start")
        if until == "looking":
            return
        for name in ("Anna", "Berta", "Carl"):
            self._post(name, f"/t/{self.table_id}/role")
        plays = 0
        while until == "over" or plays < {"early": 2, "late": 25, "settled": 10**6}[until]:
            state = self.table.game_state
            if state.over:
                return
            if state.now is None:
                if until == "settled":
                    return
                self._do("host", "deal")
                self._do("host", "begin")
            elif way == "roles":
                if until in ("early", "late"):
                    return
                self._do("Berta", "play", play="result", reached="0", last="1")
            else:
                play = players.any_play(state, self.chance)
                seats = tuple(str(player.id) for player in self.table.players)
                self._do("host", "play", **form_of(play, seats))
            plays += 1

    # What is written

    def _watch(self) -> None:
        log = self.club.log
        for name in ("append", "delete"):
            true: Callable[..., Any] = getattr(log, name)

            def watched(table_id: str, *more: Any, true: Callable[..., Any] = true) -> Any:
                self.written.append(table_id)
                return true(table_id, *more)

            setattr(log, name, watched)

    def _rows(self) -> dict[str, list[tuple[Any, ...]]]:
        with self.club.log.reading() as connection:
            return {
                name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr)
                for name in ("tables", "events", "devices")
            }

    def restore(self) -> None:
        """All tables as they were built, at that time; their offers are made anew."""
        self.club.clock.now = self.built_at
        now = self._rows()
        if now != self.kept:

            def work(connection: Any) -> None:
                connection.execute("DELETE FROM tables")
                for name, rows in self.kept.items():
                    marks = ",".join("?" * len(rows[0]))
                    connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)

            self.club.log._writer.run(work)
            here = self.app.extensions["companion"]
            for table_id in self.tables:
                self.club.tables._ledger.cache.forget(table_id)
                here.forget(table_id)
        self.written.clear()

    # Asking

    def rights(self, who: str) -> tuple[set[str], set[str]]:
        """The tables that the device hosts, and those where it has a seat."""
        phone = self.phones.get(who)
        if phone is None:
            return set(), set()
        from hashlib import sha256

        cookie = phone.client.get_cookie("device")
        assert cookie is not None
        device = sha256(cookie.value.encode()).hexdigest()
        tables = self.club.tables
        mine = [table for each in tables.of(device) if (table := tables.get(each))]
        hosted, seated = tables.hosted_by(device), (each.id for each in mine if each.held(device))
        return set(hosted), set(seated)

    def ask(self, asked: Asked) -> None:
        """Makes the request, and looks at what came of it."""
        self.written.clear()
        self.club.clock.now += TICK_S
        hosts, seated = self.rights(asked.who)
        environ = create_environ(
            method=asked.method or "GET",
            query_string=asked.query,
            input_stream=BytesIO(asked.body),
            content_length=len(asked.body),
        )
        environ["REQUEST_METHOD"] = asked.method
        environ["PATH_INFO"] = asked.path.encode("utf-8", "surrogatepass").decode("latin-1")
        for name, value in asked.headers:
            wsgi = name.upper().replace("-", "_")
            environ[wsgi if wsgi.startswith("CONTENT_") else f"HTTP_{wsgi}"] = value
        environ.pop("HTTP_CONTENT_TYPE", None)
        if asked.cookie:
            environ["HTTP_COOKIE"] = asked.cookie
        pieces, line, headers = run_wsgi_app(self.app, environ)
        status = int(line[:3])
        first = b""
        try:
            streams = headers.get("Content-Type", "").startswith("text/event-stream")
            first = next(iter(pieces), b"") if streams else b"".join(pieces)
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()
        self.asked += 1
        self.statuses[status] += 1
        self.judge(asked, status, headers, first, hosts, seated)

    def judge(
        self,
        asked: Asked,
        status: int,
        headers: Any,
        body: bytes,
        hosts: set[str],
        seated: set[str],
    ) -> None:
        assert status < 500, (status, asked)
        for name, value in HEADERS.items():
            assert headers.get(name) == value, (name, asked)
        assert headers.get("Cache-Control"), asked
        assert b"Traceback" not in body, asked
        assert "evil.example" not in headers.get("Location", ""), asked
        self._reading(asked, status, body, hosts | seated)
        if not self.written:
            return
        self.wrote[asked.path.split("/")[-1]] += 1
        assert asked.method not in SAFE, asked
        assert asked.from_here, asked
        parts = asked.path.split("/")
        for table_id in set(self.written):
            if table_id not in self.tables:
                goes_on = parts[1] == "t" and parts[3:] == ["go-on"] and parts[2] in hosts
                assert asked.path == "/open" or goes_on, asked
            elif parts[1] == "j":
                assert self.club.tables.join_key(self.club.tables.get(table_id)) == parts[2], asked
            elif parts[1] == "m":
                assert asked.who, asked
            else:
                assert parts[1:3] == ["t", table_id], asked
                assert table_id in hosts | seated, asked
                assert table_id in hosts or parts[-1] not in HOSTS_ALONE, asked

    def _reading(self, asked: Asked, status: int, body: bytes, at: set[str]) -> None:
        """Nobody sees a table's pages who does not belong to it. Who has ended it, or left it, and
        says so once more hears that it is so, and nothing else."""
        parts = asked.path.split("/")
        if asked.method == "OPTIONS":  # answered for everybody alike
            return
        if parts[1:2] == ["t"] and len(parts) > 2 and parts[2] in self.tables:
            said_again = asked.method == "POST" and not body
            assert parts[2] in at or status >= 303 or said_again, (status, asked)


def stages(game: str) -> list[tuple[str, str]]:
    if game != "saboteur":
        return [("referee", "lobby"), ("referee", "early"), ("referee", "early")]
    ends = ("lobby", "looking", "early", "settled", "over")
    return [("roles", each) for each in ends] + [("referee", each) for each in (*ends, "late")]


# What is asked, by Hypothesis

odd = st.one_of(st.sampled_from(ODD), st.text(max_size=12))
forms = st.dictionaries(st.sampled_from(FIELDS), odd, max_size=6)
header = st.sampled_from(sorted(HEADER_VALUES)).flatmap(
    lambda name: st.tuples(st.just(name), st.sampled_from(HEADER_VALUES[name]))
)

headers_sent = st.one_of(
    st.just([]), st.lists(header, min_size=1, max_size=3, unique_by=lambda each: each[0])
)


def requests(village: Village) -> st.SearchStrategy[Asked]:
    """Any request; half of them from what was sent in earnest."""
    club, tables = village.club, village.tables
    routes = [rule for rule in village.app.url_map.iter_rules() if rule.methods]
    keys = [club.tables.join_key(club.tables.get(each)) for each in tables]
    codes = [code for code in map(club.tables.code, tables) if code]
    ids = st.one_of(st.sampled_from(tables), odd)
    arguments: dict[str, st.SearchStrategy[str]] = {
        "table_id": ids,
        "key": st.one_of(st.sampled_from(keys), odd),
        "offer": st.one_of(st.sampled_from(codes), odd),
        "name": st.one_of(st.sampled_from(NAMES), odd),
        "game": st.one_of(st.sampled_from(list(GAMES)), odd),
    }
    people = st.sampled_from(["", "", "stranger", "broken", "expired", *village.phones])

    def fellow_of(who: str) -> st.SearchStrategy[str]:
        """Somebody who sits at the same tables."""
        circle = [each for each in village.phones if each[:2] == who[:2]]
        return st.sampled_from(circle or [""])

    def cookie_of(who: str, chance: str) -> str:
        if who in village.phones:
            cookie = village.phones[who].client.get_cookie("device")
            assert cookie is not None
            return f"device={cookie.value}"
        return {
            "": "",
            "stranger": f"device={'s' * 22}",
            "broken": f"device={chance}",
            "expired": f"__Host-device={'e' * 22}; session=x",
        }[who]

    def path_of(rule: Any, given: dict[str, str]) -> str:
        path = str(rule.rule)
        for name in rule.arguments:
            path = re.sub(rf"<(?:[^<>]*:)?{name}>", lambda _, n=name: given[n], path)  # type: ignore[misc]
        return path

    @st.composite
    def routed(draw: st.DrawFn) -> tuple[str, str, dict[str, str], str]:
        rule = draw(st.sampled_from(routes))
        given = {name: draw(arguments.get(name, odd)) for name in sorted(rule.arguments)}
        usual = "POST" if "POST" in rule.methods else "GET"
        method = draw(st.sampled_from((usual, usual, usual, *METHODS)))
        return method, path_of(rule, given), draw(forms), ""

    @st.composite
    def in_earnest(draw: st.DrawFn) -> tuple[str, str, dict[str, str], str]:
        sent = draw(st.sampled_from(draw(st.sampled_from((village.sent, *[village.shown] * 3)))))
        path = sent.path
        form = {name: draw(st.sampled_from(values)) for name, values in sent.form.items()}
        if path.startswith("/t/") and draw(st.integers(0, 4)) == 0:
            path = f"/t/{draw(st.sampled_from(tables))}/{path.split('/', 3)[3]}"
        if "version" in form and draw(st.booleans()):
            found = club.tables.get(path.split("/")[2])
            form["version"] = str(found.version) if found else "1"
        if form.get("name") == "":
            form["name"] = draw(st.sampled_from(("Dora", "Emil", "Fina")))
        if draw(st.integers(0, 2)) == 0:
            form |= {"key": draw(odd), **draw(forms)}
        return "POST", path, form, sent.who

    @st.composite
    def whole(draw: st.DrawFn) -> Asked:
        method, path, form, sender = draw(st.one_of(routed(), in_earnest(), in_earnest()))
        who = draw(st.one_of(st.just(sender), st.just(sender), fellow_of(sender), people))
        pairs = urlencode(form, errors="surrogatepass").encode()
        headers = draw(headers_sent)
        query, body = "", b""
        if method in SAFE:
            query = pairs.decode()
        else:
            body = draw(st.sampled_from((pairs,) * 9 + (pairs[:5], b"\xff\x00", b"")))
            kind = draw(st.sampled_from((CONTENT_TYPES[0],) * 15 + CONTENT_TYPES))
            headers = [*headers, ("Content-Type", kind)]
        cookie = cookie_of(who, draw(st.sampled_from(COOKIES)))
        if draw(st.integers(0, 4)) == 0:
            more = draw(st.sampled_from(("locale", "screen_locale", "turn", "name", "share")))
            cookie += f"; {more}={quote(draw(odd), errors='replace')}"
        latin = cookie.encode("utf-8", "replace").decode("latin-1")
        return Asked(method, path, query, body, headers, latin, who)

    return whole()


def fuzz(village: Village, most: int, *, seeded: bool) -> None:
    """`most` requests or a few more; an AssertionError shows the one at fault. `seeded`: the same
    ones each time."""

    @settings(
        max_examples=min(-(-most // BATCH), BATCHES),
        deadline=None,
        derandomize=seeded,
        database=None,
        phases=(Phase.generate,),  # the request at fault is shown by itself
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(requests(village), min_size=BATCH, max_size=BATCH))
    def batch(several: list[Asked]) -> None:
        village.restore()
        for asked in several:
            village.ask(asked)

    while village.asked < most:
        batch()


def built() -> Iterator[Village]:
    with tempfile.TemporaryDirectory() as folder:
        village = Village(Path(folder))
        try:
            yield village
        finally:
            village.club.close()


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    for village in built():
        try:
            with suppress(KeyboardInterrupt):
                fuzz(village, most, seeded=False)
        except BaseException:
            print(f"a fault after {village.asked} requests")
            raise
        print(f"{village.asked} requests at {len(village.tables)} tables, no fault")
        print(f"written {village.wrote.total()} times:", dict(village.wrote.most_common()))
        print(*(f"{status}: {times}" for status, times in sorted(village.statuses.items())))


if __name__ == "__main__":
    main()
