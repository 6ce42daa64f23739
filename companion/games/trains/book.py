"""The rules of the Game of Trains. There is one booklet; rulings beside it are marked as ours."""

from __future__ import annotations

from gettext import NullTranslations

from companion.games.book import Rule, Section, ours, rule


def book(t: NullTranslations) -> tuple[Section, ...]:
    return (
        Section("the-game", t.pgettext("title", "The game"), _game(t)),
        Section("the-setup", t.pgettext("title", "Before the game"), _setup(t)),
        Section("the-turns", t.pgettext("title", "Turns"), _turns(t)),
        Section("the-abilities", t.pgettext("title", "Abilities"), _abilities(t)),
        Section("the-ending", t.pgettext("title", "How the game ends"), _ending(t)),
    )


def _game(t: NullTranslations) -> tuple[Rule, ...]:
    return (
        rule(
            "aim",
            t.pgettext("title", "The aim of the game"),
            t.gettext(
                "Each player has a train: a locomotive and a row of seven numbered wagons. The"
                " rows begin in descending order. Whoever is first to have the whole row in"
                " ascending order wins."
            ),
        ),
        rule(
            "players",
            t.pgettext("title", "Players"),
            t.gettext(
                "Game of Trains is for 2 to 4 players. They play clockwise: after you, it is the"
                " turn of the player on your left."
            ),
        ),
        rule(
            "cards",
            t.pgettext("title", "The cards"),
            t.gettext(
                "There are 4 locomotives and 84 wagons. The wagons are numbered from 1 to 84,"
                " each number once."
            ),
            t.gettext(
                "Each wagon also shows one of eight abilities. A wagon has the same ability"
                " whenever it turns up."
            ),
            ours(
                t.gettext(
                    "The referee asks for the ability of a wagon only once. A wrong answer, or a"
                    " wrong number, can be corrected later, as long as everything played since is"
                    " still legal."
                )
            ),
            t.gettext(
                "In a row, only the number of a wagon counts. Among the face-up cards beside the"
                " draw pile, only its ability counts."
            ),
        ),
    )


def _setup(t: NullTranslations) -> tuple[Rule, ...]:
    return (
        rule(
            "deal",
            t.pgettext("title", "The deal"),
            t.gettext(
                "Each player gets one locomotive and seven wagons. Lay the wagons in a row in"
                " descending order: the highest number on the left, the lowest on the right."
            ),
            t.gettext(
                "The locomotive lies at the left end. It is not a wagon and does not count as a"
                " position in the row. Position 1 is the wagon beside it, position 4 is the"
                " middle, position 7 is the right end."
            ),
            t.gettext(
                "The remaining wagons form the draw pile, face down. The players draw lots to"
                " decide who starts."
            ),
        ),
        rule(
            "draft",
            t.pgettext("title", "The opening draft"),
            t.gettext(
                "Before the first turn, all players draw wagons, clockwise: the starting player"
                " draws 1, the second 2, the third 3 and the fourth 4."
            ),
            t.gettext(
                "Each player in turn keeps one of them and puts it in place of one wagon in the"
                " row. The others go face down on the discard pile. The wagon that leaves the row"
                " joins the face-up cards."
            ),
        ),
    )


def _turns(t: NullTranslations) -> tuple[Rule, ...]:
    return (
        rule(
            "turn",
            t.pgettext("title", "Your turn"),
            t.gettext(
                "On your turn you do one of two things: you draw a card, or you use an ability."
                " Then it is the turn of the player on your left."
            ),
            t.gettext("If there are no face-up cards beside the draw pile, you must draw a card."),
        ),
        rule(
            "draw",
            t.pgettext("title", "Drawing a card"),
            t.gettext(
                "Take the top card of the draw pile and put it in place of one wagon in your row."
                " You must use the card that you have drawn, and only its number."
            ),
            t.gettext("The wagon that leaves your row joins the face-up cards."),
        ),
        rule(
            "market",
            t.pgettext("title", "Face-up cards"),
            t.gettext(
                "Wagons that have left a row lie face up beside the draw pile. Everyone can use"
                " their abilities."
            ),
            t.gettext(
                "When two face-up cards have the same ability, both are discarded at once. So no"
                " ability ever lies there twice."
            ),
        ),
    )


def _abilities(t: NullTranslations) -> tuple[Rule, ...]:
    return (
        rule(
            "abilities",
            t.pgettext("title", "Using an ability"),
            t.gettext(
                "Choose one of the face-up cards, do what its ability says, and discard the card."
                " The exception is a card that protects a wagon: it is not discarded."
            ),
            t.gettext(
                "You can only use an ability that lies face up, and only where it can reach."
            ),
            figure="abilities",
        ),
        rule(
            "swap",
            t.pgettext("title", "Swapping two wagons"),
            t.gettext(
                "One ability swaps two wagons that lie side by side. Another ability swaps two"
                " wagons that have exactly one wagon between them. Both wagons are in your own row."
            ),
        ),
        rule(
            "move",
            t.pgettext("title", "Moving a wagon"),
            t.gettext(
                "Two abilities move one wagon in your own row: one to the right, the other to the"
                " left. The wagon moves exactly two places. The wagons that it passes fill the"
                " place where it was."
            ),
            t.gettext("A wagon that has no room to move two places cannot be moved that way."),
        ),
        rule(
            "removal",
            t.pgettext("title", "Removing wagons"),
            t.gettext(
                "Three abilities remove a wagon from every row, your own included: the leftmost"
                " wagon, the middle wagon or the rightmost wagon. A wagon that is protected stays."
            ),
            t.gettext(
                "The removed wagons join the face-up cards. Cards with the same ability are"
                " discarded in pairs."
            ),
            ours(
                t.gettext(
                    "The card whose ability is used is discarded first, so it cannot form a pair"
                    " with a removed wagon."
                )
            ),
        ),
        rule(
            "refill",
            t.pgettext("title", "Filling the gaps"),
            t.gettext(
                "After a removal, each player who lost a wagon draws the top card of the draw"
                " pile and puts it in the gap. The player who used the ability begins, and the"
                " others follow clockwise."
            ),
            t.gettext("If this makes somebody’s row win, the others draw no more cards."),
        ),
        rule(
            "protect",
            t.pgettext("title", "Protecting a wagon"),
            t.gettext(
                "One ability protects a wagon. Put its card under the leftmost, the middle or the"
                " rightmost wagon in your own row, so that only the lock can be seen. The ability"
                " that removes the wagon at that position from every row then leaves yours where it"
                " is."
            ),
            t.gettext(
                "When you replace the wagon, or when your own play brings it to another place, the"
                " protection is lost and its card is discarded."
            ),
            ours(
                t.gettext(
                    "The protection stays after a removal, so it can protect the wagon again."
                )
            ),
            ours(t.gettext("A wagon that is protected cannot be protected a second time.")),
        ),
    )


def _ending(t: NullTranslations) -> tuple[Rule, ...]:
    return (
        rule(
            "winning",
            t.pgettext("title", "Winning"),
            t.gettext(
                "Whoever is first to have all seven wagons in ascending order from left to right"
                " wins, and the game is over at once. It does not matter whose play did it."
            ),
        ),
        rule(
            "pile",
            t.pgettext("title", "When the draw pile is empty"),
            t.gettext(
                "The discard pile lies face down, and nobody may look at it. When the draw pile is"
                " empty, the discard pile is shuffled and becomes the new draw pile."
            ),
            t.gettext(
                "So a discarded number can come back. A number that lies in a row, among the"
                " face-up cards or under a protected wagon cannot be drawn."
            ),
        ),
    )
