"""Every request that a browser can make here: how the fields of each route are filled.

Keyed by method and route as the application's map has them. A route that is not here, or a field
that the program looks for and nobody sends, fails the test: fill it in below. What is sent here is
refused or changes nothing that others could see, for the evening must go on; the requests that
change something are made by `evening`, in all worlds alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from werkzeug.routing import Rule

from companion.games.saboteur import GAME
from companion.games.saboteur.rules.cards import GOALS
from companion.games.saboteur.rules.maze import GOAL_AT
from companion.web.pages.forms import NAMES
from companion.web.view.asking import STREAMS
from tests.kit import pages
from tests.kit.forms import opening
from tests.kit.phone import FETCH

Fields = dict[str, str]

UNKNOWN_ROUTE = (
    "The non-interference test does not know how to fill the route {method} {rule}. Add it to "
    "REQUESTS in tests/noninterference/requests.py: the values of its variables, and every field "
    "that it reads, valid and invalid."
)
UNKNOWN_FIELD = (
    "The program looks for {names} in requests to {rule}, and the non-interference test never "
    "sends that. Add it to the route's entry in REQUESTS in tests/noninterference/requests.py."
)
UNKNOWN_COMMAND = (
    "The non-interference test does not know the command or play {name}. Add it to COMMANDS in "
    "tests/noninterference/requests.py, with fields that are refused or change nothing."
)


@dataclass(frozen=True)
class Sight:
    """What a viewer knows that an address can be made of."""

    table: str
    key: str
    code: str
    offer: str  # key of an offer that is open; "" without one
    seats: tuple[int, ...]
    own: tuple[int, ...]
    version: int
    hosts: bool
    place: str  # an empty cell beside the maze, as "1,0"
    asset: str  # hash of the assets
    here: str  # a page that the viewer is on
    said: int = 0  # a number that makes what is sent different each time

    @property
    def own_seat(self) -> str:
        return str(self.own[0]) if self.own else "1"

    @property
    def other_seat(self) -> str:
        return next((str(each) for each in self.seats if each not in self.own), "1")


@dataclass(frozen=True)
class Filled:
    """One request, but for its headers."""

    values: Fields = field(default_factory=dict)  # of the route's variables
    query: Fields = field(default_factory=dict)
    form: Fields | None = None


Fill = Callable[[Sight], Iterator[Filled]]


def _nothing(sight: Sight) -> Iterator[Filled]:
    yield Filled()


def _any_rules(sight: Sight) -> Iterator[Filled]:
    yield Filled()
    yield Filled(query={"back": sight.here})
    yield Filled(query={"back": "//example.org"})


def _home(sight: Sight) -> Iterator[Filled]:
    yield Filled()
    yield Filled(query={"screen": "1"})
    yield Filled(query={"screen": "x"})
    for done in ("left", "closed", "x"):
        yield Filled(query={"done": done})


def _open(sight: Sight) -> Iterator[Filled]:
    form = {"key": f"again{sight.said}", **opening(way="roles", edition="fi")}
    yield Filled(form={**form, "language": "fi", "screen": "1"})
    yield Filled(form=opening(edition="xx", screen="1"))
    yield Filled(form={"game": "chess"})
    yield Filled(form=opening(way="none"))
    yield Filled(form={"language": "xx"})


def _join(sight: Sight) -> Iterator[Filled]:
    for key in (sight.key, "x" * 22):
        yield Filled({"key": key})


def _sit_down(sight: Sight) -> Iterator[Filled]:
    for key in (sight.key, "x" * 22):
        for form in (
            {"name": "Õnne", "key": "again"},
            {"name": ""},
            {"name": "x" * 5000},
            {"claim": sight.other_seat},
            {"claim": "999"},
            {"claim": "x"},
        ):
            yield Filled({"key": key}, form=form)


def _by_key(sight: Sight) -> Iterator[Filled]:
    yield Filled({"key": sight.key})
    yield Filled({"key": "x" * 22})


def _live_by_key(sight: Sight) -> Iterator[Filled]:
    yield from _by_key(sight)
    yield Filled({"key": sight.key}, {"etag": "0" * 24})
    yield Filled({"key": sight.key}, {"lang": "et"})
    yield Filled({"key": sight.key}, {"made": "0123456789"})


def _begin(sight: Sight) -> Iterator[Filled]:
    """There is no café's table here; what its form has is the home page's."""
    for form in ({"key": "again", **opening()}, {"game": "chess"}, {}):
        yield Filled({"key": "x" * 22}, form=form)


def _code(sight: Sight) -> Iterator[Filled]:
    yield Filled(form={"code": sight.code.lower()})
    yield Filled(form={"code": sight.code, "screen": "1"})
    yield Filled(form={"code": "222222", "screen": "1"})
    yield Filled(form={"code": "22222222"})
    yield Filled(form={})


def _move(sight: Sight) -> Iterator[Filled]:
    for offer in (sight.offer, "x" * 22, "22222222"):
        if offer:
            yield Filled({"offer": offer})


def _take_seat(sight: Sight) -> Iterator[Filled]:
    for offer in ("x" * 22, "22222222"):
        yield Filled({"offer": offer}, form={"key": "again"})


def _table(*queries: Fields) -> Fill:
    def fill(sight: Sight) -> Iterator[Filled]:
        yield Filled({"table_id": sight.table})
        dealt = {"seat": sight.own_seat, "dealt": "0.1"}
        seats = ({"seat": sight.own_seat}, {"seat": sight.other_seat}, dealt)
        for query in (*seats, {"screen": "1"}, *queries):
            yield Filled({"table_id": sight.table}, query)
        yield Filled({"table_id": "x" * 22})

    return fill


def _only_table(sight: Sight) -> Iterator[Filled]:
    yield Filled({"table_id": sight.table})
    yield Filled({"table_id": "x" * 22})


def _beside(sight: Sight) -> Iterator[Filled]:
    yield from _only_table(sight)
    yield Filled({"table_id": sight.table}, {"screen": "1"})


def _record(sight: Sight) -> Iterator[Filled]:
    yield from _beside(sight)
    yield Filled({"table_id": sight.table}, {"screen": "1", "game": "1"})
    for game in ("1", "2", "3", "0", "x"):
        yield Filled({"table_id": sight.table}, {"game": game})


def _replay(sight: Sight) -> Iterator[Filled]:
    asked = [*_record(sight)]
    asked += (
        Filled({"table_id": sight.table}, query)
        for query in ({"screen": "1"}, {"at": "2"}, {"screen": "1", "game": "1", "at": "x"})
    )
    yield from _each_page(asked)


def _picture(sight: Sight) -> Iterator[Filled]:
    yield from _record(sight)
    for shape in ("wide", "tall", "round"):
        yield Filled({"table_id": sight.table}, {"shape": shape, "game": "1"})


def _guest_replay(sight: Sight) -> Iterator[Filled]:
    asked = [*_by_key(sight)]
    asked += (Filled({"key": sight.key}, {each: "1"}) for each in ("game", "at", "screen"))
    yield from _each_page(asked)


def _each_page(asked: Iterable[Filled]) -> Iterator[Filled]:
    """The game watched again, and its story."""
    for each in asked:
        for name in ("replay", "story"):
            yield Filled({**each.values, "name": name}, each.query)


def _file(sight: Sight) -> Iterator[Filled]:
    """Records come as files, which no form here has."""
    yield Filled(form={})
    yield Filled(form={"record": "x"})


def _ask(sight: Sight) -> Iterator[Filled]:
    seat = {"seat": sight.own_seat}
    queries: list[Fields] = [
        {"place": sight.place, **seat},
        {"place": sight.place, "card": "NESW"},
        {"place": sight.place, "card": "Nx"},
        {"place": sight.place, "card": "q"},
        {"place": "0,0"},
        {"place": "30,30"},
        {"place": "x"},
        *({"who": str(each), **seat} for each in sight.seats[:3]),
        {"who": "999"},
        {"who": sight.other_seat, "double": "cart", **seat},
        {"who": sight.other_seat, "double": "spoon"},
        {"who": sight.other_seat, "tool": "lantern", **seat},
        {"who": sight.other_seat, "tool": "lantern", "mend": "1"},
        {"act": "1", **seat},
        {"fall": sight.place},
        {"fall": "0,0"},
        {"fall": "1,0", **seat},
        {"fall": "x"},
        *({"fall": f"{x},{y}"} for x, y in GOAL_AT.values()),
        {"goal": "1", **seat},
        *({"goal": goal} for goal in GOALS),
        {"words": "1"},
        {"entry": str(sight.version)},
        {"entry": "x"},
        *({"entry": str(sight.version), name: "1"} for name in ("card", "to")),
        {"entry": str(sight.version), "to": "1,1"},
        {"count": "1"},
        {"copies": "1"},
        {},
    ]
    for query in queries:
        yield Filled({"table_id": sight.table}, query)
    yield Filled({"table_id": sight.table}, {"words": "1", "screen": "1"})
    yield Filled({"table_id": "x" * 22}, {"words": "1"})


def _turn(sight: Sight) -> Iterator[Filled]:
    for table in (sight.table, "x" * 22):
        yield Filled({"table_id": table}, form={"seat": sight.own_seat})
        yield Filled({"table_id": table}, form={"seat": sight.own_seat, "to": "1"})
        yield Filled({"table_id": table}, {"screen": "1"}, form={"seat": sight.own_seat})


def _shares(sight: Sight) -> Iterator[Filled]:
    for table in (sight.table, "x" * 22):
        for form in (
            {},
            {"commitment": "0" * 64, "share": "0" * 32},
            {"commitment": "0" * 63, "share": "0" * 32},
            {"commitment": "0" * 64, "share": "G" * 32},
            {"commitment": "0" * 64},
            {"commitment": "0" * 64, "seal": "0" * 64},
            {"commitment": "0" * 64, "seal": "0" * 32},
        ):
            yield Filled({"table_id": table}, form=form)


def _secret(sight: Sight) -> Iterator[Filled]:
    """A seat's own secret is asked for by `evening`: the first look is seen by all."""
    for seat in (sight.other_seat, "999", "x"):
        yield Filled({"table_id": sight.table}, form={"seat": seat})
        yield Filled({"table_id": sight.table}, form={"seat": seat, "peek": "1"})
    yield Filled({"table_id": "x" * 22}, form={"seat": sight.own_seat})


