"""Whether a play may be made; if so, the events that follow; if not, the reason (booklet of 2015).

The checks come in one order, and the first that fails is the answer: nobody sits there; the
game is over; that play cannot come now; the seat is not the one to act; then those of each play as
its function has them.
"""

from __future__ import annotations

from typing import Final, Literal

from companion.games.fields import PlayerIndex, by_player
from companion.games.game import Rejection
from companion.games.trains import reasons
from companion.games.trains.rules.abilities import (
    FURTHER,
    GAP,
    PLACES,
    REACH,
    REMOVED_PLACE,
    SWAPS,
    WAGONS,
    Ability,
    Row,
    ascends,
    disturbed,
    placed,
    rearranged,
)
from companion.games.trains.rules.light import decide_light
from companion.games.trains.rules.model import (
    DEAL,
    DRAFT,
    OVER,
    REFILL,
    TURN,
    Deal,
    Draft,
    Draw,
    Event,
    GameWon,
    GapFilled,
    LightPlay,
    MarketGrew,
    PairDiscarded,
    Phase,
    Play,
    ProtectionLost,
    Refill,
    RowDealt,
    State,
    Use,
    WagonDrafted,
    WagonDrawn,
    WagonMoved,
    WagonProtected,
    WagonsRemoved,
    WagonsSwapped,
)
from companion.values import Value

Decision = tuple[Event, ...] | Rejection

PHASES: Final[dict[type[Play], Phase]] = {
    Deal: DEAL,
    Draft: DRAFT,
    Draw: TURN,
    Use: TURN,
    Refill: REFILL,
}


class Whereabouts(Value, frozen=True):
    """Where a wagon lies face up."""

    where: Literal["row", "market", "protection", "removed"]
    seat: PlayerIndex | None
    """Whose row it is in, under, or was removed from."""


class Option(Value, frozen=True):
    """A play that is possible now for the seat that acts next; in the deal, for each seat without a
    row."""

    play: Literal["deal", "draft", "draw", "use", "refill"]
    ability: Ability | None
    """The one to be used."""
    places: tuple[int, ...]
    """Where; empty where no place is asked for."""


def decide(state: State, play: Play | LightPlay) -> Decision:
    if not 0 <= play.by < len(state.rows):
        return Rejection(reasons.UNKNOWN_SEAT)
    if isinstance(play, LightPlay):
        return decide_light(state, play)
    if state.phase == OVER:
        return Rejection(reasons.GAME_OVER)
    if PHASES[type(play)] != state.phase:
        return Rejection(reasons.WRONG_PHASE, {"phase": state.phase})
    if isinstance(play, Deal):
        return _deal(state, play)
    if play.by != state.turn:
        return Rejection(reasons.NOT_YOUR_TURN, {"seat": state.turn})
    if isinstance(play, Use):
        return _use(state, play)
    if isinstance(play, Refill):
        return _refill(state, play)
    return _replace(state, play)


def legal(state: State) -> tuple[Option, ...]:
    """What may be played now. With an empty market only a draw is possible (“Muud reeglid”)."""
    if state.light:
        return ()
    places = tuple(PLACES)
    if state.phase == DEAL:
        return (Option("deal", None, ()),)
    if state.phase == DRAFT:
        return (Option("draft", None, places),)
    if state.phase == REFILL:
        return (Option("refill", None, (_gap(state),)),)
    if state.phase == TURN:
        uses = [_use_option(state, ability) for ability, _ in state.market]
        return (Option("draw", None, places), *(use for use in uses if use is not None))
    return ()


def whereabouts(state: State, wagon: int) -> Whereabouts | None:
    """Where a wagon lies, or None if it can be drawn or dealt.

    Only what lies face up or as protection is known to be out of the pile: when the pile is empty
    the discarded wagons become a new one (“Muud reeglid”), so a number can come back.
    """
    for seat, row in by_player(state.rows):
        if wagon in row:
            return Whereabouts("row", seat)
    for _, lying in state.market:
        if wagon == lying:
            return Whereabouts("market", None)
    for seat, locks in by_player(state.locks):
        if wagon in locks:
            return Whereabouts("protection", seat)
    for seat, removed in state.owed:
        if wagon == removed:
            return Whereabouts("removed", seat)
    return None


def _deal(state: State, play: Deal) -> Decision:
    """Seven wagons, in descending order from left to right (“Ettevalmistus mänguks”). That they are
    seven is known: another row is none (`record`)."""
    if state.rows[play.by]:
        return Rejection(reasons.ALREADY_DEALT, {"seat": play.by})
    for wagon in play.row:
        refusal = wagon_refusal(state, wagon)
        if refusal is not None:
            return refusal
    for i, wagon in enumerate(play.row):
        if wagon in play.row[:i]:
            return _in_play(wagon, Whereabouts("row", play.by))
    if list(play.row) != sorted(play.row, reverse=True):
        return Rejection(reasons.NOT_DESCENDING)
    return (RowDealt(play.by, play.row),)


def _replace(state: State, play: Draft | Draw) -> Decision:
    """The wagon takes the place of one in the row, which goes to the market (“Tegevused”, 1).

    One that is replaced by its owner loses its protection (“Kaitse”).
    """
    refusal = wagon_refusal(state, play.wagon)
    if refusal is not None:
        return refusal
    seat, place = play.by, play.place
    if place not in PLACES:
        return Rejection(reasons.OUT_OF_REACH)
    row = state.rows[seat]
    leaving = row[place - 1]
    ability = _ability_of(state, leaving, play.ability)
    if isinstance(ability, Rejection):
        return ability
    came = WagonDrafted if isinstance(play, Draft) else WagonDrawn
    return (
        came(seat, play.wagon, place, leaving),
        *_lost(state, seat, (place,)),
        _to_market(state, leaving, ability),
        *_won(seat, placed(row, place, play.wagon)),
    )


