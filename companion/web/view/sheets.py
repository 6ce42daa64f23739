"""What every sheet has in common, whatever the game: its address, its verdicts, how it is found."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypedDict
from urllib.parse import urlencode

from companion.games.game import Rejection
from companion.values import Value
from companion.web.html.cache import TABLE
from companion.web.html.panels import View
from companion.web.view.games import UnknownSheetError
from companion.web.view.models import SeatView

if TYPE_CHECKING:
    from companion.tables.model import Table


class Sheet(View, frozen=True):
    """What opens over a page. A game has a value for each that it has, with a template of its own
    that calls the frame in `macros/sheet.html`."""

    kind: ClassVar[str]
    """What styles and scripts know it by."""

    here: str  # address of the page
    path: str  # address of this sheet
    actor: SeatView | None  # in whose turn its plays are; None: it has none now


class SheetFrame(TypedDict):
    """The fields of every `Sheet`."""

    here: str
    path: str
    actor: SeatView | None


class Verdict(Value, frozen=True):
    """Why something cannot be played, with all that its sentence and its rule need."""

    game: str
    edition: str
    names: tuple[str, ...]  # of the players
    refusal: Rejection


class SheetRequest:
    """A request for a sheet: the table as it is, the seat that may act, and what was tapped.

    A game's subclass has a method without parameters for each of its `asks`, which makes that
    sheet.
    """

    asks: ClassVar[tuple[str, ...]]
    """The parameters that a sheet's address may have; the first one that it has decides."""

    def __init__(
        self,
        table: Table,
        players: tuple[SeatView, ...],
        actor: SeatView | None,
        asked: Mapping[str, str],
        here: str,
    ) -> None:
        """`here`: the page that it opens over."""
        self.table = table
        self.state: Any = table.game_state
        self.players = players
        self.actor = actor
        self.asked = asked
        self.here = here

    def asking(self, asked: Mapping[str, str]) -> Self:
        """The same request, for another sheet."""
        other = copy(self)
        other.asked = asked
        return other

    def frame(self, actor: SeatView | None) -> SheetFrame:
        """Without an `actor` it stays open whoever’s turn it is."""
        return SheetFrame(here=self.here, path=self.link(self.asked), actor=actor)

    def link(self, asked: Mapping[str, str]) -> str:
        return f"/t/{TABLE}/ask?{urlencode(asked)}"

    def back(self, *names: str, **more: str) -> str:
        """The address of a sheet before this one: of what was asked, only `names`, and on whose
        page it opens."""
        kept = {name: self.asked[name] for name in names if name in self.asked}
        return self.link(more | kept | self.kept)

    @property
    def kept(self) -> dict[str, str]:
        """Of what was asked, what every sheet is asked with: on whose page it opens."""
        return {name: self.asked[name] for name in ("seat", "screen") if name in self.asked}

    def verdict(self, refusal: Rejection) -> Verdict:
        table = self.table
        return Verdict(table.game.name, table.edition, table.names, refusal)

    def judge(self, play: Any) -> Rejection | None:
        """By the same `decide` that will judge the play."""
        decision = self.table.game.decide(self.state, play)
        return decision if isinstance(decision, Rejection) else None

    def sheet(self) -> Sheet:
        """What was asked for; `UnknownSheetError` where no link of ours asks so."""
        for name in self.asks:
            if name in self.asked:
                opened: Sheet = getattr(self, name)()
                return opened
        raise UnknownSheetError("kind")
