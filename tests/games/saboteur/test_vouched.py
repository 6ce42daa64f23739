"""Cards beyond the counts, and a draw pile that was counted anew: judged, folded, and recorded."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.fields import Malformed
from companion.games.game import Rejection
from companion.games.saboteur import GAME, reasons
from companion.games.saboteur.rules.model import (
    Break,
    Count,
    Deal,
    Map,
    Pass,
    Path,
    Play,
    Repair,
    Rockfall,
    State,
)

NAMES = ("Anna", "Bert", "Carl")


def begun(edition: str = "et-2007") -> State:
    state: State = GAME.new(3, 0, edition, Random(1))
    return after(state, Deal(("miner",) * 3))


def after(state: State, *plays: Play) -> State:
    for play in plays:
        events = GAME.decide(state, play)
        assert not isinstance(events, Rejection), (play, events)
        state = GAME.fold(state, events)
    return state


def turn(state: State) -> int:
    assert state.now is not None
    return state.now.turn


def refused(state: State, play: Play) -> Any:
    answer = GAME.decide(state, play)
    assert isinstance(answer, Rejection)
    return answer.reason


def test_a_card_beyond_the_counts_needs_somebody_to_vouch_for_it() -> None:
    state = after(begun(), Path(0, "Nx", (0, -1)))
    assert refused(state, Path(1, "Sx", (0, 1))) is reasons.NO_COPIES_LEFT
    more = after(state, Path(1, "Sx", (0, 1), 1))
    assert state.now
    assert more.now
    assert more.now.used == state.now.used
    assert more.now.pile == state.now.pile - 1
    assert refused(more, Path(2, "EW", (5, 5), 1)) is reasons.NOT_ADJACENT


def test_what_the_counts_have_is_counted_all_the_same() -> None:
    state = begun()
    vouched, plain = (after(state, Path(0, "EW", (1, 0), each)) for each in (0, 1))
    assert vouched == plain


def test_maps_beyond_the_six() -> None:
    state = begun()
    for _ in range(6):
        state = after(state, Map(turn(state), "north"))
    assert refused(state, Map(turn(state), "north")) is reasons.NO_COPIES_LEFT
    assert turn(after(state, Map(turn(state), "north", 1))) != turn(state)


def test_a_pile_that_was_counted() -> None:
    state = after(begun(), Count(2, 0))
    assert state.now
    assert (state.now.pile, state.now.turn, state.now.hands) == (0, 0, (6, 6, 6))
    state = after(state, Pass(0), Pass(1), Count(0, 5), Count(0, 0), Pass(2))
    assert state.now  # the passes are counted anew
    assert state.now.passes == 1


def test_an_empty_pile_that_is_counted_breaks_no_ring_of_passes() -> None:
    state = after(begun(), Count(2, 0), Pass(0), Pass(1), Count(1, 0))
    assert state.now
    assert state.now.passes == 2
    assert after(state, Pass(2)).now is None


def test_who_can_draw_has_a_full_hand() -> None:
    """The pile was taken to be empty, and is not: until then everybody has drawn."""
    state = after(begun("en"), Count(0, 0))
    while state.now and sum(state.now.hands) > 3:
        state = after(state, Pass(turn(state)))
    state = after(state, Count(0, 4))
    assert state.now
    assert (state.now.pile, state.now.hands) == (4, (6, 6, 6))
    plays = 0
    while state.now:
        assert min(state.now.hands) >= 0
        state = after(state, Pass(turn(state)))
        plays += 1
    assert plays == 4 + 3 * 6


def test_a_record_says_so() -> None:
    plays: tuple[Play, ...] = (
        Path(0, "Nx", (0, -1), 1),
        Break(0, "cart", 1, 1),
        Repair(0, ("cart",), "cart", 1, 1),
        Rockfall(0, (1, 0), 1),
        Map(0, "north", 1),
        Count(0, 12),
    )
    for play in plays:
        fields = GAME.play_fields(play, NAMES)
        assert fields.get("uncounted", False) is not isinstance(play, Count)
        read = GAME.read_play(fields, lambda name: NAMES.index(name))  # type: ignore[arg-type]
        assert read == play
        if not isinstance(play, Count):
            assert GAME.read_play(
                fields | {"uncounted": 1},
                lambda name: NAMES.index(name),  # type: ignore[arg-type]
            ) == Malformed("uncounted")
