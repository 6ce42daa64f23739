"""A request for one of Saboteur's sheets: the round as it is, and what this phone may do in it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.games.fields import FIRST_PLAYER
from companion.games.game import Rejection
from companion.games.saboteur import reasons
from companion.games.saboteur.pages.sheet_views import MazeFrame, RefusedSheet
from companion.games.saboteur.pages.views import Mark, May, PublicRound
from companion.games.saboteur.record import play_fields
from companion.games.saboteur.rules.decide import decide
from companion.games.saboteur.rules.maze import At
from companion.games.saboteur.rules.model import CopyPlay, Play
from companion.games.saboteur.rules.view import VisibleState
from companion.tables.ending import blocked
from companion.tables.model import Table
from companion.web.view import presenter
from companion.web.view.models import SeatView
from companion.web.view.sheets import SheetRequest

Vouched = tuple[tuple[str, str], ...]


class MazeSheetRequest(SheetRequest):
    """What the sheets of the maze and those of the log have in common."""

    def __init__(
        self,
        table: Table,
        players: tuple[SeatView, ...],
        public: PublicRound,
        may: May,
        asked: Mapping[str, str],
        here: str,
        *,
        hosts: bool = False,
    ) -> None:
        """`hosts`: the device that asks is the host's."""
        super().__init__(table, players, may.actor, asked, here)
        self.public = public
        self.may = may
        self.quarters = public.board.quarters
        self.hosts = hosts
        self.shown: VisibleState = presenter.shown_of(table)
        self.by = self.shown.turn or FIRST_PLAYER

    def maze_frame(self, mark: Mark | None = None, *, plays: bool = True) -> MazeFrame:
        """`mark`: what it points at in the maze. Without `plays` it stays open whoever’s turn it
        is."""
        frame = self.frame(self.actor if plays else None)
        return MazeFrame(**frame, quarters=self.quarters, mark=mark)

    def refused(
        self,
        refusal: Rejection,
        mark: Mark | None = None,
        *,
        plays: bool = True,
        at: At | None = None,
        vouched: Vouched = (),
        back: str = "",
    ) -> RefusedSheet:
        """The verdict: why not."""
        return RefusedSheet(
            **self.maze_frame(mark, plays=plays),
            verdict=self.verdict(refusal),
            at=at,
            vouched=vouched,
            back=back,
        )

    def judge(self, play: Play) -> Rejection | None:
        if self.actor is None:
            return self.not_yours()
        decision = decide(self.state, play, ends=False)
        return decision if isinstance(decision, Rejection) else None

    def not_yours(self) -> Rejection:
        return blocked(self.table) or Rejection(reasons.NOT_YOUR_TURN, {"seat": self.by})

    def vouched(self, refusal: Rejection, play: CopyPlay) -> Vouched:
        """The fields of this play, where the counts alone are against it and the host may say that
        the table has the card all the same."""
        only = refusal.reason is reasons.NO_COPIES_LEFT and self.hosts and self.actor is not None
        if not only or self.judge(replace(play, uncounted=1)) is not None:
            return ()
        fields = play_fields(play, [str(player.id) for player in self.players])
        fields["target"] = fields.pop("seat", None)
        del fields["by"]
        return tuple(
            (name, ",".join(map(str, value)) if isinstance(value, list) else str(value))
            for name, value in fields.items()
            if value is not None
        )

    def closed(self, mark: Mark | None = None) -> RefusedSheet | None:
        """Nothing can be played from here now: not this phone's turn, or a goal is to be turned."""
        if self.actor is None:
            return self.refused(self.not_yours(), mark)
        if self.shown.reveal:
            return self.refused(Rejection(reasons.REVEAL_PENDING), mark)
        return None
