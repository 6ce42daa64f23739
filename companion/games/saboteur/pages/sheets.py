"""What opens when somebody taps the maze, a player or "Action card": choices, or why not.

Every choice is judged beforehand by the same `decide` that will judge the play, so a sheet offers
what is legal and explains the rest. A sheet changes nothing; its buttons are the plays.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.games.fields import PlayerIndex
from companion.games.game import Rejection
from companion.games.saboteur import reasons
from companion.games.saboteur.labels import card_symbol
from companion.games.saboteur.pages import log_sheets, maze
from companion.games.saboteur.pages import public as public_view
from companion.games.saboteur.pages.ended import last_board
from companion.games.saboteur.pages.sheet_request import MazeSheetRequest
from companion.games.saboteur.pages.sheet_views import (
    ActionSheet,
    AskedSheet,
    Breaking,
    Copies,
    CopiesOf,
    CopiesSheet,
    CountSheet,
    DoubleSheet,
    FallSheet,
    GoalSheet,
    GoneSheet,
    MapSheet,
    MazeSheet,
    Mending,
    PlaceSheet,
    PlayerSheet,
    RefusedSheet,
    WhichGoalSheet,
    WordsSheet,
)
from companion.games.saboteur.pages.views import Entry, May, PublicRound
from companion.games.saboteur.rules.cards import (
    BREAK_KIND,
    CODE,
    COPIES,
    DECK,
    GOALS,
    HANDS,
    KIND,
    MAP_KIND,
    REPAIR_KIND,
    ROCKFALL_KIND,
    TOOLS,
    TUNNEL_COPIES,
    Counts,
    GoalName,
    Kind,
    Tool,
    copies_left,
    tools,
)
from companion.games.saboteur.rules.decide import legal_reveals
from companion.games.saboteur.rules.maze import GOAL_AT, START_AT, At, reached
from companion.games.saboteur.rules.model import Break, Map, Path, Repair, Rockfall
from companion.tables.ending import blocked
from companion.tables.model import Phase, Table
from companion.web.view import presenter
from companion.web.view.games import UnknownSheetError
from companion.web.view.me import Me
from companion.web.view.sheets import Sheet, SheetRequest

OF_THE_PLACE = (
    reasons.TOOLS_BROKEN,
    reasons.CELL_OCCUPIED,
    reasons.NOT_ADJACENT,
    reasons.NOT_CONNECTED,
)
"""Why no card at all can be laid somewhere."""


def _at_asked(raw: str) -> At:
    at = maze.cell_named(raw)
    if at is None:
        raise UnknownSheetError(raw)
    return at


def _tool_asked(raw: str | None) -> Tool | None:
    found = next((tool for tool in TOOLS if tool == raw), None)
    if found is None and raw is not None:
        raise UnknownSheetError(raw)
    return found


class SaboteurSheets(MazeSheetRequest):
    """The sheets of Saboteur, by what somebody has tapped."""

    asks = ("place", "who", "act", "fall", "goal", "entry", "count", "copies", "words")

    # A place in the maze

    def place(self) -> MazeSheet:
        at = _at_asked(self.asked["place"])
        mark = maze.mark(at, "chosen")
        card = self.asked.get("card")
        if card is not None:
            return self.chosen(at, card)
        closed = self.closed(mark)
        if closed is not None:
            return closed
        if any(laid.at == at for laid in self.shown.maze):
            laid = self._laid(at)
            return GoneSheet(
                **self.maze_frame(maze.mark(at, "new")),
                laid=laid.play if laid is not None else None,
            )
        refused = {text: self.judge(Path(self.by, text, at)) for text in maze.SHAPES}
        if all(refused.values()):
            whole = (each for each in refused.values() if each and each.reason in OF_THE_PLACE)
            refusal = next(whole, None)
            if refusal is not None:
                return self.refused(refusal, mark)
        return PlaceSheet(
            **self.maze_frame(mark),
            at=at,
            fits=tuple(maze.shape(text) for text in maze.SHAPES if not refused[text]),
            others=tuple(maze.shape(text) for text in maze.SHAPES if refused[text]),
        )

    def _laid(self, at: At) -> Entry | None:
        """The last play there: what laid the card that lies there now."""
        return next((each for each in reversed(self.public.log) if each.play.at == at), None)

    def chosen(self, at: At, card: str) -> MazeSheet:
        """A card that was tapped although it does not fit there."""
        if card not in CODE:
            raise UnknownSheetError(card)
        refusal = self.judge(Path(self.by, card, at))
        if refusal is None:  # it fits after all: something has changed meanwhile
            mark = maze.mark(at, "chosen")
            fits = (maze.shape(card),)
            return PlaceSheet(**self.maze_frame(mark), at=at, fits=fits, others=())
        sides = str(refusal.params.get("sides", ""))
        mark = maze.mark(at, "refused", card_symbol(card), sides)
        vouched = self.vouched(refusal, Path(self.by, card, at))
        return self.refused(refusal, mark, at=at, back=self.back("place"), vouched=vouched)

    # A player

    def who(self) -> MazeSheet:
        target = next((p for p in self.players if str(p.id) == self.asked["who"]), None)
        if target is None:
            raise UnknownSheetError(self.asked["who"])
        closed = self.closed()
        if closed is not None:
            return closed
        seat = PlayerIndex(self.players.index(target))
        repairs = {tool: self._repair(tool, seat) for tool in TOOLS}
        double, tool = (_tool_asked(self.asked.get(name)) for name in ("double", "tool"))
        if double is not None and repairs[double].double:
            frame, back = self.maze_frame(), self.back("who")
            return DoubleSheet(**frame, target=target, repair=repairs[double], back=back)
        refused = None
        mended = double or (tool if self.asked.get("mend") else None)
        if mended is not None:
            refused = self._not_mended(mended, seat)
        elif tool is not None:
            refused = self._not_broken(tool, seat)
        if refused is not None:
            return refused
        return PlayerSheet(
            **self.maze_frame(),
            target=target,
            breaks=tuple(
                Breaking(tool, self.judge(Break(self.by, tool, seat)) is None) for tool in TOOLS
            ),
            repairs=tuple(repairs.values()),
        )

    def _repair(self, tool: Tool, seat: PlayerIndex) -> Mending:
        def possible(*card: Tool) -> bool:
            return self.judge(Repair(self.by, card, tool, seat)) is None

        pairs = tuple(pair for pair in log_sheets.PAIRS if tool in pair and possible(*pair))
        return Mending(tool, possible(tool), pairs)

    def _not_mended(self, tool: Tool, seat: PlayerIndex) -> RefusedSheet | None:
        """Why a tool cannot be mended here: that it is whole comes before which cards are left."""
        if tool not in self.shown.broken[seat]:
            return self.refused(Rejection(reasons.TOOL_NOT_BROKEN), back=self.back("who"))
        return self._refused(Repair(self.by, (tool,), tool, seat))

    def _not_broken(self, tool: Tool, seat: PlayerIndex) -> RefusedSheet | None:
        """Why a tool cannot be broken here: that it is broken comes first, too."""
        if tool in self.shown.broken[seat]:
            return self.refused(Rejection(reasons.TOOL_ALREADY_BROKEN), back=self.back("who"))
        return self._refused(Break(self.by, tool, seat))

    def _refused(self, play: Break | Repair) -> RefusedSheet | None:
        """Why not; None where it can be played after all: something has changed meanwhile."""
        refusal = self.judge(play)
        if refusal is None:
            return None
        vouched = self.vouched(refusal, play)
        return self.refused(refusal, back=self.back("who"), vouched=vouched)

    # Action cards that lie in nobody's way

    def act(self) -> MazeSheet:
        closed = self.closed()
        if closed is not None:
            return closed
        cells = tuple(cell for cell in maze.cells(self.shown.maze) if cell.tunnel)
        return ActionSheet(
            **self.maze_frame(),
            crew=self.public.crew,
            maps=tuple(goal for goal in GOALS if self.judge(Map(self.by, goal)) is None),
            cells=cells,
            rockfall=any(self.judge(Rockfall(self.by, cell.at)) is None for cell in cells),
        )

    def fall(self) -> MazeSheet:
        at = _at_asked(self.asked["fall"])
        goal = next((goal for goal in GOALS if GOAL_AT[goal] == at), None)
        return self._card_tapped(at) if goal is None else self._goal_tapped(goal)

    def _goal_tapped(self, goal: GoalName) -> MazeSheet:
        """A map played on a face-down goal card; or what it shows, where it is to be turned."""
        if self.shown.reveal and self.actor is not None:
            return self.goal_card(goal)
        back = self.back(act="1")
        refusal = self.judge(Map(self.by, goal))
        if self.actor is not None and goal not in self.shown.goals_down:
            refusal = Rejection(reasons.GOAL_FACE_UP)
        if refusal is not None:
            vouched = self.vouched(refusal, Map(self.by, goal))
            return self.refused(refusal, back=back, vouched=vouched)
        mark = maze.mark(GOAL_AT[goal], "new")
        return MapSheet(**self.maze_frame(mark), goal=goal, back=back)

    def _card_tapped(self, at: At) -> MazeSheet:
        """A rockfall on a face-up card; where nothing can be played, the play that laid it."""
        back = self.back(act="1")
        laid = self._laid(at)
        entry = {"entry": f"e{laid.version}"} if laid is not None else {}
        closed = self.closed()
        if closed is not None:
            return self.asking(entry | self.kept).entry() if entry else closed
        cell = next((each for each in maze.cells(self.shown.maze) if each.at == at), None)
        refusal = self.judge(Rockfall(self.by, at))
        if at == START_AT:  # which never goes, however many rockfalls are left
            refusal = Rejection(reasons.PROTECTED_CARD)
        if refusal is not None:
            mark = maze.mark(at, "refused", cell.symbol if cell else None)
            vouched = self.vouched(refusal, Rockfall(self.by, at))
            return self.refused(refusal, mark, at=at, back=back, vouched=vouched)
        assert cell is not None
        mark = maze.mark(at, "new")
        wrong = self.back(**entry) if entry else ""
        return FallSheet(**self.maze_frame(mark), cell=cell, back=back, wrong=wrong)

    # Goals that have been reached

    def goal(self) -> MazeSheet:
        if self.actor is None:
            return self.refused(self.not_yours())
        if not self.shown.reveal:
            return self.refused(Rejection(reasons.NOTHING_TO_REVEAL))
        wanted = self.asked["goal"]
        return self.goal_card(wanted) if wanted in GOALS else self.reached()

    def goal_card(self, wanted: str) -> MazeSheet:
        """What a goal card shows, where it is to be turned."""
        if wanted not in self.shown.goals_down:
            return self.refused(Rejection(reasons.GOAL_FACE_UP))
        if wanted not in legal_reveals(self.state):
            return self.refused(Rejection(reasons.GOAL_NOT_REACHED))
        return self._turned(wanted)

    def reached(self) -> AskedSheet:
        """Of several goals, which one is turned; what it shows, where there is one alone."""
        if not self.chooses:
            return self._turned(self.shown.asked[0])
        return WhichGoalSheet(
            **self.maze_frame(),
            goals=self.shown.asked,
            can_take_back=self.may.can_take_back,
        )

    @property
    def chooses(self) -> bool:
        """Which of several goals that were reached is turned."""
        return len(self.shown.asked) > 1

    def _turned(self, goal: GoalName) -> GoalSheet:
        return GoalSheet(
            **self.maze_frame(maze.mark(GOAL_AT[goal], "new")),
            goal=goal,
            cards=legal_reveals(self.state)[goal],
            before=self._waited(goal),
            back=self.back(goal="1") if self.chooses else "",
            can_take_back=self.may.can_take_back,
        )

    def _waited(self, goal: GoalName) -> bool:
        """Whether it was reached before, and waited for another path card (“Vooru lõppemine”,
        Estonian booklet)."""
        before = self.table.round.undo_steps[-1].before.now
        return not self.state.edition.reveals_all and goal in reached(before.maze)

    # A play in the log

    def entry(self) -> MazeSheet:
        return log_sheets.entry(self)

    # The draw pile

    def count(self) -> MazeSheet:
        """How many cards are left to draw, by hand."""
        if not self.hosts:
            raise UnknownSheetError("count")
        pending = Rejection(reasons.REVEAL_PENDING) if self.shown.reveal else None
        refusal = blocked(self.table) or pending
        if refusal is not None:
            return self.refused(refusal, plays=False)
        most = pile_at_most(self.shown.seats, self.shown.used)
        return CountSheet(**self.maze_frame(plays=False), pile=self.shown.pile, most=most)

    # Cards that may still come

    def copies(self) -> CopiesSheet:
        """By what all have seen: nobody knows the cards that were discarded face down."""
        return CopiesSheet(**self.maze_frame(plays=False), copies=copies_of(self.public.used))

    # The maze in words

    def words(self) -> WordsSheet:
        grid = maze.grid(self.public.board)
        return WordsSheet(**self.maze_frame(plays=False), grid=grid)


def pile_at_most(seats: int, used: Counts) -> int:
    """How many cards can be left to draw: none that was dealt goes back, and none that lies face up
    is there, even if nobody had drawn one."""
    seen = DECK - sum(copies.left for copies in copies_of(used))
    return DECK - max(HANDS[seats] * seats, seen)


def copies_of(used: Counts) -> tuple[Copies, ...]:
    """Of every kind of card, path cards first."""

    def copies(kind: CopiesOf, drawn: tuple[str, ...], number: Kind) -> Copies:
        return Copies(kind, drawn, copies_left(used, number), COPIES[number])

    return (
        *(copies("path", (card_symbol(text),), KIND[text]) for text in TUNNEL_COPIES),
        *(copies("break", (tool,), BREAK_KIND[tool]) for tool in TOOLS),
        *(copies("repair", tools(bits), kind) for bits, kind in REPAIR_KIND.items()),
        copies("rockfall", (), ROCKFALL_KIND),
        copies("map", (), MAP_KIND),
    )


def asked_goal(table: Table, public: PublicRound, may: May, here: str) -> AskedSheet | None:
    """What the phone of whoever reached a goal is asked at once, on the page `here`.

    A host asks for those who have no phone, too.
    """
    if not public.reveal or may.actor is None or not (may.mine or public.turn.free):
        return None
    players = presenter.players_of(table, None)
    return SaboteurSheets(table, players, public, may, {"goal": "1"}, here).reached()


def opened(table: Table, me: Me, asked: Mapping[str, str]) -> Sheet | None:
    """What was asked for; None where nothing can be opened now."""
    if table.phase in (Phase.SETTLED, Phase.OVER) and "words" in asked:
        return _last_in_words(table, me, asked)
    if table.game_state is None or table.phase != Phase.PLAYING or not maze.follows(table):
        return None
    players = presenter.players_of(table, me.device)
    shown = presenter.shown_of(table)
    public = public_view.public_round(table, players, shown, me.quarters)
    assert public is not None
    may = public_view.may(table, public, me.device)
    request = SaboteurSheets(table, players, public, may, asked, me.path, hosts=me.hosts)
    return request.sheet()


def _last_in_words(table: Table, me: Me, asked: Mapping[str, str]) -> Sheet | None:
    """The maze as it lay when the round ended: no card is laid there any more."""
    board = last_board(table, me.quarters)
    if board is None:
        return None
    frame = SheetRequest(table, (), None, asked, me.path).frame(None)
    grid = maze.grid(replace(board, places=()))
    return WordsSheet(**frame, quarters=me.quarters, mark=None, grid=grid)