def _live(sight: Sight) -> Iterator[Filled]:
    for page in (*STREAMS, "x"):
        yield Filled({"table_id": sight.table}, {"page": page})
    yield Filled({"table_id": sight.table}, {"seat": sight.own_seat, "dealt": "0.1"})
    yield Filled({"table_id": sight.table}, {"page": "seat", "etag": "0" * 24})
    yield Filled({"table_id": sight.table}, {"page": "host", "screen": "1"})
    yield Filled({"table_id": sight.table}, {"page": "seat", "lang": "et"})
    yield Filled({"table_id": sight.table}, {"page": "seat", "made": "0123456789"})
    yield Filled({"table_id": "x" * 22})


def _rules(sight: Sight) -> Iterator[Filled]:
    back = f"/t/{sight.table}"
    for query in ({"q": "gold"}, {"edition": "fi", "back": back}, {"edition": "x", "back": "//x"}):
        yield Filled({"game": "saboteur"}, query)
    yield Filled({"game": "saboteur"}, {"q": "x", "back": f"/j/{sight.key}"})
    yield Filled({"game": "chess"})


def _explained(sight: Sight) -> Iterator[Filled]:
    yield from _rules(sight)
    for query in ({"step": "3", "way": "referee"}, {"step": "99"}, {"step": "x", "way": "x"}):
        yield Filled({"game": "saboteur"}, query)


