"""What games say in the same words."""

from __future__ import annotations

from gettext import NullTranslations

from companion.games.game import Given


def referee(t: NullTranslations) -> str:
    """The way of playing in which every play is reported."""
    return t.pgettext("label", "Full referee")


def referee_hint(t: NullTranslations) -> str:
    return t.gettext("Every play is reported on a phone, and the referee judges it.")


def no_such_player(t: NullTranslations, given: Given) -> str:
    """Why a play is refused that names somebody else."""
    return t.gettext("Nobody of that name sits at this table.")


def game_over(t: NullTranslations, given: Given) -> str:
    """Why a play is refused after the end."""
    return t.gettext("The game is over.")


def whose_turn(t: NullTranslations, given: Given) -> str:
    """Why a play out of turn is refused."""
    if given.player is not None:
        return t.gettext("It is not your turn: %(player)s is to play.") % {"player": given.player}
    return t.gettext("It is not your turn.")
