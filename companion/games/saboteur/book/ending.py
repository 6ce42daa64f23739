"""The rules of Saboteur from the goal cards on: how a round ends, the gold, the next round."""

from __future__ import annotations

from gettext import NullTranslations

from companion.games.book import Line, Rule, Section, by_edition, ours, rule
from companion.games.saboteur.rules.editions import Edition


def sections(t: NullTranslations, edition: Edition) -> tuple[Section, ...]:
    return (
        Section("the-goals", t.pgettext("title", "Goal cards"), _goals(t, edition)),
        Section("the-ending", t.pgettext("title", "How a round ends"), (_round_end(t, edition),)),
        Section("the-gold", t.pgettext("title", "Gold"), _gold(t, edition)),
        Section("after-that", t.pgettext("title", "After the round"), _after(t, edition)),
    )


def _goals(t: NullTranslations, edition: Edition) -> tuple[Rule, ...]:
    return (
        rule(
            "goals",
            t.pgettext("title", "Reaching a goal card"),
            t.gettext(
                "A goal card is reached when an unbroken path from the start card ends at an open"
                " side that faces it. A path that runs into a dead end does not reach it."
            ),
            t.gettext(
                "The player who has just placed a path card turns over the goal card that is"
                " reached, before anybody else plays."
            ),
            *_several(t, edition),
            t.gettext(
                "If it is the treasure, the round is over. If it is a stone, the round goes on,"
                " and the stone now counts as a path card in the maze."
            ),
        ),
        rule(
            "stones",
            t.pgettext("title", "How a stone lies"),
            t.gettext(
                "A stone is laid so that its paths match all cards beside it that lie face up. It"
                " may be rotated by half a turn."
            ),
            t.gettext(
                "If it fits both ways, or does not fit either way, the player who turned it over"
                " chooses how it lies. It never lies sideways."
            ),
        ),
    )


def _several(t: NullTranslations, edition: Edition) -> tuple[Line, ...]:
    """What happens when more than one goal card is reached."""
    if not edition.reveals_all:
        return (
            by_edition(
                t.gettext(
                    "If several goal cards are reached at once, the player chooses which one of"
                    " them to turn over."
                )
            ),
            ours(
                t.gettext(
                    "The other goal cards wait. Whoever places the next path card, anywhere in the"
                    " maze, turns over one of them if it is still reached. A goal card that is"
                    " reached through a stone waits for the next path card, too."
                )
            ),
            ours(t.gettext("A goal card that must be turned over may not be left face down.")),
        )
    opened = t.gettext(
        "A stone that has just been turned over may open the way to another goal card. Then that"
        " goal card is turned over, too."
    )
    return (
        by_edition(
            t.gettext("If several goal cards are reached at once, all of them are turned over.")
        ),
        by_edition(opened) if edition.stone_opens_in_writing else ours(opened),
    )


def _round_end(t: NullTranslations, edition: Edition) -> Rule:
    ring: tuple[Line, ...] = (
        by_edition(
            t.gettext(
                "As long as somebody has a card, the round goes on, even if all players pass."
            )
        ),
    )
    if edition.ring_ends:
        ring = (
            by_edition(
                t.gettext(
                    "The saboteurs also win when the draw pile is empty and then all players pass,"
                    " one after another."
                )
            ),
            ours(
                t.gettext(
                    "The booklet means that nobody has a card that can be played. Nobody can see"
                    " that, so it is enough that everyone passes."
                )
            ),
        )
    return rule(
        "round-end",
        t.pgettext("title", "The end of a round"),
        t.gettext("The gold diggers win the round when the treasure is turned face up."),
        t.gettext(
            "The saboteurs win the round when the draw pile is empty, nobody has a card left and"
            " the treasure has not been found."
        ),
        *ring,
        t.gettext("When the round is over, all dwarf cards are turned face up."),
    )