def _language(sight: Sight) -> Iterator[Filled]:
    for where in (f"/t/{sight.table}", f"/t/{sight.table}/screen", "//example.org"):
        yield Filled(query={"next": where})


def _chosen(sight: Sight) -> Iterator[Filled]:
    locale = ("et", "lt", "lv", "fi", "en")[sight.said % 5]
    yield Filled(form={"locale": locale, "next": f"/t/{sight.table}"})
    yield Filled(form={"locale": locale, "next": f"/t/{sight.table}/screen"})
    yield Filled(form={"locale": "xx"})


def _static(sight: Sight) -> Iterator[Filled]:
    yield Filled({"hash_": sight.asset, "name": "app.css"})
    yield Filled({"hash_": "old", "name": "icon.svg"})
    yield Filled({"hash_": sight.asset, "name": "vendor/none.js"})


# Commands

Commands = Callable[[Sight], Iterator[Fields]]


def _results(sight: Sight) -> Iterator[Fields]:
    seat = sight.other_seat
    yield {"play": "result", "reached": "1", "finisher": seat, "version": "0"}
    yield {"play": "result", "reached": "1", "version": "0"}
    yield {"play": "result", "reached": "0", "last": "x"}
    yield {"play": "result", "reached": "2"}
    yield {"play": "dance", "seat": seat}


