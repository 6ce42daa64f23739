"""The rules of Saboteur: before a round, the turn, the maze and the action cards.

Facts are those that the referee applies; what differs is asked of the edition's named fields.
"""

from __future__ import annotations

from gettext import NullTranslations

from companion.games.book import Rule, Section, by_edition, ours, rule
from companion.games.saboteur.book import ending
from companion.games.saboteur.rules.editions import Edition


def book(t: NullTranslations, edition: Edition) -> tuple[Section, ...]:
    return (
        Section("the-game", t.pgettext("title", "The game"), _game(t)),
        Section("the-setup", t.pgettext("title", "Before a round"), _setup(t)),
        Section("the-turns", t.pgettext("title", "Turns"), _turns(t)),
        Section("the-maze", t.pgettext("title", "The maze"), _maze(t, edition)),
        Section("the-actions", t.pgettext("title", "Action cards"), _actions(t)),
        *ending.sections(t, edition),
    )


def _game(t: NullTranslations) -> tuple[Rule, ...]:
    return (
        rule(
            "aim",
            t.pgettext("title", "The aim of the game"),
            t.gettext(
                "All players are dwarfs in a mine. The gold diggers dig a path to the treasure."
                " The saboteurs try to stop them. Who is who is secret."
            ),
            t.gettext(
                "A game has three rounds. The player with the most gold nuggets at the end wins."
            ),
        ),
        rule(
            "players",
            t.pgettext("title", "Players"),
            t.gettext(
                "Saboteur is a game for 3 to 10 players. They sit in a circle and play clockwise:"
                " after you, it is the turn of the player on your left."
            ),
        ),
        rule(
            "cards",
            t.pgettext("title", "The cards"),
            t.gettext(
                "There are 44 path cards: 1 start card, 3 goal cards and 40 cards to build with."
                " There are also 27 action cards, 28 gold cards and 11 dwarf cards."
            ),
            t.gettext("One goal card shows the treasure. The other two show a stone."),
            t.gettext("The dwarf cards are 7 gold diggers and 4 saboteurs."),
        ),
        rule(
            "copies",
            t.pgettext("title", "How many of each card"),
            t.gettext(
                "The drawing shows how many copies of each path card there are. A card that is"
                " rotated by half a turn is still the same card."
            ),
            t.gettext(
                "Action cards: 3 broken pickaxes, 3 broken lanterns, 3 broken mine carts, 2 repair"
                " cards for each tool, 1 repair card for each pair of tools, 3 rockfall cards and"
                " 6 map cards."
            ),
            t.gettext(
                "In any one round, no card can be played more times than there are copies of it."
                " A path card that a rockfall has taken away does not come back in that round,"
                " and neither does a broken-tool card after a repair."
            ),
            ours(
                t.gettext(
                    "The booklets give only the totals. We count each kind of card as most"
                    " published versions of the game do."
                )
            ),
            figure="deck",
        ),
    )


def _setup(t: NullTranslations) -> tuple[Rule, ...]:
    return (
        rule(
            "dwarfs",
            t.pgettext("title", "The dwarf cards"),
            t.gettext(
                "The number of players decides how many saboteur and gold digger cards are"
                " shuffled. In total there is always one dwarf card more than there are players."
            ),
            t.gettext(
                "Each player gets one dwarf card and looks at it in secret. It is the player’s"
                " role in this round. The card that is left over is set aside face down, and"
                " nobody looks at it until the round is over."
            ),
            t.gettext(
                "So there may be one saboteur fewer than is shown below. With 3 or 4 players"
                " there may be no saboteur at all."
            ),
            figure="dwarfs",
        ),
        rule(
            "deal",
            t.pgettext("title", "The deal"),
            t.gettext(
                "The start card lies face up. The three goal cards are shuffled and lie face"
                " down. There is room for seven cards between the start card and the goal cards,"
                " and for one card between each goal card and the next."
            ),
            t.gettext("The maze may grow beyond this space in every direction."),
            t.gettext(
                "The 40 path cards and the 27 action cards are shuffled together. With 3 to 5"
                " players everyone gets 6 cards, with 6 or 7 players 5 cards, and with 8 to 10"
                " players 4 cards. The remaining cards form the draw pile."
            ),
            t.gettext(
                "The gold cards are shuffled and lie face down. The players agree on who starts"
                " the first round. Nobody plays until all the dwarf cards have been dealt."
            ),
            figure="layout",
        ),
    )


