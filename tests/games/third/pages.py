"""Pebbles on pages: the heap for all, and what may be taken for the player whose turn it is."""

from flask import Blueprint

from companion.tables.model import Phase
from companion.web.html.panels import Page, Panel, View
from companion.web.view import after_game, common, handovers, presenter
from companion.web.view.games import Pages, Secret
from companion.web.view.models import Kit, SeatName


class Layout(View, frozen=True):
    template = "games/third/layout.html"


class Heap(View, frozen=True):
    template = "games/third/heap.html"
    players: tuple[SeatName, ...]
    state: object  # as all may know it


class Mine(View, frozen=True):
    template = "games/third/mine.html"
    id: str
    here: str
    mine: int  # id of the seat that may take
    card: bool  # there is one to look at


class Card(View, frozen=True):
    template = "games/third/card.html"
    fox: bool


def roles(table, seat):
    if table.phase not in (Phase.LOOKING, Phase.PLAYING) or (index := table.index(seat.id)) is None:
        return ()
    return (Card(table.game.view(table.game_state, index).fox is not None), Card(False), Card(True))


class PebblesPages(Pages):
    title, face = "Pebbles", "dwarf"

    def __init__(self, fox):
        card = Secret(title=lambda t: "Card", kit=Kit(("core",)), views=roles, dealt=True)
        self.secrets = {"card": card} if fox else {}

    def page(self, name, moment, me):
        table, state = moment.table, presenter.shown_of(moment.table)
        players = tuple(SeatName(each.id, each.name) for each in table.players)
        actor = players[state.turn] if table.phase == Phase.PLAYING else None
        mine = actor.id if actor in me.held_in_play else 0
        card = bool(self.secrets) and name == "table"
        own = Panel("mine", Mine(table.id, me.path, mine, card))
        links = common.links(me, record=after_game.record_of(table, me))
        shared = (
            Panel("heap", Heap(players, state)),
            Panel("notices", handovers.notices_of(table)),
        )
        head = common.bar(table, me, me.chosen), common.refused(me)
        return Page(Layout(), shared, (*head, own, links))

    def install(self, app):
        app.register_blueprint(Blueprint("third", __name__, template_folder="templates"))