PLAY_FIELDS: dict[str, tuple[Fields, ...]] = {
    "path": ({"card": "NESW", "at": "1,0"}, {"card": "", "at": "1,0"}, {"card": "EW", "at": "x"}),
    "reveal": ({"goal": "middle", "card": "NESW"}, {"goal": "attic", "card": "NE"}),
    "break": ({"tool": "cart", "target": "1"}, {"tool": "spoon", "target": "1"}),
    "repair": ({"card": "cart,lantern", "tool": "cart", "target": "1"}, {"card": "x"}),
    "rockfall": ({"at": "1,0"}, {"at": "0,0"}),
    "map": ({"goal": "north", "uncounted": "1"}, {"goal": "attic"}),
    "pass": ({},),
    "count": ({"pile": "12"}, {"pile": "x"}),
}
"""By play of the referee's way; made by who may not, or from a stale page."""


def _plays(sight: Sight) -> Iterator[Fields]:
    yield from _results(sight)
    way = GAME.ways["referee"]
    for name in sorted(way.plays | way.host_plays):
        assert name in PLAY_FIELDS, UNKNOWN_COMMAND.format(name=name)
        for fields in PLAY_FIELDS[name]:
            yield {"play": name, "version": "0", **fields}
        if not sight.hosts:  # in another's name
            yield {"play": name, "seat": sight.other_seat, **PLAY_FIELDS[name][0]}


def _only_host(*forms: Fields) -> Commands:
    """Accepted from the host, so only others send it."""

    def fill(sight: Sight) -> Iterator[Fields]:
        if not sight.hosts:
            yield from forms
        else:
            yield {"version": "x"}

    return fill


def _seat(*, hosts: bool) -> Commands:
    """`hosts`: it is a deed of the host's, which others may not do to another's seat."""

    def fill(sight: Sight) -> Iterator[Fields]:
        for seat in ("999", "x", ""):
            yield {"seat": seat}
        if not (hosts and sight.hosts):
            yield {"seat": sight.other_seat}

    return fill


def _stale(*forms: Fields) -> Commands:
    def fill(sight: Sight) -> Iterator[Fields]:
        for form in forms:
            yield {"version": "0", **form}

    return fill


def _fields(*forms: Fields) -> Commands:
    def fill(sight: Sight) -> Iterator[Fields]:
        yield from forms

    return fill


def _order(sight: Sight) -> Iterator[Fields]:
    yield {"version": "0", "order": ",".join(map(str, reversed(sight.seats)))}
    yield {"version": "0", "order": ",".join(map(str, sight.seats))}
    yield {"order": sight.other_seat}
    yield {"order": "1,x"}


def _rename(sight: Sight) -> Iterator[Fields]:
    yield {"seat": sight.own_seat, "name": ""}
    yield {"seat": sight.other_seat, "name": "x" * 5000}
    yield {"seat": "999", "name": "Zoë"}
    yield {"seat": "x", "name": "Zoë"}


