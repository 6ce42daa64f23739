"""A page of a table as it is now: its parts for streams and scripts, or the whole of it."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Final, NamedTuple

from flask import Response, current_app, request

from companion.tables.model import Device, Player, Seat, Table, WaitingEnd
from companion.web.answers.admission import seat_lost
from companion.web.answers.next_deal import next_deal
from companion.web.answers.reader_language import locale_for
from companion.web.answers.render import framed, html, part_answer
from companion.web.answers.services import Services, current_services
from companion.web.html.cache import TABLE, etag, filled
from companion.web.html.changes import Changes, changes, written
from companion.web.html.identity_cache import by_identity
from companion.web.html.panels import WHOLE, Page, View
from companion.web.view import explained, handovers, host_page, lobby, phone_pages, presenter
from companion.web.view.asking import Asking, PageName, address_of
from companion.web.view.games import pages_of
from companion.web.view.me import Me
from companion.web.view.models import (
    NOTHING_TYPED,
    FairLine,
    Frame,
    OtherGame,
    Reach,
    RefusalView,
    SeatName,
    Typed,
)
from companion.web.view.moments import TABLES_KEPT, Around, Moment

PAGE_OF: Final[dict[PageName, Callable[[Moment, Me], Page]]] = {
    "host": host_page.page,
    "qr": phone_pages.qr,
    "seat": phone_pages.my_seat,
}
"""Pages that are alike in all phases of all games."""


def moment_of(services: Services, table: Table) -> Moment:
    arrivals = services.arrivals
    lonely = arrivals.lonely_s(table) <= 0
    away, gone = arrivals.host_away(table), arrivals.host_gone(table)
    around = Around(away, gone, services.network(), lonely, arrivals.awaited_seats(table))
    return services.moments.of(table, around)


class Company(NamedTuple):
    """What a phone's `Me` is made of besides who asks: it stays the same while others play."""

    seats: tuple[Seat, ...]
    players: tuple[Player, ...]
    playing: bool
    host: Device
    reach: Reach
    next_deal: str | None  # see there; None: the program deals nothing
    end: WaitingEnd | None  # that waits
    other_games: tuple[OtherGame, ...]  # where no game is on


def company_of(services: Services, moment: Moment) -> Company:
    table = moment.table
    return Company(
        table.seats,
        table.players,
        table.playing,
        table.host,
        reach_of(services, moment),
        next_deal(services, table) if table.game.deals_secrets else None,
        table.round.waiting_end,
        () if table.playing else _other_games(services, table),
    )


def _other_games(services: Services, table: Table) -> tuple[OtherGame, ...]:
    others = (game for game in services.tables.games.values() if game.name != table.game.name)
    limits = ((game.name, game.seat_counts[-1]) for game in others)
    return tuple(OtherGame(name, most if len(table.seats) > most else 0) for name, most in limits)


def me_of(
    services: Services,
    moment: Moment,
    who: Asking,
    refusal: RefusalView | None = None,
    typed: Typed = NOTHING_TYPED,
    sheet: View | None = None,
) -> Me:
    table = moment.table
    folder, path = (address.replace(table.id, TABLE) for address in (who.folder, who.path))
    opens_from_screen = who.opens_from_screen
    company = moment.once(company_of, services, moment)
    deal = company.next_deal
    fair = None if deal is None else FairLine(address_of(folder, opens_from_screen, "fair"), deal)
    by_device = _seats(company.seats, company.players, company.playing)
    held = None if who.device is None else by_device.get(who.device)
    seats, held_in_play = held or ((), ())
    hosts = who.device is not None and who.device == company.host
    return Me(
        device=who.device,
        seats=seats,
        held_in_play=held_in_play,
        seat=who.seat,
        folder=folder,
        path=path,
        opens_from_screen=opens_from_screen,
        quarters=services.rotations.quarters(who),
        turned=who.from_screen or services.rotations.chosen(who.device) is not None,
        hosts=hosts,
        reach=company.reach,
        fair=fair,
        refusal=refusal,
        typed=typed,
        offer=services.shown_offers.seat_offer(who),
        codes=services.shown_offers.codes(who),
        screen_code=services.shown_offers.screen_code(who),
        sheet=sheet,
        dealt=who.dealt,
        from_screen=who.from_screen,
        seat_lost=None if seats else seat_lost(services.arrivals, table, who.device, who.page),
        other_games=company.other_games if hosts else (),
        end_left_s=ceil(services.tables.due_s(table)) if company.end is not None else 0,
    )