def _gold(t: NullTranslations, edition: Edition) -> tuple[Rule, ...]:
    return (
        rule(
            "gold",
            t.pgettext("title", "Gold for the gold diggers"),
            t.gettext(
                "When the gold diggers win, as many gold cards as there are players are taken"
                " from the top of the gold pile. With 10 players, only 9 are taken."
            ),
            t.gettext(
                "The player whose path card led to the treasure gets one card first. Then the"
                " next gold digger anticlockwise gets one, and so on, until all these cards are"
                " shared out. Saboteurs get none. Some gold diggers may get more cards than"
                " others."
            ),
            ours(
                t.gettext(
                    "The booklets let each player choose a card. The referee gives each player the"
                    " most valuable card that is left."
                )
            ),
            ours(
                t.gettext(
                    "A saboteur whose path card led to the treasure gets no gold. Then the next"
                    " gold digger anticlockwise gets the first card."
                )
            ),
        ),
        rule(
            "saboteurs-gold",
            t.pgettext("title", "Gold for the saboteurs"),
            t.gettext(
                "When the saboteurs win, a single saboteur gets 4 gold nuggets. Two or three"
                " saboteurs get 3 gold nuggets each. Four saboteurs get 2 gold nuggets each."
            ),
            t.gettext(
                "Each of them takes gold cards from the top of the gold pile, one at a time,"
                " until the number of nuggets is exactly right. A card with too many nuggets goes"
                " to the bottom of the pile."
            ),
            t.gettext(
                "With 3 or 4 players there may have been no saboteur. In that case, if the"
                " treasure is not found, nobody gets any gold."
            ),
            ours(_order(t, edition)),
            ours(
                t.gettext(
                    "A card also goes to the bottom if keeping it would make it impossible to pay"
                    " all the saboteurs exactly. If there is no way to pay everyone exactly, the"
                    " first saboteur gets as many nuggets as possible, then the second, and so on."
                )
            ),
        ),
        rule(
            "gold-cards",
            t.pgettext("title", "The gold cards"),
            t.gettext(
                "A gold card shows 1, 2 or 3 gold nuggets. There are 16 cards with one nugget,"
                " 8 with two and 4 with three."
            ),
            t.gettext("Keep your gold secret until the game is over."),
        ),
    )


def _order(t: NullTranslations, edition: Edition) -> str:
    if edition.any_pay_order:
        return t.gettext(
            "In the booklet, the saboteurs may be paid in any order. We pay them clockwise,"
            " beginning with the first saboteur to the left of the player who had the last turn."
        )
    return t.gettext(
        "The rules do not say who is paid first. We pay the saboteurs clockwise, beginning with"
        " the first one to the left of the player who had the last turn."
    )


def _after(t: NullTranslations, edition: Edition) -> tuple[Rule, ...]:
    if edition.last_starts_next:
        starts: tuple[Line, ...] = (
            by_edition(
                t.gettext(
                    "The left neighbour of the player who had the last turn starts the next round."
                )
            ),
        )
    else:
        starts = (
            by_edition(
                t.gettext(
                    "The left neighbour of the player who started this round starts the next one."
                )
            ),
            ours(
                t.gettext(
                    "The text names the player who started the first round. We take it to mean"
                    " the round that has just been played."
                )
            ),
        )
    return (
        rule(
            "next-round",
            t.pgettext("title", "The next round"),
            t.gettext(
                "All path cards and action cards are shuffled and dealt again. The dwarf cards of"
                " the first round are shuffled and dealt again, too, including the one that was"
                " set aside."
            ),
            t.gettext("Everyone keeps their gold cards. The gold pile stays as it is."),
            *starts,
        ),
        rule(
            "standings",
            t.pgettext("title", "The end of the game"),
            t.gettext(
                "The game is over after the third round. Everyone counts the gold nuggets on"
                " their gold cards. Whoever has the most nuggets wins. If several players have"
                " the most, they share first place."
            ),
        ),
    )
