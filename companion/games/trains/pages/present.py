"""A Game of Trains as the pages show it: every row, the face-up cards, whose turn it is.

All of it comes from the game's view for nobody in particular. Couplings are lit where the order
already rises, so a row that wins is one joined train.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from companion.games.fields import PlayerIndex
from companion.games.game import AnyGame
from companion.games.trains.correct import brought
from companion.games.trains.pages.views import (
    Acting,
    Amended,
    Call,
    MarketCard,
    Mine,
    PublicGame,
    Train,
    Wagon,
)
from companion.games.trains.record import play_of
from companion.games.trains.rules.model import (
    DEAL,
    Event,
    MarketGrew,
    PairDiscarded,
    ProtectionLost,
    WagonDrafted,
    WagonMoved,
    WagonProtected,
    WagonsRemoved,
    WagonsSwapped,
)
from companion.games.trains.rules.view import RowView, VisibleState
from companion.tables.model import Correction, Device, Result, Table, UndoStep
from companion.tables.playing import may_take_back
from companion.web.view import presenter
from companion.web.view.evening import standings
from companion.web.view.games import can_be_watched
from companion.web.view.models import SeatName, ToldEvent
from companion.web.view.results import finished_games

PLAYS_TOLD = 3


def public_game(table: Table) -> PublicGame:
    """Once the game has begun."""
    assert table.game_state is not None
    shown: VisibleState = presenter.shown_of(table)
    players = tuple(SeatName(player.id, player.name) for player in table.players)
    names, steps, last = table.names, table.round.undo_steps, table.round.last_events
    return PublicGame(
        game=table.coming_game,
        version=played_at(table),
        stage=shown.phase,
        trains=trains(shown, players, shown.turn),
        turn=players[shown.turn] if shown.turn is not None else None,
        missing=tuple(players[row.seat] for row in shown.rows if not row.wagons),
        market=market(shown, last),
        draws=shown.draws,
        drafts=drafts_of(names, shown.starter),
        removed=shown.rows[shown.turn].removed if shown.turn is not None else None,
        plays=tuple(
            told_events(table.game, step.events, names) for step in steps[: -PLAYS_TOLD - 1 : -1]
        ),
        calls=() if table.round.undone else _calls(last, shown, names),
        called=(table.player_name(steps[-1].seat) or "") if steps else "",
        undone=_amended(table, table.round.undone) if table.round.undone else None,
        corrected=_put_right(table, table.round.corrected) if table.round.corrected else None,
        starter=players[shown.starter],
        winner=players[shown.winner] if shown.winner is not None else None,
        wins=_wins(table),
        finished=_finished(table),
    )


def drafts_of(names: tuple[str, ...], starter: PlayerIndex) -> tuple[tuple[str, int], ...]:
    """How many cards each player draws in the opening draft: the starter one, the next one two."""
    clockwise = (*names[starter:], *names[:starter])
    return tuple((name, draws) for draws, name in enumerate(clockwise, 1))


def _amended(table: Table, step: UndoStep) -> Amended:
    play = ToldEvent(table.game, step.events[0], table.names)
    return Amended(play, presenter.other_than_player(table, step))


def _put_right(table: Table, correction: Correction) -> Amended:
    """With what the hands have to do by it: a wagon that had been told a wrong ability may have
    been discarded with another one, or now goes with it."""
    was, now = _brought(correction.instead_of), _brought(correction.play.events)
    wrong, right = was - now, now - was
    numbers = (*wrong, *right) if correction.instead_of else ()
    renumbered = dict(zip(wrong, right, strict=False))
    lay = {renumbered.get(card, card) for _, card in correction.before.market}
    shown: VisibleState = presenter.shown_of(table)
    lies = {card.wagon for card in shown.market}
    return replace(
        _amended(table, correction.play),
        numbers=numbers,
        back=tuple(sorted(lies - lay)),
        away=tuple(sorted(lay - lies)),
    )


def _brought(events: Sequence[Event]) -> set[int]:
    """The wagons that came to a row."""
    return {wagon for event in events for wagon in brought(play_of(event))}


def played_at(table: Table) -> int:
    """The version that the last play led to; 0: there is none."""
    return table.round.undo_steps[-1].version if table.round.undo_steps else 0


def mine_of(table: Table, device: Device | None) -> Mine:
    shown: VisibleState = presenter.shown_of(table)
    players = presenter.players_of(table, device)
    host = device is not None and device == table.host
    held = [player.id for player in players if player.mine]
    turn = players[shown.turn] if shown.turn is not None else None
    missing = tuple(players[row.seat] for row in shown.rows if not row.wagons)
    own = tuple(seat for seat in missing if seat.mine)
    others = tuple(seat for seat in missing if not seat.mine) if host else ()
    return Mine(
        turn=turn is not None and turn.mine,
        actor=turn if turn is not None and (turn.mine or host) else None,
        dealing=(*own, *others) if shown.phase == DEAL else (),
        can_take_back=may_take_back(table, device),
        host=host,
        corrects=any(
            host or (step.seat is not None and step.seat in held) for step in table.round.undo_steps
        ),
    )


def acting(public: PublicGame) -> Acting:
    """While it is somebody's turn."""
    assert public.turn is not None
    return Acting(
        version=public.version,
        stage=public.stage,
        actor=public.turn,
        train=public.train(public.turn),
        draws=public.draws,
        removed=public.removed,
        market=bool(public.market),
    )