@by_identity(kept=TABLES_KEPT)
def _seats(
    seats: tuple[Seat, ...], players: tuple[Player, ...], playing: bool
) -> dict[Device, tuple[tuple[SeatName, ...], tuple[SeatName, ...]]]:
    """Those that each device holds, clockwise; and those of them that have a part in the game that
    is on."""
    parts = {player.id for player in players}
    held: dict[Device, list[SeatName]] = {}
    for seat in seats:
        if seat.device is not None:
            held.setdefault(seat.device, []).append(SeatName(seat.id, seat.name))
    return {
        device: (tuple(names), tuple(name for name in names if not playing or name.id in parts))
        for device, names in held.items()
    }


def page_of(moment: Moment, me: Me, name: PageName) -> Page:
    """The parts of a page as it is now."""
    page = _page_of(moment, me, name)
    return page if name == "screen" else handovers.to_host(moment, me, page)


def _page_of(moment: Moment, me: Me, name: PageName) -> Page:
    if me.seat_lost is not None:
        return phone_pages.seat_lost(moment, me)
    if name in PAGE_OF:
        return PAGE_OF[name](moment, me)
    if me.waits:
        return lobby.next_game(name, moment, me)
    if explained.is_explained(moment.table):
        return explained.page(name, moment, me)
    pages = pages_of(moment.table.game)
    if name == "report":
        report = pages.report(moment, me)
        if report is not None:
            return report
        name = "table"
    return (lobby if moment.table.game_state is None else pages).page(name, moment, me)


def frame_of(who: Asking, me: Me, page: Page) -> Frame:
    return Frame(
        game=who.table.game.name,
        way=who.table.way,
        live=who.live,
        seat=me.chosen.name if me.chosen else None,
        typing=page.typing,
        explains=not who.table.playing and bool(who.table.game.explanation),
        again=me.path if request.method == "POST" else "",
    )


def reach_of(services: Services, moment: Moment) -> Reach:
    table, tables = moment.table, services.tables
    key, code = tables.join_key(table), tables.code(table.id)
    return presenter.reach(table.wifi, moment.around.network, key, code or "")


def show(
    who: Asking,
    *,
    status: int = 200,
    refusal: RefusalView | None = None,
    typed: Typed = NOTHING_TYPED,
    sheet: View | None = None,
) -> Response:
    """The whole page as the answer to this request."""
    services = current_services()
    moment = moment_of(services, who.table)
    services.arrivals.looked_at(who)
    me = me_of(services, moment, who, refusal, typed, sheet)
    locale = locale_for(who.table, screen=who.on_screen)
    page = page_of(moment, me, who.page)
    body = services.html.whole(page, locale)
    opened = services.html.fresh(sheet, locale) if sheet is not None else ""
    shown = etag(body, who.table.names)
    text = framed(current_app, who.page, locale, frame_of(who, me, page), body, opened, shown)
    return html(
        ready(text, who), locale, me.seat_lost.status if me.seat_lost is not None else status
    )


def ready(text: str, who: Asking) -> str:
    """Kept HTML, or what stands around it, for the page that is asked for."""
    return filled(text, who.table.id, who.table.version, who.seat_query, who.table.names)


def parts_whole(who: Asking) -> Response:
    """All of its page, for a script."""
    services = current_services()
    moment = moment_of(services, who.table)
    page = page_of(moment, me_of(services, moment, who), who.page)
    locale = locale_for(who.table, screen=who.on_screen)
    whole = {WHOLE: services.html.whole_json(page, locale)}
    said = written(whole, services.html, locale, who.table.names)
    return part_answer(said, locale, 200, who.table.version)


def has_stream() -> bool:
    """Whether the page whose script asks has its stream, which brings what is new."""
    return request.headers.get("X-Stream") == "open"


def parts_refused(who: Asking, *, status: int, refusal: RefusalView, typed: Typed) -> Response:
    """What differs on its page because something was refused, for a script; all of the page where
    it may have missed what has happened meanwhile."""
    services = current_services()
    moment = moment_of(services, who.table)
    locale = locale_for(who.table, screen=who.on_screen)
    before = page_of(moment, me_of(services, moment, who), who.page)
    after = page_of(moment, me_of(services, moment, who, refusal, typed), who.page)
    said: Changes
    if has_stream() and before.layout == after.layout:
        said = changes(before.own, after.own)
    else:
        said = {WHOLE: services.html.whole_json(after, locale)}
    line = written(said, services.html, locale, who.table.names)
    return part_answer(line, locale, status, who.table.version)
