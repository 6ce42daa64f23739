"""The test can fail: leaks of every kind are planted, and each is found."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from tests.noninterference.answers import LeakFoundError
from tests.noninterference.evening import ComparedEvening
from tests.noninterference.plan import Plan
from tests.noninterference.requests import REQUESTS
from tests.noninterference.world import World

ONLY = (
    "/t/<table_id>",
    "/t/<table_id>/screen",
    "/t/<table_id>/qr",
    "/t/<table_id>/seat",
    "/t/<table_id>/role",
    "/t/<table_id>/ask",
)
"""Where the leaks are planted; a whole evening takes longer."""

PLAN = Plan("lv-2009", "roles", 3, (4,), ("miners",), worlds=4, share=2, only=ONLY)
REFEREED = Plan("fi", "referee", 3, (4,), ("saboteurs",), worlds=4, share=2, only=ONLY)
GOLD_ALONE = Plan("lv-2009", "roles", 3, (1, 4), ("miners",) * 2, worlds=4, share=2, only=ONLY)


Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Change = Callable[[World, Environ, str, Headers, bytes], tuple[str, Headers, bytes]]


def planted(change: Change) -> Callable[[World], None]:
    """A world whose answers are changed on their way out, streams a message at a time."""

    def plant(world: World) -> None:
        inner = world.app.wsgi_app

        def outer(environ: Environ, start_response: Any) -> Iterable[bytes]:
            said: list[Any] = []

            def kept(status: str, headers: Headers, exc_info: Any = None) -> Any:
                said[:] = [status, headers]

            body = inner(environ, kept)
            status, headers = said
            if dict(headers).get("Content-Type", "").startswith("text/event-stream"):
                start_response(status, headers)
                for piece in body:
                    yield change(world, environ, status, headers, piece)[2]
                return
            text = b"".join(body)
            getattr(body, "close", lambda: None)()
            status, headers, text = change(world, environ, status, headers, text)
            start_response(status, headers)
            yield text

        world.app.wsgi_app = outer  # type: ignore[method-assign]

    return plant


def roles(world: World) -> tuple[str, ...]:
    """Those of the round that is on."""
    table = world.table
    on = table is not None and table.game_state is not None and table.game_state.now is not None
    return table.game_state.now.roles if on and table and table.game_state else ()


def page(environ: Environ, path: str) -> bool:
    return bool(environ["REQUEST_METHOD"] == "GET" and environ["PATH_INFO"].endswith(path))


def role_in_a_page(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    """The role of the second player, in the page of every seat."""
    if page(environ, world.table_id) and world.table_id and roles(world):
        body += f"<!-- {roles(world)[1]} -->".encode()
    return status, headers, body


def length_of_a_header(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    if page(environ, "/screen") and roles(world):
        headers = [*headers, ("X-Pad", "x" * sum(world.draw.pile[:3]))]
    return status, headers, body


def order_of_headers(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    if roles(world)[:1] == ("saboteur",):
        headers = sorted(headers)
    return status, headers, body


def cookie(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    if page(environ, "/qr"):
        headers = [*headers, ("Set-Cookie", f"seen={sum(world.draw.pile[:9])}")]
    return status, headers, body


def status_of_a_refusal(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    """Another person's role is refused, but not in the same way."""
    if environ["PATH_INFO"].endswith("/role") and status.startswith("403") and roles(world):
        status = "403 NO" if roles(world)[0] == "saboteur" else "403 FORBIDDEN"
    return status, headers, body


