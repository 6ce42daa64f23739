"""What every sheet has in common, whatever the game: its address, its verdicts, how it is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from companion.games.game import Rejection
from companion.web.view.games import UnknownSheetError

if TYPE_CHECKING:
    from companion.tables.model import Table
    from companion.web.view.models import SeatView

Sheet = TypeVar("Sheet", bound=Struct)


class SheetRequest(Generic[Sheet]):
    """A request for a sheet: the table as it is, the seat that may act, and what was tapped.

    A game's subclass has a method without parameters for each of its `kinds`, which makes that
    sheet, and sets `blank`, the empty sheet.
    """

    kinds: ClassVar[tuple[str, ...]]
    """The parameters that a sheet's address may have; the first one that it has decides."""

    blank: Sheet

    def __init__(
        self,
        table: Table,
        players: tuple[SeatView, ...],
        actor: SeatView | None,
        asked: Mapping[str, str],
    ) -> None:
        self.table = table
        self.state: Any = table.play
        self.players = players
        self.actor = actor
        self.asked = asked

    def link(self, asked: Mapping[str, str]) -> str:
        return f"/t/{self.table.id}/ask?{urlencode(asked)}"

    def back(self, *names: str, **more: str) -> str:
        """The address of a sheet before this one: of what was asked, only the seat and `names`."""
        kept = {name: self.asked[name] for name in (*names, "seat") if name in self.asked}
        return self.link(more | kept)

    def judge(self, play: Any) -> Rejection | None:
        """By the same `decide` that will judge the play."""
        decision = self.table.game.decide(self.state, play)
        return decision if isinstance(decision, Rejection) else None

    def without_plays(self, kind: str, **more: Any) -> Sheet:
        """It stays open whoever’s turn it is."""
        return replace(self.blank, kind=kind, actor=None, **more)

    def refused(self, rejection: Rejection, **more: Any) -> Sheet:
        """The verdict: why not."""
        rule = rejection.reason.paragraph_for(rejection.params) or ""
        return replace(self.blank, kind="refused", refusal=rejection, rule=rule, **more)

    def sheet(self) -> Sheet:
        """What was asked for; `UnknownSheetError` where no link of ours asks so."""
        for kind in self.kinds:
            if kind in self.asked:
                opened: Sheet = getattr(self, kind)()
                return opened
        raise UnknownSheetError("kind")
