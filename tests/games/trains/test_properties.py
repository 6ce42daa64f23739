"""What holds after every event of any game, whoever plays it and however well."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields

from companion.games.game import Rejection
from companion.games.trains import GAME
from companion.games.trains.rules.abilities import ABILITIES, WAGONS, ascends, out_of_order
from companion.games.trains.rules.decide import decide, legal, whereabouts
from companion.games.trains.rules.evolve import evolve
from companion.games.trains.rules.model import EVENTS, Draft, Draw, Event, Play, Refill, State, Use
from companion.games.trains.rules.view import view
from tests.games.trains.dealer import Step, game

GAMES = st.builds(
    lambda seed, seats, skill, limit: list(game(Random(seed), seats, skill, limit)),
    st.integers(0, 2**32),
    st.integers(2, 4),
    st.sampled_from([0.0, 0.5, 0.9, 1.0]),
    st.integers(1, 150),
)
NAMED = {kind: name for name, kind in EVENTS.items()}


def check(state: State, removing: bool) -> None:
    """What a table can look like. While a wagon is on its way to the market it lies nowhere."""
    in_play = [wagon for row in state.rows for wagon in row if wagon]
    in_play += [wagon for _, wagon in state.market]
    in_play += [card for locks in state.locks for card in locks if card]
    in_play += [wagon for _, wagon in state.owed]
    assert len(in_play) == len(set(in_play))
    assert all(wagon in WAGONS for wagon in in_play)

    abilities = [ability for ability, _ in state.market]
    assert abilities == sorted(set(abilities))
    assert all(state.known[wagon] == ability for ability, wagon in state.market)
    assert all(ability in (None, *ABILITIES) for ability in state.known)

    owing = [seat for seat, _ in state.owed]
    for seat, row in enumerate(state.rows):
        assert len(row) == 7 or (state.phase == "deal" and row == ())
        assert row.count(0) == owing.count(seat)
    assert bool(state.owed) <= (state.phase in ("refill", "over"))
    gaps = {row.index(0) for row in state.rows if 0 in row}
    assert gaps <= {0, 3, 6}
    assert len(gaps) <= 1
    for row, locks in zip(state.rows, state.locks, strict=True):
        assert all(not card or place in (0, 3, 6) for place, card in enumerate(locks))
        assert all(not card or row[place] for place, card in enumerate(locks))

    ascending = [seat for seat, row in enumerate(state.rows) if row and ascends(row)]
    if state.winner is not None:
        assert ascending == [state.winner]
        assert state.phase == "over"
        assert state.turn is None
    elif not removing:
        assert ascending == []


@settings(max_examples=300)
@given(GAMES)
def test_after_every_event(steps: list[Step]) -> None:
    for step in steps:
        state = step.before
        for event in step.events:
            state = evolve(state, event)
            check(state, removing=event is not step.events[-1])
        assert state == step.after


@settings(max_examples=60)
@given(GAMES)
def test_events_written_down_and_read_again_fold_to_the_same_state(steps: list[Step]) -> None:
    """Events hold plain values only: what a log keeps of them is enough."""
    written: list[tuple[str, tuple[object, ...]]] = []
    start = steps[0].before
    for step in steps:
        for event in step.events:
            values = tuple(getattr(event, field.name) for field in fields(event))
            assert all(plain(value) for value in values)
            written.append((NAMED[type(event)], values))
        read: list[Event] = [EVENTS[name](*values) for name, values in written]
        assert GAME.fold(start, read) == step.after


def plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(plain(part) for part in value)
    return value is None or type(value) in (int, str)


@settings(max_examples=100)
@given(GAMES, st.data())
def test_legal_is_what_decide_allows(steps: list[Step], data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(steps)).after
    free = next(wagon for wagon in WAGONS if whereabouts(state, wagon) is None)
    for seat in range(len(state.rows)):
        allowed = {
            (option.play, option.ability, place)
            for option in legal(state)
            for place in (option.places or (None,))
            if seat == state.turn
        }
        found = set()
        for play, key in possible(seat, free):
            if not isinstance(decide(state, play), Rejection):
                found.add(key)
        if state.phase == "refill":
            allowed = {("refill", None, None)} if allowed else set()
        if state.phase != "deal":
            assert found == allowed


def possible(seat: int, wagon: int) -> list[tuple[Play, tuple[str, str | None, int | None]]]:
    plays: list[tuple[Play, tuple[str, str | None, int | None]]] = []
    for place in range(-1, 10):
        for ability in ABILITIES:
            if not ability.startswith("remove"):
                plays.append((Use(seat, ability, place), ("use", ability, place)))
        for told in (None, *ABILITIES):
            plays.append((Draft(seat, wagon, place, told), ("draft", None, place)))
            plays.append((Draw(seat, wagon, place, told), ("draw", None, place)))
    for ability in ABILITIES:
        plays.append((Use(seat, ability), ("use", ability, None)))
        plays.append((Refill(seat, wagon, ability), ("refill", None, None)))
    return plays


@settings(max_examples=30)
@given(GAMES)
def test_nobody_is_shown_more_or_less(steps: list[Step]) -> None:
    """The game has no secrets."""
    state = steps[-1].after
    for seat in range(len(state.rows)):
        assert view(state, seat) == view(state, None)


@given(st.permutations(range(1, 8)))
def test_a_row_is_in_order_when_nothing_is_out_of_order(row: list[int]) -> None:
    assert (out_of_order(tuple(row)) == 0) == ascends(tuple(row)) == (row == sorted(row))


@given(st.lists(st.integers(1, 84), min_size=7, max_size=7, unique=True))
def test_out_of_order_counts_the_wagons_to_take_out(numbers: list[int]) -> None:
    """Compared with trying every choice of wagons to keep."""
    best = 0
    for choice in range(1, 2**7):
        kept = [number for i, number in enumerate(numbers) if choice >> i & 1]
        if kept == sorted(kept):
            best = max(best, len(kept))
    assert out_of_order(tuple(numbers)) == 7 - best