def only_in_a_stream(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    if environ["PATH_INFO"].endswith("/live") and roles(world).count("saboteur") == 0:
        body += b":\n\n"
    return status, headers, body


def unpadded_role(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    """Sizes that an onlooker sees, though only the holder can read the answer."""
    if environ["PATH_INFO"].endswith("/role") and environ["REQUEST_METHOD"] == "POST":
        body = body.replace(b"  ", b"")
    return status, headers, body


def own_role_unasked(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    """In a page of who may know it, but has not asked."""
    if page(environ, world.table_id) and "phone" in environ.get("HTTP_COOKIE", "") and roles(world):
        body += b" " * roles(world).index("saboteur") if "saboteur" in roles(world) else b"   "
    return status, headers, body


def in_a_sheet(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    """Only in what opens when a player is tapped."""
    if environ["PATH_INFO"].endswith("/ask") and "who=" in environ["QUERY_STRING"]:
        body += "".join(roles(world)).encode()
    return status, headers, body


def before_the_deal(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    """While phones open their numbers, and at no other time."""
    if page(environ, "/fair") and world.table and world.table.deals.sealed:
        body += bytes(world.draw.pile)
    return status, headers, body


def while_an_end_waits(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    if page(environ, world.table_id) and world.table and world.table.round.waiting_end:
        body += "".join(roles(world)).encode()
    return status, headers, body


LEAKS = (
    role_in_a_page,
    length_of_a_header,
    order_of_headers,
    cookie,
    status_of_a_refusal,
    only_in_a_stream,
    unpadded_role,
    own_role_unasked,
    before_the_deal,
    while_an_end_waits,
)


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_found(leak: Change) -> None:
    found(PLAN, leak)


def found(plan: Plan, leak: Change) -> None:
    evening = ComparedEvening(plan, planted(leak))
    evening.worlds.first_leak_ends = True
    with pytest.raises(LeakFoundError):
        evening.play()


def test_a_leak_in_a_sheet_is_found() -> None:
    found(REFEREED, in_a_sheet)


def shown_too_early(world: World) -> None:
    """As if every deal that has been drawn were over."""
    deals = world.tables.fair_deals
    real = deals._proof
    deals._proof = lambda *of, **_: real(*of[:4], last_is_over=True)  # type: ignore[method-assign]


def secret_in_a_header(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    if roles(world) and world.table and page(environ, "/screen"):
        secret = world.tables.fair_deals.secret(world.table, 1, 0)
        headers = [*headers, ("X-Seed", b64encode(secret).decode())]
    return status, headers, body


def share_in_a_stream(
    world: World, environ: Environ, status: str, headers: Headers, body: bytes
) -> tuple[str, Headers, bytes]:
    if environ["PATH_INFO"].endswith("/live") and world.table and world.table.deals.shares:
        share = world.table.deals.shares[0][0]
        body += f"<b>{share[:16].upper()}</b> {share[16:].upper()}".encode() if share else b""
    return status, headers, body


@pytest.mark.parametrize(
    "plant",
    [shown_too_early, planted(secret_in_a_header), planted(share_in_a_stream)],
    ids=["shown too early", "in a header", "in a stream"],
)
def test_numbers_of_deals_that_are_not_over_are_found(plant: Callable[[World], None]) -> None:
    """They are the same in all worlds, which tells nothing apart."""
    plan = replace(PLAN, only=(*ONLY, "/t/<table_id>/fair", "/t/<table_id>/live"))
    evening = ComparedEvening(plan, plant)
    evening.worlds.first_leak_ends = True
    with pytest.raises(LeakFoundError, match=r"(secret|share) of game 1"):
        evening.play()


def test_gold_that_others_took_is_found() -> None:
    """After a round that all know, before the next one ends."""

    def others_gold(
        world: World, environ: Environ, status: str, headers: Headers, body: bytes
    ) -> tuple[str, Headers, bytes]:
        table = world.table
        if page(environ, "/seat") and table and table.game_state and table.game_state.past:
            body += bytes(sum(cards) for cards in table.game_state.past[0].gold)
        return status, headers, body

    leaks = ComparedEvening(replace(GOLD_ALONE, worlds=8), planted(others_gold)).play().tally.leaks
    assert leaks
    assert all("/seat" in leak.asked for leak in leaks)


@pytest.mark.parametrize("plan", [PLAN, REFEREED, GOLD_ALONE], ids=["roles", "referee", "gold"])
def test_nothing_is_found_where_nothing_is_planted(plan: Plan) -> None:
    tally = ComparedEvening(plan).play().tally
    assert not tally.leaks
    assert tally.told_apart
    assert tally.searched > 100


def test_a_new_route_is_not_forgotten() -> None:
    def plant(world: World) -> None:
        world.app.add_url_rule("/t/<table_id>/peek", "peek", lambda table_id: "")

    with pytest.raises(AssertionError, match="fill the route GET /t/<table_id>/peek"):
        ComparedEvening(PLAN, plant).play()


def test_a_new_field_is_not_forgotten() -> None:
    def plant(world: World) -> None:
        from flask import request

        @world.app.before_request
        def looks() -> None:
            request.args.get("glimpse")

    tally = ComparedEvening(PLAN, plant).play().tally
    assert all("glimpse" in names for names in tally.looked_for.values())
    assert not any("glimpse" in names for names in tally.sent.values())


def test_every_entry_is_a_route() -> None:
    """What is no more is taken out of the table."""
    world = ComparedEvening(PLAN).worlds.first
    rules = list(world.app.url_map.iter_rules())
    known = {(method, rule.rule) for rule in rules for method in rule.methods or ()}
    assert set(REQUESTS) <= known
