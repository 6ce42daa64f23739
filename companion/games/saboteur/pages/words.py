"""The maze in words, for screen readers: filters of Saboteur's templates; and the set-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from gettext import NullTranslations

from flask import Flask
from markupsafe import Markup

from companion import catalogues, i18n
from companion.games.saboteur import labels, texts
from companion.games.saboteur.pages.maze import turned
from companion.games.saboteur.pages.views import News, ShownPlay, ToDo
from companion.games.saboteur.rules.cards import DWARVES, GOALS, HANDS, TREASURE
from companion.games.saboteur.rules.maze import At
from companion.games.saboteur.rules.model import GoalTurned, MapRead, PathPlaced, RockFell, WonBy
from companion.web.view.games import EndedBy
from companion.web.view.models import Doer
from companion.web.view.text import sentences, told_plainly, took_back

_SIDES = "NESW"


def place_words(at: At, quarters: int = 0) -> str:
    """The place of a cell as it lies in the turned view, for screen readers; counted from the start
    card towards the goals, and from the middle."""
    t = i18n.current()
    x, y = turned(at, quarters)
    if quarters % 2:
        if x < 0:
            # Translators: a place in the maze, seen with the start card near or far; read aloud
            text = t.gettext("Row %(row)d, column %(column)d left of the middle")
        elif x > 0:
            # Translators: a place in the maze, seen with the start card near or far; read aloud
            text = t.gettext("Row %(row)d, column %(column)d right of the middle")
        else:
            # Translators: a place in the maze, in the column of the start card; read aloud
            text = t.gettext("Row %(row)d, middle column")
        return text % {"row": at[0], "column": abs(x)}
    if y > 0:
        # Translators: a place in the maze, seen with the start card on one side; read aloud
        text = t.gettext("Column %(column)d, row %(row)d above the middle")
    elif y < 0:
        # Translators: a place in the maze, seen with the start card on one side; read aloud
        text = t.gettext("Column %(column)d, row %(row)d below the middle")
    else:
        # Translators: a place in the maze, in the row of the start card; read aloud
        text = t.gettext("Column %(column)d, middle row")
    return text % {"column": at[0], "row": abs(y)}


def line_words(at: At, quarters: int) -> str:
    """The row of a cell in the turned view."""
    t = i18n.current()
    _, y = turned(at, quarters)
    if quarters % 2:
        # Translators: head of a table's row, the start card's is 0
        return t.gettext("Row %(row)d") % {"row": at[0]}
    if y == 0:
        # Translators: head of a table's row: the row of the start card
        return t.pgettext("label", "Middle row")
    # Translators: head of a table's row, seen with the start card on one side
    text = (
        t.gettext("Row %(row)d above the middle")
        if y > 0
        else t.gettext("Row %(row)d below the middle")
    )
    return text % {"row": abs(y)}


def column_words(at: At, quarters: int) -> str:
    """The column of a cell in the turned view."""
    t = i18n.current()
    x, _ = turned(at, quarters)
    if quarters % 2 == 0:
        # Translators: head of a table's column, the start card's is 0
        return t.gettext("Column %(column)d") % {"column": at[0]}
    if x == 0:
        # Translators: head of a table's column: the column of the start card
        return t.pgettext("label", "Middle column")
    # Translators: head of a table's column, seen with the start card near or far
    text = (
        t.gettext("Column %(column)d left of the middle")
        if x < 0
        else t.gettext("Column %(column)d right of the middle")
    )
    return text % {"column": abs(x)}


def _side(code: str) -> str:
    t = i18n.current()
    match code:
        case "N":
            # Translators: a path ends on this side of the card; one of a list, read aloud
            return t.pgettext("side", "top")
        case "E":
            # Translators: a path ends on this side of the card; one of a list, read aloud
            return t.pgettext("side", "right")
        case "S":
            # Translators: a path ends on this side of the card; one of a list, read aloud
            return t.pgettext("side", "bottom")
    # Translators: a path ends on this side of the card; one of a list, read aloud
    return t.pgettext("side", "left")


def sides_words(sides: str, quarters: int) -> str:
    """From the top on, as they lie in the turned view."""
    were = _SIDES[quarters:] + _SIDES[:quarters]
    return ", ".join(_side(now) for now, was in zip(_SIDES, were, strict=True) if was in sides)


def shape_words(symbol: str, quarters: int) -> str:
    """What a card in the maze shows as it lies in the turned view, for screen readers; by its
    drawing's name."""
    t = i18n.current()
    kind, _, sides = symbol.partition("-")
    listed = sides_words(sides, quarters)
    match kind:
        case "start":
            return t.pgettext("card", "start card")
        case "treasure":
            return t.pgettext("card", "treasure")
        case "stone":
            # Translators: a turned goal card without treasure; sides is a list such as “top, left”
            return t.gettext("Stone with open sides: %(sides)s") % {"sides": listed}
        case "d":
            # Translators: a path card; sides is a list such as “top, right”
            return t.gettext("Dead end with open sides: %(sides)s") % {"sides": listed}
    # Translators: a path card; sides is a list such as “top, right”
    return t.gettext("Open sides: %(sides)s") % {"sides": listed}