COMMANDS: dict[str, Commands] = {
    "join": _fields({"name": "Õnne"}, {"name": ""}, {"name": "\u202e"}),
    "add-seat": _fields({"name": "Õnne"}, {"name": "x" * 5000}),
    "remove-seat": _seat(hosts=True),
    "rename-seat": _rename,
    "take-name-out": _seat(hosts=False),
    "order-seats": _order,
    "configure": _fields({"edition": "xx"}, {"way": "none"}, {"language": "xx"}),
    "set-wifi": _fields({"wifi_name": "", "wifi_password": "12345678"}, {"wifi_name": "x" * 33}),
    "clear-wifi": _only_host({}),
    "renew-link": _only_host({}),
    "join-people": _fields({"seat": "1", "same": "2"}, {"seat": "1"}, {"seat": "999", "same": "1"}),
    "part-people": _fields({"seat": "1"}, {"seat": "x"}),
    "start": _stale({}, {"starter": "1"}, {"starter": "lot"}, {"starter": "x"}),
    "new-game": _stale({}, {"starter": "1"}, {"starter": "lot"}, {"starter": "x"}),
    "look": _seat(hosts=False),
    "begin": _only_host({}),
    "play": _plays,
    "confirm-end": _stale({}),
    "stop-end": _stale({}),
    "correct": _stale(
        {"card": "1", "number": "2"},
        {"card": "x"},
        {"play": "path", "step": "0", "card": "NESW", "at": "1,0"},
        {"play": "path", "step": "x", "uncounted": "1"},
    ),
    "load-deck": _fields({"deck": "{}"}, {}),
    "take-back": _stale({}, {"next": "/t/x"}),
    "deal": _stale({}),
    "finish": _stale({}),
    "count": _fields({}),
    "explain": _fields({}, {"step": "99"}, {"step": "x"}),
    "free-seat": _seat(hosts=True),
    "claim-seat": _seat(hosts=False),
    "pass-hosting": _seat(hosts=True),
    "end": _only_host({}, {"next": "//example.org"}),
    "take-hosting": _fields({}),
    "offer-move": _seat(hosts=False),
    "offer-screen": _fields({}),
}


def _go_on(sight: Sight) -> Iterator[Filled]:
    """Accepted from the host, so only others send it."""
    for table in (sight.table, "x" * 22):
        yield Filled({"table_id": table}, form={"game": "chess", "screen": "1"})
        odd = {"language": "xx", "edition-trains": "xx", "way-trains": "xx"}
        yield Filled({"table_id": table}, form={"game": "trains", **odd})
        if not sight.hosts:
            yield Filled({"table_id": table}, form={"game": "trains"})


def _do(sight: Sight) -> Iterator[Filled]:
    for name in NAMES:
        fill = COMMANDS.get(name)
        assert fill is not None, UNKNOWN_COMMAND.format(name=name)
        for number, form in enumerate(fill(sight)):
            keyed = {"version": str(sight.version), "key": f"{sight.said}-{number}", **form}
            yield Filled({"table_id": sight.table, "name": name}, form=keyed)
    yield Filled({"table_id": sight.table, "name": "dance"}, form={})
    yield Filled({"table_id": "x" * 22, "name": "join"}, form={"name": "Õnne"})


def _not_a_form(sight: Sight) -> Iterator[Filled]:
    yield Filled({"table_id": sight.table, "name": "start"})
    yield Filled({"table_id": "x" * 22, "name": "dance"})


REQUESTS: dict[tuple[str, str], Fill] = {
    ("GET", "/"): _home,
    ("GET", "/screen"): _nothing,
    ("POST", "/open"): _open,
    ("GET", "/j/<key>"): _join,
    ("POST", "/j/<key>"): _sit_down,
    ("GET", "/j/<key>/screen"): _by_key,
    ("GET", "/j/<key>/live"): _live_by_key,
    ("GET", "/j/<key>/fair"): _by_key,
    ("GET", "/j/<key>/<any(replay, story):name>"): _guest_replay,
    ("GET", "/s/<key>"): _by_key,
    ("POST", "/s/<key>"): _begin,
    ("POST", "/code"): _code,
    ("GET", "/m/<offer>"): _move,
    ("POST", "/m/<offer>"): _take_seat,
    **{("GET", f"/t/<table_id>{path}"): _table({"seat": "x"}) for path in pages.ALL.values()},
    ("GET", "/t/<table_id>/do/<name>"): _not_a_form,
    ("POST", "/t/<table_id>/do/<name>"): _do,
    ("GET", "/t/<table_id>/ask"): _ask,
    ("GET", "/t/<table_id>/turn"): _only_table,
    ("POST", "/t/<table_id>/turn"): _turn,
    ("GET", "/t/<table_id>/under-way"): _table({"screen": "1"}),
    ("GET", "/t/<table_id>/wanted"): _table({"screen": "1"}),
    ("GET", "/t/<table_id>/next"): _table({"screen": "1"}),
    ("GET", "/t/<table_id>/go-on"): _only_table,
    ("POST", "/t/<table_id>/go-on"): _go_on,
    ("GET", "/j/<key>/under-way"): _by_key,
    ("GET", "/t/<table_id>/record.jsonl"): _record,
    ("GET", "/t/<table_id>/deck.json"): _only_table,
    ("GET", "/t/<table_id>/<any(replay, story):name>"): _replay,
    ("GET", "/t/<table_id>/games"): _beside,
    ("GET", "/t/<table_id>/take"): _record,
    ("GET", "/t/<table_id>/results.csv"): _record,
    ("GET", "/t/<table_id>/result.png"): _picture,
    ("GET", "/t/<table_id>/fair"): _beside,
    ("GET", "/t/<table_id>/tent"): _only_table,
    ("POST", "/t/<table_id>/fair"): _shares,
    **{("GET", address): _table() for address in pages.SECRETS},
    **{("POST", address): _secret for address in pages.SECRETS},
    ("GET", "/t/<table_id>/live"): _live,
    ("GET", "/replay"): _nothing,
    ("POST", "/replay"): _file,
    ("GET", "/explain/<game>"): _explained,
    ("GET", "/rules"): _any_rules,
    ("GET", "/rules/<game>"): _rules,
    ("GET", "/rules/<game>/scores"): _rules,
    ("GET", "/healthz"): _nothing,
    ("GET", "/readyz"): _nothing,
    ("GET", "/privacy"): _any_rules,
    ("GET", "/language"): _language,
    ("POST", "/language"): _chosen,
    ("GET", "/static/<hash_>/<path:name>"): _static,
    ("GET", "/favicon.ico"): _nothing,
    ("GET", "/robots.txt"): _nothing,
}

