"""Live parts: the present view at once, every change after it, and a clean farewell."""

from __future__ import annotations

import gc
import re
import threading
import time
import weakref
from html import unescape
from sys import getsizeof
from typing import Any

import pytest

from companion.games.saboteur.pages import public as public_view
from companion.games.saboteur.pages.referee import public_of
from companion.languages import LOCALES
from companion.live.admission import StreamLimits
from companion.live.hub import Hub
from companion.web.answers.table_page import me_of, moment_of, page_of
from companion.web.html.cache import KEY, PLAYERS, SEAT, VERSION, Html, size_of
from companion.web.html.panels import Page, Part, View
from companion.web.live import stream
from companion.web.live.update import update
from companion.web.view.asking import Asking
from companion.web.view.moments import Around, Moment
from tests.kit import parts
from tests.kit.circles import left_behind
from tests.kit.parts import at_table
from tests.kit.phone import moving_code
from tests.web.conftest import Club

BEAT = b"event: beat\ndata:\n\n"


class Line:
    """A phone's open stream."""

    def __init__(self, phone, path: str) -> None:
        self.answer = phone.client.get(
            path, headers={"Accept-Language": phone.language}, buffered=False
        )
        self._pieces = iter(self.answer.response)

    def next(self) -> bytes:
        return next(self._pieces)

    def rest(self) -> list[bytes]:
        """All until the end."""
        return list(self._pieces)

    def message(self) -> tuple[int, str]:
        """The next message that is no beat: its version and the part."""
        while (piece := self.next()) == BEAT:
            pass
        version, said = parts.message(piece)
        return version, "\n".join(parts.html_in(said))

    def close(self) -> None:
        self.answer.close()


@pytest.fixture
def lines():
    opened: list[Line] = []

    def start(phone, path: str) -> Line:
        opened.append(Line(phone, path))
        return opened[-1]

    yield start
    for line in opened:
        line.close()


def test_headers(seated, lines) -> None:
    _, _, path, phones = seated
    answer = lines(phones[0], f"{path}/live").answer
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Content-Encoding" not in answer.headers


def test_the_present_view_comes_first_and_is_the_page(seated, lines) -> None:
    club, _, path, phones = seated
    for page, address in (("seat", path), ("qr", f"{path}/qr"), ("myseat", f"{path}/seat")):
        version, part = lines(phones[0], f"{path}/live?page={page}").message()
        assert version == club.table(path).version
        part = at_table(part, path).replace(VERSION, str(version)).replace(SEAT, "")
        squeezed = "".join(phones[0].get(address).text.split())
        assert "".join(part.split()) in squeezed


def followed(text: str) -> str:
    """The stream of a page that was just loaded, as its script asks for it."""
    live, etag = (re.search(rf'data-{name}="([^"]+)"', text)[1] for name in ("stream", "etag"))
    return f"{unescape(live)}{'&' if '?' in live else '?'}etag={etag}"


@pytest.mark.parametrize(("page", "name"), [("", "seat"), ("/seat", "myseat")])
def test_streams_go_by_names_that_older_versions_know(seated, page: str, name: str) -> None:
    """A page that is open while the program becomes a newer one asks with what it has loaded; and
    what a newer process has sent may come to an older one beside it."""
    _, _, path, phones = seated
    assert f"/live?page={name}" in followed(phones[0].get(path + page).text)


@pytest.mark.parametrize("page", ["", "/qr", "/host", "/seat", "/screen"])
def test_what_a_page_shows_is_not_sent_once_more(seated, lines, page: str) -> None:
    """But what happens then."""
    club, host, path, _ = seated
    line = lines(host, followed(host.get(path + page).text))
    assert line.message() == (club.table(path).version, "")
    club.done(host, path, "add-seat", name="Fritz")
    version, part = line.message()
    assert version == club.table(path).version
    assert "Fritz" in part


def test_a_guests_table_screen_is_not_sent_once_more(seated, lines) -> None:
    club, _, path, _ = seated
    guest = club.phone()
    line = lines(guest, followed(guest.get(f"{club.join_path(path)}/screen").text))
    assert line.message() == (club.table(path).version, "")


@pytest.mark.parametrize(("deed", "form"), [("add-seat", {"name": "Fritz"}), ("start", {})])
def test_what_has_happened_since_a_page_was_loaded_comes_first(seated, lines, deed, form) -> None:
    club, host, path, phones = seated
    asked = followed(phones[1].get(path).text)
    club.done(host, path, deed, **form)
    version, part = lines(phones[1], asked).message()
    assert version == club.table(path).version
    assert "<main" in part