def as_they_lie(goals: Sequence[str], quarters: int) -> Sequence[str]:
    """Goal cards of a turned view, from the left or from above."""
    return goals if quarters < 2 else goals[::-1]


def goal_words(code: str, quarters: int) -> str:
    """Which of the three goal cards, as they lie in the turned view."""
    t = i18n.current()
    match quarters % 2, as_they_lie(GOALS, quarters).index(code):
        case 1, 0:
            # Translators: one of the three goal cards, after a colon
            return t.pgettext("card", "left goal card")
        case 1, 2:
            # Translators: one of the three goal cards, after a colon
            return t.pgettext("card", "right goal card")
        case _, place:
            return labels.goal(t, GOALS[place])


def winner_words(winners: Sequence[str]) -> Markup:
    """Who has won the game, with the names set apart."""
    names = [i18n.shielded(name) for name in winners]
    said = texts.game_over(i18n.current(), names, catalogues.listing(i18n.locale()))
    return Markup(said)  # noqa: S704 - our own sentence, and names escaped above


def view_words(quarters: int) -> str:
    """How the maze lies with so many quarter turns to the left."""
    t = i18n.current()
    match quarters:
        case 0:
            # Translators: a way to look at the maze; read aloud
            return t.gettext("Start card on the left, goal cards on the right")
        case 1:
            # Translators: a way to look at the maze; read aloud
            return t.gettext("Start card near you, goal cards far away")
        case 2:
            # Translators: a way to look at the maze; read aloud
            return t.gettext("Start card on the right, goal cards on the left")
    # Translators: a way to look at the maze; read aloud
    return t.gettext("Start card far away, goal cards near you")


def seen_words(quarters: int) -> str:
    """How the maze lies, and from where its places are counted."""
    t = i18n.current()
    if quarters % 2:
        counted = t.gettext("Rows are counted from the start card.")
    else:
        counted = t.gettext("Columns are counted from the start card.")
    return sentences((view_words(quarters), counted))


def where_words(play: ShownPlay, quarters: int = 0) -> str:
    """Where a play was in the maze, and with what card, which its picture shows; empty: nowhere."""
    return sentences(_where(play, quarters))


def _where(play: ShownPlay, quarters: int) -> Iterator[str]:
    match play.told.event:
        case GoalTurned(goal=goal):
            yield goal_words(goal, quarters)
            if play.picture.drawn[0] != TREASURE:
                yield shape_words(play.picture.drawn[0], quarters)
        case MapRead(goal=goal):
            yield goal_words(goal, quarters)
        case PathPlaced() | RockFell() if play.at:
            yield place_words(play.at, quarters)
            yield shape_words(play.picture.drawn[0], quarters)


def _aloud(play: ShownPlay, quarters: int) -> Iterator[str]:
    """A play, with its place and its card."""
    yield told_plainly(play.told)
    yield from _where(play, quarters)