def told_events(
    game: AnyGame, events: Iterable[Event], names: tuple[str, ...]
) -> tuple[ToldEvent, ...]:
    """A play and what followed of it; a card that merely joins the face-up ones is seen there."""
    said = (event for event in events if not isinstance(event, MarketGrew))
    return tuple(ToldEvent(game, event, names) for event in said)


def market(shown: VisibleState, last: Sequence[Event]) -> tuple[MarketCard, ...]:
    """`last`: what the last play led to."""
    grown = {event.wagon for event in last if isinstance(event, MarketGrew)}
    return tuple(
        MarketCard(card.ability, card.wagon, fresh=card.wagon in grown) for card in shown.market
    )


def trains(
    shown: VisibleState,
    players: Sequence[SeatName],
    marked: PlayerIndex | None,
) -> tuple[Train, ...]:
    """`marked`: the seat whose row is set apart."""
    return tuple(_train(row, players[row.seat], marked) for row in shown.rows)


def _finished(table: Table) -> tuple[tuple[int, str], ...]:
    """Games before the last one that can be watched: the page offers that by itself."""
    return tuple(
        (at, _winner(result))
        for at, result in table.numbered_results
        if at != table.games_over and can_be_watched(table.game, result)
    )


def _winner(result: Result) -> str:
    winner: PlayerIndex | None = result.game_state.winner
    return "" if winner is None else result.players[winner].name


def _wins(table: Table) -> tuple[tuple[str, int], ...]:
    """Of everybody who has played here, also of who has not won."""
    lines = standings(table, finished_games(table)).lines
    return tuple((line.name, line.wins) for line in lines)


def _calls(events: Sequence[Event], shown: VisibleState, names: Sequence[str]) -> tuple[Call, ...]:
    """What is to be done with the cards of the last play, in the order in which it is done."""
    calls: list[Call] = []
    for event in events:
        match event:
            case WagonDrafted(seat) if others := (seat - shown.starter) % len(names):
                calls.append(Call("rest", count=others))
            case MarketGrew(wagon):
                calls.append(Call("up", wagon))
            case PairDiscarded(wagon, _, other):
                calls.append(Call("pair", other, wagon))
            case WagonsSwapped(card=card) | WagonMoved(card=card) | WagonsRemoved(card=card):
                calls.append(Call("spent", card))
            case WagonProtected(seat, _, card, place):
                wagon = shown.rows[seat].wagons[place - 1].wagon or 0
                calls.append(Call("under", card, wagon))
            case ProtectionLost(seat, _, card):
                calls.append(Call("lock", card, name=names[seat]))
    return tuple(calls)


def _train(row: RowView, seat: SeatName, marked: PlayerIndex | None) -> Train:
    numbers = tuple(wagon.wagon for wagon in row.wagons)
    locked = {wagon.place for wagon in row.wagons if wagon.protected}
    known = {wagon.place for wagon in row.wagons if wagon.ability is not None}
    if row.removed_known:
        known |= {wagon.place for wagon in row.wagons if wagon.wagon is None}
    return Train(
        seat=seat,
        wagons=wagons(numbers, locked, known),
        out_of_order=row.out_of_order,
        astray=row.astray,
        turn=row.seat == marked,
        locks=row.locks,
        removed=row.removed,
    )


def wagons(
    row: Sequence[int | None],
    locked: Collection[int],
    known: Collection[int] = (),
) -> tuple[Wagon, ...]:
    """A row to be drawn; a gap is None or 0, and the rest are places."""
    following = (*row[1:], None)[: len(row)]
    return tuple(
        Wagon(
            place,
            number or None,
            joined=bool(number and after and number < after),
            protected=place in locked,
            known=place in known,
        )
        for place, (number, after) in enumerate(zip(row, following, strict=True), 1)
    )