def test_a_player_who_is_called_otherwise_since_a_page_was_loaded(seated, lines) -> None:
    """Names are filled in last."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee")
    club.done(host, path, "start")
    club.done(host, path, "begin")
    asked = followed(phones[1].get(path).text)
    club.done(host, path, "rename-seat", seat="1", name="Fritz")
    assert "Fritz" in lines(phones[1], asked).message()[1]


def test_each_phone_hears_of_a_change_in_its_language(seated, lines) -> None:
    club, host, path, phones = seated
    started = [lines(phone, f"{path}/live?page=seat") for phone in phones]
    before = [line.message() for line in started]
    club.done(host, path, "start")
    after = [line.message() for line in started]
    assert {version for version, _ in after} == {club.table(path).version}
    parts = {part for _, part in after}
    assert len(parts) == len(phones)  # five languages, five seats
    assert parts.isdisjoint(part for _, part in before)


def test_a_page_in_the_tables_language_is_loaded_anew_when_the_host_changes_it(
    seated, lines
) -> None:
    """And no other one."""
    club, host, path, phones = seated
    german, finnish = phones[:2]
    german.language, finnish.language = "de", "fi"
    at_german, at_finnish = (lines(one, f"{path}/live?page=seat") for one in (german, finnish))
    at_german.message()
    at_finnish.message()
    club.done(host, path, "configure", language="et")
    assert at_german.next() == b"event: gone\ndata:\n\n"
    assert at_finnish.message()[0] == club.table(path).version
    assert 'lang="et"' in german.get(path).text


def test_what_was_shown_goes_with_the_next_play(seated, lines) -> None:
    """Not when the collector comes by: tables that play would hold all that they have shown."""
    club, host, path, phones = seated
    for deed, form in (("configure", {"way": "referee"}), ("start", {}), ("begin", {})):
        club.done(host, path, deed, **form)
    started = [lines(phone, f"{path}/live?page=seat") for phone in phones]
    for line in started:
        line.message()
    with left_behind() as left:
        for _ in range(3):
            now = club.table(path).game_state.now
            club.done(host, path, "play", play="pass", seat=club.table(path).players[now.turn].id)
            for line in started:
                line.message()
    assert left == set()


def test_a_program_that_has_ended_leaves_nothing_behind(tmp_path) -> None:
    """Else a `Value` holds something that holds it: the collector passes over values, and so it
    would never find the two."""
    club = Club(tmp_path / "club")
    phone = club.phone()
    assert phone.get(club.open(phone)).status_code == 200
    club.close()
    left = weakref.ref(club.app)
    del club, phone
    gc.collect()
    assert left() is None


def test_a_slow_phone_gets_the_newest_view_only(seated, lines) -> None:
    club, host, path, phones = seated
    line = lines(phones[0], f"{path}/live")
    line.message()
    for name in ("Fritz", "Greta", "Heidi"):
        club.done(host, path, "add-seat", name=name)
    version, part = line.message()
    assert version == club.table(path).version
    assert "Heidi" in part
    assert line.next() == BEAT


def test_a_seat_that_is_offered_in_one_tab_is_seen_in_another_while_it_is(seated, lines) -> None:
    club, _, path, phones = seated
    tab = lines(phones[1], f"{path}/live?page=myseat&seat=2")
    tab.message()
    shown = club.do(phones[1], path, "offer-move", seat="2")
    code = moving_code(phones[1].get(shown.location).text)
    assert code in tab.message()[1]
    club.clock.now += club.settings.offer_s + 1
    assert code not in tab.message()[1]  # with the next beat


def test_beats(seated, lines) -> None:
    _, _, path, phones = seated
    line = lines(phones[0], f"{path}/live")
    line.message()
    assert [line.next() for _ in range(3)] == [BEAT] * 3


def test_what_several_see_alike_is_drawn_once(seated, lines, monkeypatch) -> None:
    club, host, path, _ = seated
    screens = [lines(host, f"{path}/live?page=screen") for _ in range(3)]
    for screen in screens:
        screen.message()
    drawn: list[str] = []
    draw = Html.fresh

    def counting(html: Html, view: View, locale: str) -> str:
        drawn.append(view.template)
        return draw(html, view, locale)

    monkeypatch.setattr(Html, "fresh", counting)
    club.sit(path, ["Fritz"])
    drawn.clear()  # the answer to the form
    assert len({screen.message() for screen in screens}) == 1
    assert sorted(drawn) == sorted(["panels/seated.html", "panels/ring.html", "panels/start.html"])


def test_a_look_changes_one_seat_of_the_circle(seated, lines) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    first, second, *others = phones
    assert second.post(f"{path}/role", {"seat": 2}).status_code == 200
    line = lines(second, f"{path}/live?page=seat")
    _, whole = line.message()
    assert whole.count('class="seat lit') == 1
    assert whole.count('class="seat unlit') == 1 + len(others)
    assert first.post(f"{path}/role", {"seat": 1}).status_code == 200
    (said,) = parts.message(line.next())[1]
    assert set(said) == {"waiting", "seat-1"}
    assert 'class="seat lit' in said["seat-1"]
    assert club.table(path).players[0].name in said["seat-1"]


def test_where_another_layout_begins_the_bar_is_said_only_if_it_changes(seated, lines) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    club.look(path, phones)
    line = lines(phones[0], f"{path}/live?page=seat")
    line.message()
    for deed, parts_said in (
        ({"play": "result", "reached": "1", "finisher": "1"}, {"main"}),
        (None, {"bar", "main"}),  # the next round
    ):
        club.done(host, path, "play" if deed else "deal", **(deed or {}))
        (said,) = parts.message(line.next())[1]
        assert set(said) == parts_said
        assert said["main"].startswith('<main id="main"')
        assert said["main"].endswith("</main>")


def test_what_a_phone_may_do_is_alike_at_all_tables(club, lines) -> None:
    """But for what was played: packed once for all."""
    said = []
    for names in (["Anna", "Bo", "Cleo"], ["Otto", "Pia", "Quinn"]):
        host = club.phone()
        path = club.open(host, key=names[0])
        phones = club.sit(path, names)
        club.done(host, path, "configure", way="referee", edition="en")
        club.done(host, path, "start")
        club.look(path, phones)
        table = club.table(path)
        line = lines(phones[0], f"{path}/live?page=seat")
        line.message()
        club.done(phones[0], path, "play", play="pass", seat=table.players[0].id)
        own = line.next().split(b"\n")[1]
        assert b'"dock"' in own
        assert table.id.encode() not in own
        said.append(own)
    assert said[0] == said[1]


def test_what_all_tables_share_has_the_names_of_each(seated, lines) -> None:
    """Under the referee the log, the turn and the news are drawn for nobody, and named at last."""
    club, host, path, phones = seated
    club.done(phones[1], path, "rename-seat", seat="2", name='"B" <\\i>')
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    line = lines(phones[4], f"{path}/live?page=seat")
    line.message()
    club.done(host, path, "play", play="pass", seat=club.table(path).players[0].id)
    told = [line.message()[1]]
    club.done(host, path, "play", play="pass", seat=club.table(path).players[1].id)
    told.append(line.message()[1])
    named = '<bdi translate="no">&#34;B&#34; &lt;\\i&gt;</bdi>'
    assert f"<h1>Turn: {named}" in told[0]
    assert f"{named} passed." in told[1]
    assert 'data-news="&#34;B&#34; &lt;\\i&gt; passed." data-to-do="Turn: ' in told[1]
    club.done(phones[1], path, "rename-seat", seat="2", name="Bea")
    _, renamed = line.message()
    assert '<bdi translate="no">Bea</bdi> passed.' in renamed
    assert not set(renamed).intersection(PLAYERS)
    head = 'seat=2"><bdi translate="no">Bea</bdi></a>'
    assert head in phones[1].get(path).text
    for page in (path, f"{path}/screen", f"{path}/ask?who=1"):
        text = host.get(page).text
        assert "Bea" in text
        assert not set(text).intersection((*PLAYERS, KEY))


def test_a_phone_has_what_a_page_drawn_from_nothing_has(seated, lines, monkeypatch) -> None:
    """However much of it is kept from play to play, from phone to phone, from table to table."""
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="lv-2009")
    club.done(host, path, "start")
    club.done(host, path, "begin")
    has: dict[str, Page] = {}

    def noting(*of: Any) -> Any:
        *_, page, (_, locale) = of
        has[locale] = page
        return update(*of)

    monkeypatch.setattr(stream, "update", noting)
    started = [lines(phone, f"{path}/live?page=seat") for phone in phones]
    for line in started:
        line.message()
    services = club.app.extensions["companion"]
    plays: tuple[dict[str, str], ...] = (
        {"play": "path", "card": "NESW", "at": "1,0"},
        {"play": "break", "tool": "cart", "target": "3"},
        {"play": "repair", "tool": "cart", "card": "cart", "target": "3"},
        {"play": "path", "card": "EW", "at": "2,0"},
        {"play": "map", "goal": "south"},
        {"play": "rockfall", "at": "2,0"},
        {"play": "pass"},
    )
    for play in (*plays, None):
        if play is None:
            club.done(host, path, "take-back")
        else:
            table = club.table(path)
            seat = table.players[table.game_state.now.turn].id
            club.done(host, path, "play", seat=seat, **play)
        table = club.table(path)
        moment = Moment(table, Around(False, False, services.network(), False), end_wait_s=0)
        fresh = Html(club.app)
        for line, phone, seat in zip(started, phones, table.seats, strict=True):
            assert line.message()[0] == table.version
            page = page_of(
                moment, me_of(services, moment, Asking(table, seat.device, "table")), "table"
            )
            assert has[phone.language] == page
            with club.app.app_context():
                drawn = fresh.whole(page, phone.language)
                assert services.html.whole(page, phone.language) == drawn


def test_whom_a_play_does_not_concern_keeps_its_own_parts(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "configure", way="referee", edition="en")
    club.done(host, path, "start")
    club.look(path, phones)
    services = club.app.extensions["companion"]
    had: dict[int, tuple[Part, ...]] = {}
    kept = 0
    for _ in range(5):
        table = club.table(path)
        public = public_of(moment_of(services, table), 1)
        concerned = public_view.concerned(table, public)
        for seat in table.seats:
            acts = public_view.may(table, public, seat.device) != public_view.NOTHING
            assert acts <= (seat.device in concerned)
            moment, who = moment_of(services, table), Asking(table, seat.device, "table")
            own = page_of(moment, me_of(services, moment, who), "table").own
            if not acts:
                kept += had.get(seat.id) is own
                had[seat.id] = own
        club.done(host, path, "play", seat=table.players[table.game_state.now.turn].id, play="pass")
    assert kept >= 5


def test_what_is_kept_of_html_has_a_bound_in_bytes(seated) -> None:
    club, _, path, _ = seated
    services = club.app.extensions["companion"]
    table = club.table(path)
    moment = Moment(table, Around(False, False, services.network(), False), end_wait_s=0)
    who = Asking(table, table.seats[0].device, "table")
    with club.app.test_request_context():
        page = page_of(moment, me_of(services, moment, who), "table")
    room = 5000
    small, large = Html(club.app, room), Html(club.app)
    with club.app.app_context():
        for locale in LOCALES:
            assert small.whole(page, locale) == large.whole(page, locale)
    for html in (small, large):
        kept = sum(getsizeof(one) for each in html._kept.values() for one in each.values())
        kept += sum(map(size_of, html._kept))
        assert kept == html._bytes
        assert (kept <= room) == (html is small)


def test_the_end_of_the_table_is_told(seated, lines) -> None:
    club, host, path, phones = seated
    line = lines(phones[0], f"{path}/live")
    line.message()
    club.done(host, path, "end")
    last = line.next()
    assert last.startswith(b"data: {")
    assert last.endswith(b"event: gone\ndata:\n\n")
    with pytest.raises(StopIteration):
        line.next()


def test_who_is_taken_out_is_told(seated, lines) -> None:
    club, host, path, phones = seated
    line = lines(phones[1], f"{path}/live")
    line.message()
    club.done(host, path, "remove-seat", seat="2")
    assert line.next().endswith(b"event: gone\ndata:\n\n")


def test_the_end_of_the_program_ends_streams(seated, lines) -> None:
    club, _, path, phones = seated
    line = lines(phones[1], f"{path}/live")
    line.message()
    club.hub.close()
    assert set(line.rest()) <= {BEAT}


def test_that_the_host_is_gone_and_back_is_told(seated, lines) -> None:
    club, host, path, phones = seated
    at_host = lines(host, f"{path}/live?page=screen")
    at_host.message()
    line = lines(phones[1], f"{path}/live")
    _, part = line.message()
    assert "take-hosting" not in part
    club.clock.now += 500
    assert line.next() == BEAT  # the host's screen is still open
    at_host.close()
    assert line.next() == BEAT
    club.clock.now += 121
    _, part = line.message()
    assert "take-hosting" in part
    assert host.get(path).status_code == 200
    _, part = line.message()
    assert "take-hosting" not in part


@pytest.mark.parametrize("page", ["nothing", "error", "../x", ""])
def test_only_pages_of_a_table_are_followed(seated, page: str) -> None:
    _, _, path, phones = seated
    assert phones[0].get(f"{path}/live?page={page}").status_code == 400


def test_strangers_follow_nothing(seated) -> None:
    club, _, path, phones = seated
    assert club.phone().get(f"{path}/live").status_code == 403
    assert phones[0].get(f"{path}/live?page=host").status_code == 403
    assert club.phone().get("/t/none/live").status_code == 404
    assert club.phone().get("/j/none/live").status_code == 404


def test_too_many_streams(clubs, lines) -> None:
    club = clubs(streams_per_address=2)
    host = club.phone()
    path = club.open(host)
    (anna,) = club.sit(path, ["Anna"])
    lines(host, f"{path}/live").message()
    lines(host, f"{path}/live").message()
    assert anna.get(f"{path}/live").status_code == 429
    assert club.hub.listening() == 2


# The hub by itself


def test_one_device_cannot_hold_many_streams() -> None:
    hub = Hub(limits=StreamLimits(per_device=3))
    listeners = [hub.subscribe("t", "d") for _ in range(4)]
    assert [each.closed for each in listeners if each] == [True] + [False] * 3


def test_a_stream_that_is_refused_ends_none_of_its_own_device() -> None:
    """A phone with as many as it may have comes by another address, which is full."""
    hub = Hub(limits=StreamLimits(per_address=3, per_device=2))
    for number in range(3):
        assert hub.subscribe(f"t{number}", f"d{number}", "club", belongs=True)
    old = [hub.subscribe("t", "phone", "home", belongs=True) for _ in range(2)]
    assert hub.subscribe("t", "phone", "club", belongs=True) is None
    assert not any(each.closed for each in old if each)
    assert hub.subscribe("t", "phone", "home", belongs=True)
    assert [each.closed for each in old if each] == [True, False]


def test_leaving_twice_counts_once() -> None:
    hub = Hub(limits=StreamLimits(in_all=1))
    listener = hub.subscribe("t", "d", "1.2.3.4")
    assert hub.subscribe("t", "e", "1.2.3.5") is None
    assert listener is not None
    hub.leave(listener)
    hub.leave(listener)
    assert hub.listening() == 0
    assert hub.subscribe("t", "e", "1.2.3.5") is not None


def test_who_waits_is_woken() -> None:
    hub = Hub()
    listener = hub.subscribe("t", "d")
    assert listener is not None
    threading.Timer(0.02, hub.publish, ("t",)).start()
    began = time.monotonic()
    listener.wait(60)
    assert listener.woken
    assert time.monotonic() - began < 30
    listener.wait(0.01)
    assert not listener.woken


def test_what_one_device_alone_may_notice_wakes_nobody_else() -> None:
    hub = Hub()
    mine, another = hub.subscribe("t", "mine"), hub.subscribe("t", "another")
    assert mine is not None
    assert another is not None
    hub.publish("t", "mine")
    for listener in (mine, another):
        listener.wait(0.01)
    assert mine.woken
    assert not another.woken


def test_presence() -> None:
    now = [100.0]
    hub = Hub(lambda: now[0])
    assert hub.absent_s("t", "d") == 0
    now[0] = 130.0
    assert hub.absent_s("t", "d") == 30  # since the start: nothing else is known
    hub.touch("t", "d")
    now[0] = 131.0
    assert hub.absent_s("t", "d") == 1
    listener = hub.subscribe("t", "d")
    now[0] = 500.0
    assert hub.absent_s("t", "d") == 0
    assert listener is not None
    hub.leave(listener)
    now[0] = 502.0
    assert hub.absent_s("t", "d") == 2
    hub.forget("t")
    assert hub.absent_s("t", "d") == 402


def test_after_the_end_nobody_listens() -> None:
    hub = Hub()
    hub.close()
    listener = hub.subscribe("t", "d")
    assert listener is not None
    assert listener.closed