def _undone_aloud(play: ShownPlay, by: Doer | None, times: int) -> Iterator[str]:
    yield f"{took_back(by)} {told_plainly(play.told)}"
    if times > 1:
        yield i18n.current().gettext("Plays taken back in a row: %(num)d") % {"num": times}


def news_words(news: News) -> str:
    """What is read aloud when a play has come: the play or what was taken back."""
    if news.undone:
        return sentences(_undone_aloud(news.undone.play, news.undone.by, news.undone.times))
    return sentences(_aloud(news.play, news.quarters)) if news.play else ""


def reached_words(goals: int) -> str:
    """For those who wait until a goal card is turned over; `goals`: so many are lit."""
    t = i18n.current()
    if goals > 1:
        return t.gettext("Several goal cards have been reached; one of them is being chosen.")
    return t.gettext("A goal card has been reached and is being turned over.")


def to_do_words(now: ToDo) -> str:
    """What is to be done and by whom, read aloud after what has happened."""
    t = i18n.current()
    said: list[str] = []
    if now.goal:
        said += [t.gettext("What does the goal card show?"), goal_words(now.goal, now.quarters)]
    elif now.asked:
        said.append(t.gettext("Which goal card is being turned over?"))
    elif now.reveal:
        said.append(reached_words(now.reveal))
    if now.turn:
        said.append(t.gettext("Turn: %(player)s") % {"player": now.turn})
    else:
        said.append(t.pgettext("title", "Your turn"))
    return sentences(said)


def round_over_words(won_by: WonBy, paid: object = True) -> str:
    """Who has won; `paid`: whoever gains gold, if anybody does."""
    return texts.round_over(i18n.current(), won_by, paid=bool(paid))


def goes_with_end(t: NullTranslations, by: EndedBy) -> str:
    """What taking back the end of a round takes with it; empty for the game's."""
    if by == "end":
        return ""
    back = (
        t.gettext(
            "Taking the report back turns the roles face down again and returns the gold. Then the"
            " round goes on."
        )
        if by == "report"
        else t.gettext(
            "Taking the last play back turns the roles face down again and returns the gold. Then"
            " the round goes on."
        )
    )
    gold = t.gettext(
        "The gold cards that are left are shuffled again, so their order cannot be checked later."
    )
    return f"{back} {gold}"


def new_order_hint(t: NullTranslations) -> str:
    return t.gettext("A new order counts from now on. Gold already shared out stays as it is.")


def look_words(t: NullTranslations) -> tuple[str, str]:
    """To whom the others wait for: a sentence, and a button."""
    return (
        t.gettext("Your role has been dealt. The others are waiting until you have looked at it."),
        t.pgettext("btn", "Look at your role"),
    )


def setup(t: NullTranslations, players: int) -> tuple[str, ...]:
    """Before the start: the cards for each, the dwarf cards, and how start and goal cards lie."""
    if players not in DWARVES:
        return ()
    saboteurs, miners = DWARVES[players]
    # Translators: before the game; num is how many cards each player gets
    hand = t.gettext("Cards for each player: %(num)d") % {"num": HANDS[players]}
    # Translators: before the game; what the dwarf cards are from which the roles are dealt
    dwarfs = t.gettext(
        "Dwarf cards: saboteurs %(saboteurs)d, gold diggers %(diggers)d; one is left over"
    )
    lie = t.gettext(
        "There is room for seven cards between the start card and the goal cards, and for one"
        " between each goal card and the next."
    )
    return hand, dwarfs % {"saboteurs": saboteurs, "diggers": miners}, lie


def install(app: Flask) -> None:
    app.jinja_env.filters |= {
        "place_words": place_words,
        "where_words": where_words,
        "line_words": line_words,
        "column_words": column_words,
        "shape_words": shape_words,
        "sides_words": sides_words,
        "as_they_lie": as_they_lie,
        "goal_words": goal_words,
        "news_words": news_words,
        "to_do_words": to_do_words,
        "reached_words": reached_words,
        "round_over_words": round_over_words,
        "view_words": view_words,
        "winner_words": winner_words,
        "seen_words": seen_words,
        "tool_symbol": labels.tool_symbol,
    }
