"""The application, put together from settings, tables and hub."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn
from urllib.parse import urlsplit

from flask import Flask, Request, Response, g, request
from jinja2 import StrictUndefined
from werkzeug.routing import Rule

from companion import i18n
from companion.games.game import AnyGame
from companion.live.hub import Hub
from companion.paths import TEMPLATES
from companion.settings import Settings
from companion.tables.model import Table
from companion.tables.service import Tables
from companion.web.answers import errors, render
from companion.web.answers.arrivals import Arrivals
from companion.web.answers.services import HEARTBEAT_S, Services
from companion.web.answers.shown_offers import ShownOffers
from companion.web.html.cache import Html
from companion.web.html.compiled_templates import CompiledTemplates
from companion.web.http import assets, security
from companion.web.http.assets import Assets
from companion.web.http.limits import Limits, rates
from companion.web.http.priority import FairQueue
from companion.web.http.proxy import FromProxy
from companion.web.http.runners import Runner
from companion.web.live import stream
from companion.web.pages import (
    explained,
    fair_deal,
    health,
    home,
    join,
    language,
    next_table,
    printed,
    privacy,
    rate_limits,
    records,
    replays,
    results,
    rules,
    secrets,
    sheets,
    standing,
    table,
    under_way,
)
from companion.web.view import template_globals, text
from companion.web.view.games import pages_of
from companion.web.view.moments import Moments
from companion.web.view.network import Network, fixed

log = logging.getLogger("companion.web")


def _not_built(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("an address is written out where it is needed")


class MatchedRule(Rule):
    """A rule by which no address is built: what would do that takes half of the time in which an
    application is made."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        return _not_built


class AnyQuery(Request):
    """A request whose query may be in no encoding: Werkzeug would fail where it is looked at."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.query_string = self.query_string.decode(errors="replace").encode()


def create_app(
    settings: Settings,
    tables: Tables,
    hub: Hub,
    runner: Runner,
    *,
    network: Callable[[], Network] | None = None,
    limits: Limits | None = None,
    heartbeat_s: float = HEARTBEAT_S,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """`runner`: what runs the requests. `network`: where phones reach it, where no public URL is
    set."""
    served = Assets()
    app = drawing(tables.games, served)
    app.request_class = AnyQuery
    app.url_map.merge_slashes = False  # else it leads to whatever host the request names
    app.jinja_env.globals["notices_url"] = settings.notices_url
    reached = _network(settings, network)
    services = Services(
        settings=settings,
        tables=tables,
        hub=hub,
        network=reached,
        limits=limits or Limits(rates(settings)),
        html=Html(app),
        moments=Moments(settings.end_wait_s),
        arrivals=Arrivals(tables, hub, reached, clock, settings.host_gone_s),
        shown_offers=ShownOffers(tables, hub, reached, clock),
        assets=served,
        heartbeat_s=heartbeat_s,
        clock=clock,
    )
    app.extensions["companion"] = services
    body_max = settings.body_kib * 1024
    app.wsgi_app = FairQueue(  # type: ignore[method-assign]
        app.wsgi_app,
        partial(security.device_of, public_url=settings.public_url),
        services.arrivals.plays,
        body_max,
        runner,
    )
    if settings.public_url:  # only then is a proxy in front whose word counts
        app.wsgi_app = FromProxy(  # type: ignore[method-assign]
            app.wsgi_app,
            settings.proxies,
            urlsplit(settings.public_url).scheme,
            settings.forwarded_headers.split(","),
        )
    _log_requests(app)
    rate_limits.install(app, services)  # before all that refuses: that is counted, too
    security.install(app, settings, services.base)
    errors.install(app)
    render.install_packing(app)
    for area in (
        home,
        join,
        standing,
        table,
        sheets,
        records,
        replays,
        results,
        under_way,
        fair_deal,
        next_table,
        stream,
        rules,
        explained,
        printed,
        language,
        privacy,
        health,
    ):
        app.register_blueprint(area.blueprint)
    app.register_blueprint(secrets.blueprint(tables.games.values()))
    app.register_blueprint(assets.blueprint(served, services.limits))
    tables.on_change.append(partial(_changed, services))
    tables.on_news.append(partial(_changed, services))
    return app


def drawing(games: Mapping[str, AnyGame], served: Assets) -> Flask:
    """An application that draws pages, and has none yet. `served`: what they load."""
    app = errors.Quiet("companion", template_folder=str(TEMPLATES), static_folder=None)
    app.url_rule_class = MatchedRule
    app.jinja_environment = render.Environment
    app.jinja_options = {
        "autoescape": True,
        "bytecode_cache": CompiledTemplates(),
        "optimized": False,  # else what filters make of constants would be compiled in, and kept
        "cache_size": -1,  # all templates are kept
        "undefined": StrictUndefined,
    }
    i18n.install(app)
    template_globals.install(app, games, served)
    text.install(app)
    for game in games.values():
        pages_of(game).install(app)
    return app


def _network(settings: Settings, found: Callable[[], Network] | None) -> Callable[[], Network]:
    if found is not None and not settings.public_url:
        return found
    given = fixed(settings.public_url.rstrip("/") or f"http://127.0.0.1:{settings.port}")
    return lambda: given


def _changed(services: Services, table: Table) -> None:
    if table.ended:
        services.forget(table.id)
    else:
        _forget_names(services, table)
        services.hub.publish(table.id)


def _forget_names(services: Services, table: Table) -> None:
    """What was drawn here goes when names have been taken out of a table."""
    version = table.people.nameless_version
    known = services.moments.newest(table.id)
    drawn = known.table.people.nameless_version if known is not None else None
    if version and (version == table.version or version != drawn):
        services.forget_made(table.id)


def _log_requests(app: Flask) -> None:
    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()

    @app.after_request
    def log_pattern(response: Response) -> Response:
        """By pattern: an address may hold a join key."""
        if log.isEnabledFor(logging.INFO):
            rule = request.url_rule.rule if request.url_rule else "-"
            spent_ms = (time.perf_counter() - g.get("began", time.perf_counter())) * 1000
            log.info("%s %s %d %.1f ms", request.method, rule, response.status_code, spent_ms)
        return response
