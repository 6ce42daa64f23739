"""A third game, for tests: what a small one has to say. Nothing else in the program names it.

Pebbles: in turn each takes one to three from a heap; who takes the last one wins, but for the fox.
"""

from functools import partial

from companion.games.game import Game, Outcome, Way
from tests.games.third import rules
from tests.games.third.pages import PebblesPages


def game(*, fox: bool) -> Game[rules.State, rules.Play, rules.Play]:
    """With a secret role, or without any."""
    return Game(
        name="pebbles",
        seat_counts=rules.SEATS,
        editions={"five": lambda t: "Short rules", "nine": lambda t: "Long rules"},
        ways={"told": Way(plays=frozenset({"take"}), follows=True)},
        new=partial(rules.new, fox),
        decide=rules.decide,
        evolve=rules.evolve,
        view=rules.view,
        deal=rules.deal if fox else None,
        is_over=lambda state: not state.left,
        outcome=lambda state: Outcome(state.starter, (), ()),
        is_between_rounds=lambda state: state.turn is None,
        next_starter=lambda state: int(state.starter),
        events={"Deal": rules.Deal, "Take": rules.Take},
        reasons=rules.REASONS,
        read_header=partial(rules.read_header, fox),
        header_fields=rules.header_fields,
        read_play=rules.read_play,
        play_fields=rules.play_fields,
        plays_of=list,
        accepted=lambda names, state, events: {"left": state.left},
        draw=lambda state, names: f"heap: {state.left}",
        texts=rules,
        book=rules.book,
        pages=lambda: PebblesPages(fox),
    )