OFTEN = {
    ("POST", "/t/<table_id>/do/<name>"): 4,
    ("GET", "/t/<table_id>/ask"): 2,
    ("POST", "/j/<key>"): 2,
}
"""Routes with more to try than others: how many requests a viewer makes to them, for one."""


def tasks(rules: Iterable[Rule]) -> list[tuple[str, Rule]]:
    """Method and route of everything that every viewer asks for; fails where one is not known."""
    found = []
    for rule in sorted(rules, key=lambda each: each.rule):
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            known = (method, rule.rule) in REQUESTS
            assert known, UNKNOWN_ROUTE.format(method=method, rule=rule.rule)
            found += [(method, rule)] * OFTEN.get((method, rule.rule), 1)
    return found


def requests(method: str, rule: Rule, sight: Sight) -> list[tuple[str, Filled]]:
    """Path and fields of every request to this route."""
    fill = REQUESTS[method, rule.rule]
    return [(_path(rule, filled.values), filled) for filled in fill(sight)]


def _path(rule: Rule, values: Fields) -> str:
    path = rule.rule
    for name in rule.arguments:
        for form in (f"<{name}>", f"<path:{name}>"):
            path = path.replace(form, values[name])
    return path


# Headers

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


def get_headers(turn: int, sight: Sight) -> Fields:
    """A browser's, in turn: without script, compressed, by script, in other languages."""
    return (
        GZIP,
        {},
        {**FETCH, **GZIP},
        {"Accept-Language": "lv, en;q=0.5"},
        FETCH,
        {"X-Requested-With": "XMLHttpRequest", "Referer": sight.here},
        {"Accept-Language": "ja"},
    )[turn % 7]


def post_page(turn: int, sight: Sight) -> Fields:
    """On which page a form says that it stands, in turn: on one of the table's, or on none."""
    here = f"/t/{sight.table}"
    seat = f"{here}/report?seat={sight.own_seat}"
    pages = (here, "", seat, "http://[", f"{here}/host", f"/t/{'x' * 22}", f"{here}/seat")
    return {"page": pages[turn % 7]}


def post_headers(turn: int, sight: Sight) -> Fields:
    """A form's, in turn: from pages of ours, with script and without; at times from elsewhere."""
    return (
        {**FETCH, "Referer": sight.here},
        {"Referer": sight.here},
        {**FETCH, **GZIP, "Referer": f"{sight.here}/report?seat={sight.own_seat}"},
        {"Sec-Fetch-Site": "same-origin", **GZIP},
        {**FETCH, "Referer": f"{sight.here}/host"},
        {"Accept-Language": "fi"},
        {"Origin": "https://example.org"},
        {**FETCH, "Referer": f"{sight.here}/seat"},
        {},
    )[turn % 9]