def _refill(state: State, play: Refill) -> Decision:
    """The wagon drawn goes exactly where the removed one was; a win ends the game at once, and
    the others draw no more (“Võimed”, the note on removals).
    """
    refusal = wagon_refusal(state, play.wagon)
    if refusal is not None:
        return refusal
    seat, removed = state.owed[0]
    ability = _ability_of(state, removed, play.ability)
    if isinstance(ability, Rejection):
        return ability
    place = _gap(state)
    return (
        GapFilled(seat, play.wagon, place, removed),
        _to_market(state, removed, ability),
        *_won(seat, placed(state.rows[seat], place, play.wagon)),
    )


def _use(state: State, play: Use) -> Decision:
    """The ability of a face-up wagon, which has left the market before anything else comes to it
    (“Tegevused”, 2).
    """
    refusal = _use_refusal(state, play.by, play.ability, play.place)
    if refusal is not None:
        return refusal
    seat, ability, place = play.by, play.ability, play.place
    card = _lying(state, ability)
    if ability in REMOVED_PLACE:
        return (_removal(state, seat, ability, card),)
    assert place is not None, "it has been checked"
    if ability == "protect":
        return (WagonProtected(seat, ability, card, place),)
    kind = WagonsSwapped if ability in SWAPS else WagonMoved
    row = rearranged(state.rows[seat], ability, place)
    return (
        kind(seat, ability, card, place, place + FURTHER[ability]),
        *_lost(state, seat, disturbed(ability, place)),
        *_won(seat, row),
    )


def _removal(state: State, seat: PlayerIndex, ability: Ability, card: int) -> WagonsRemoved:
    """Every player's wagon at the place goes unless it is protected; the refills go clockwise
    from the player who used the ability on.
    """
    place = REMOVED_PLACE[ability]
    removed = tuple(
        (other, state.rows[other][place - 1])
        for other in state.clockwise(seat)
        if not state.locks[other][place - 1]
    )
    return WagonsRemoved(seat, ability, card, place, removed)


# The checks


def wagon_refusal(state: State, wagon: int) -> Rejection | None:
    if wagon not in WAGONS:
        return Rejection(reasons.UNKNOWN_CARD, {"wagon": wagon})
    found = whereabouts(state, wagon)
    return None if found is None else _in_play(wagon, found)


def _in_play(wagon: int, found: Whereabouts) -> Rejection:
    params = {"wagon": wagon, "where": found.where, "seat": found.seat}
    return Rejection(reasons.CARD_IN_PLAY, params)


def _ability_of(state: State, wagon: int, told: Ability | None) -> Ability | Rejection:
    """A wagon has the same ability whenever it turns up, so it need be told only once."""
    known = state.known[wagon]
    if told is None:
        return state.ability(wagon) or Rejection(reasons.ABILITY_MISSING, {"wagon": wagon})
    if known is not None and told != known:
        return Rejection(reasons.ABILITY_CONTRADICTS, {"wagon": wagon, "ability": known})
    if told not in REACH:
        return Rejection(reasons.ABILITY_MISSING, {"wagon": wagon})
    return told


def _use_refusal(
    state: State, seat: PlayerIndex, ability: Ability, place: int | None
) -> Rejection | None:
    if not _lying(state, ability):
        return Rejection(reasons.ABILITY_NOT_AVAILABLE, {"ability": ability})
    if REACH[ability] and place not in REACH[ability]:
        return Rejection(reasons.OUT_OF_REACH, {"ability": ability})
    if ability == "protect" and place is not None and state.locks[seat][place - 1]:
        return Rejection(reasons.ALREADY_PROTECTED, {"place": place})
    return None


def _use_option(state: State, ability: Ability) -> Option | None:
    reach = REACH[ability]
    places = tuple(p for p in reach if _use_refusal(state, state.player, ability, p) is None)
    return None if reach and not places else Option("use", ability, places)


# What follows from a play


def _lying(state: State, ability: Ability) -> int:
    """The wagon that lies in the market for an ability, 0 if none does."""
    for lying, wagon in state.market:
        if lying == ability:
            return wagon
    return 0


def _to_market(state: State, wagon: int, ability: Ability) -> MarketGrew | PairDiscarded:
    """Two face-up wagons with the same ability are both discarded at once (“Muud reeglid”)."""
    other = _lying(state, ability)
    return PairDiscarded(wagon, ability, other) if other else MarketGrew(wagon, ability)


def _lost(state: State, seat: PlayerIndex, places: tuple[int, ...]) -> tuple[ProtectionLost, ...]:
    """Protection goes when its wagon changes place or is replaced by its owner's action."""
    locks = state.locks[seat]
    return tuple([ProtectionLost(seat, p, locks[p - 1]) for p in places if locks[p - 1]])


def _won(seat: PlayerIndex, row: Row) -> tuple[GameWon, ...]:
    """Whoever first has all seven in ascending order wins at once (“Mängu lõpp”)."""
    return (GameWon(seat),) if ascends(row) else ()


def _gap(state: State) -> int:
    """The place of the gap that is filled next."""
    return state.rows[state.owed[0][0]].index(GAP) + 1
