"""Pebbles on pages: the heap for all, and what may be taken for the player whose turn it is."""

from dataclasses import dataclass

from flask import Blueprint

from companion.web.view import common, presenter
from companion.web.view.games import Pages, Secret
from companion.web.view.models import SeatName
from companion.web.view.panels import Page, Panel, View
from tests.games.third.rules import State


@dataclass(frozen=True, slots=True)
class Part(View):
    name: str
    id: str = ""  # of the table
    here: str = ""
    players: tuple[SeatName, ...] = ()
    state: State | None = None  # as all may know it
    mine: int = 0  # id of the seat that may take

    @property
    def template(self):
        return f"games/third/{self.name}.html"


def roles(table, seat):
    if table.phase not in ("looking", "playing") or (index := table.index(seat.id)) is None:
        return ()
    own = "hen" if table.game.view(table.play, index).fox is None else "fox"
    return tuple(Part(name) for name in (own, "hen", "fox"))


class PebblesPages(Pages):
    title, face = "Pebbles", "dwarf"

    def __init__(self, fox):
        card = Secret(title=lambda t: "Card", symbols=("core",), views=roles, dealt=True)
        self.secrets = {"card": card} if fox else {}

    def page(self, name, moment, me):
        table, state = moment.table, presenter.shown_of(moment.table)
        players = tuple(SeatName(each.id, each.name) for each in table.players)
        actor = players[state.turn] if table.phase == "playing" else None
        mine = actor.id if actor in me.held else 0
        heap = Panel("heap", Part("heap", players=players, state=state))
        own = (
            common.bar(me, me.chosen),
            common.refused(me),
            Panel("mine", Part("mine", table.id, me.path, mine=mine)),
            common.links(me, over=table.phase == "over"),
        )
        dealt = "dealt" if self.secrets and name == "seat" else "layout"
        notices = Panel("notices", common.notices_of(table))
        return Page(Part(dealt, table.id), (heap, notices), own)

    def install(self, app):
        app.register_blueprint(Blueprint("third", __name__, template_folder="templates"))
