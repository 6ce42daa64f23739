"""What a table saves as files: records of its games, and the deck as far as it is known."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, abort, request

from companion.games.game import AnyGame
from companion.record.fair import Proof
from companion.record.writing import record_lines
from companion.tables import reasons as table_reasons
from companion.tables.history import GameHistory
from companion.tables.model import Player, Result, Table
from companion.tables.pacing import in_slices
from companion.web.answers.access import asking, asking_beside
from companion.web.answers.counting import count
from companion.web.answers.errors import refuse
from companion.web.answers.services import current_services
from companion.web.http import reasons
from companion.web.view.games import has_record

blueprint = Blueprint("records", __name__)


@blueprint.get("/t/<table_id>/record.jsonl")
def record(table_id: str) -> Response:
    """A game as a record that `companion referee` judges: by its number one that is over, without
    one the last; where nothing is dealt in secret, also the one that is on, as far as it went."""
    table = asking_beside(table_id).table
    records = current_services().records
    found = table.finished(number := request.args.get("game", ""))
    if found is not None and has_record(table, found[1]):
        of_version = found[1].version, table.people.nameless_version
        lines = records.get((table.id, *of_version), lambda: _finished(table, *found))
    elif not number and _goes_on(table):
        lines = records.get((table.id, table.version), lambda: _so_far(table))
    else:
        refuse(reasons.NO_RECORD_YET)
    return file_answer(f"{table.game.name}.jsonl", "application/jsonl; charset=utf-8", lines)


@blueprint.get("/t/<table_id>/deck.json")
def deck(table_id: str) -> Response:
    """What is printed on the cards, as far as it was told; another table can load it."""
    table = asking(table_id, "table").table
    memory = table.game.memory
    if memory is None:
        abort(404)
    tables = current_services().tables
    with tables.reading_log():
        known = dict(tables.fair_deals.source().known(table))
    if table.game_state is not None:
        known |= memory.known(table.game_state)
    return file_answer(f"{table.game.name}-deck.json", "application/json", memory.written(known))


def file_answer(name: str, kind: str, data: str | bytes, how: str = "attachment") -> Response:
    """`how`: "inline", where a browser may show it."""
    response = Response(data, content_type=kind)
    response.headers.set("Content-Disposition", how, filename=name)
    return response


def _goes_on(table: Table) -> bool:
    """Whether a game is on that can be saved before its end."""
    return table.playing and not table.game.deals_secrets and table.game.ways[table.way].recorded


# Each is made once for a version of the table: a long game takes long to read. It is kept as it is
# sent, so that readers who take it slowly share it.


def _so_far(table: Table) -> bytes:
    count("dear")
    game = current_services().tables.last_game(table)
    if game is None:  # the table has ended meanwhile
        refuse(table_reasons.NO_TABLE)
    return lines_of(table.game, _recorded_names(table.players), game)


def _finished(table: Table, number: int, result: Result) -> bytes:
    count("dear")
    tables = current_services().tables
    proofs = tables.fair_deals.finished_proofs(table, number, result)
    history = tables.finished_game(table, result)
    return lines_of(table.game, _recorded_names(result.players), history, proofs)


def _recorded_names(players: Sequence[Player]) -> list[str]:
    return [player.recorded for player in players]


def lines_of(
    game: AnyGame, names: Sequence[str], history: GameHistory, proofs: Sequence[Proof] = ()
) -> bytes:
    """The record of a game. `names` of the players."""
    lines = record_lines(game, names, history.initial_state, game.plays_of(history.events), proofs)
    return "".join(in_slices(lines, current_services().tables.breathe)).encode()