def _turns(t: NullTranslations) -> tuple[Rule, ...]:
    return (
        rule(
            "turn",
            t.pgettext("title", "Your turn"),
            t.gettext(
                "On your turn you do one of three things: you add a path card to the maze, you"
                " play an action card, or you pass. You cannot play when it is somebody else’s"
                " turn."
            ),
            t.gettext("Then you draw the top card of the draw pile, and your turn is over."),
            t.gettext("When the draw pile is empty, you still play one card but draw none."),
        ),
        rule(
            "pass",
            t.pgettext("title", "Passing"),
            t.gettext(
                "If you cannot play a card, or do not want to, you pass: put one card from your"
                " hand face down on the discard pile. Do not show it. Then draw a card as usual."
            ),
        ),
    )


def _maze(t: NullTranslations, edition: Edition) -> tuple[Rule, ...]:
    return (
        rule(
            "path-card",
            t.pgettext("title", "Placing a path card"),
            t.gettext(
                "Put the card in an empty place beside a card that lies face up in the maze. That"
                " can be the start card, another path card or a goal card that has been turned"
                " over."
            ),
            t.gettext("A goal card that lies face down does not count, but its place is taken."),
            t.gettext(
                "All cards lie upright, like the start card. You may rotate a card by half a turn,"
                " but you may not lay it sideways."
            ),
        ),
        rule(
            "matching",
            t.pgettext("title", "The paths must match"),
            t.gettext(
                "Look at every card beside the new one. Where two cards touch, both must show a"
                " path, or both must show rock. This must hold on all four sides."
            ),
            t.gettext("The sides of a goal card that lies face down are not compared."),
        ),
        rule(
            "connected",
            t.pgettext("title", "The path from the start card"),
            t.gettext(
                "An unbroken path runs from the start card through one card after another. Two"
                " cards are joined where both have a path on the side where they touch."
            ),
            by_edition(_connected(t, edition)),
        ),
        rule(
            "dead-end",
            t.pgettext("title", "Dead ends"),
            t.gettext(
                "On some path cards the middle is blocked. Such a card is a dead end: a path leads"
                " into it, but not out of it on another side."
            ),
        ),
    )


def _connected(t: NullTranslations, edition: Edition) -> str:
    if edition.connected:
        return t.gettext(
            "A new card must continue an unbroken path from the start card. One of its open sides"
            " must touch a card on this path, and that card must not be a dead end. A part of the"
            " maze that a rockfall has cut off must wait until the gap is filled."
        )
    return t.gettext(
        "A new card need not continue the path from the start card. It is enough that it lies"
        " beside a card and that the paths match. So you may also build on a part of the maze"
        " that is cut off, or beyond a dead end."
    )


def _actions(t: NullTranslations) -> tuple[Rule, ...]:
    return (
        rule(
            "break",
            t.pgettext("title", "Breaking a tool"),
            t.gettext(
                "Put a broken-tool card in front of any player. You may also put it in front of"
                " yourself."
            ),
            t.gettext(
                "There are three tools: the pickaxe, the lantern and the mine cart. Each of a"
                " player’s tools can be broken only once at a time, so nobody can have more than"
                " three broken tools."
            ),
            figure="tools",
        ),
        rule(
            "broken-tools",
            t.pgettext("title", "Playing with a broken tool"),
            t.gettext(
                "As long as a broken tool lies in front of you, you may not place a path card. You"
                " may play action cards and you may pass."
            ),
        ),
        rule(
            "repair",
            t.pgettext("title", "Repairing a tool"),
            t.gettext(
                "A repair card repairs one broken tool, your own or another player’s. The card must"
                " show the tool that is broken."
            ),
            t.gettext("A repair card with two tools repairs one of them, not both."),
            t.gettext(
                "You cannot play a repair card where nothing is broken. After the repair, both"
                " cards go face down on the discard pile."
            ),
        ),
        rule(
            "rockfall",
            t.pgettext("title", "Rockfall"),
            t.gettext(
                "A rockfall card takes one path card out of the maze. You choose which one. Both"
                " cards go face down on the discard pile."
            ),
            t.gettext(
                "A rockfall never takes the start card or a goal card, not even a goal card that"
                " has been turned over."
            ),
            t.gettext(
                "A rockfall can break a path, and it can clear away a dead end. The empty place"
                " can be filled with another card that fits."
            ),
        ),
        rule(
            "map",
            t.pgettext("title", "Map"),
            t.gettext(
                "With a map card you look at one goal card that lies face down. Nobody else may see"
                " it. Then put it back as it was."
            ),
        ),
    )
