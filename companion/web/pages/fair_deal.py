"""The page that explains how a deal can be checked, and the address to which phones post their
shares.

A phone's script posts its share by itself; the table does not change, and nobody is notified.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from companion.record.fair import Proof, is_digest, is_share
from companion.tables import refusals as table_refusals
from companion.tables.model import Table
from companion.web.view.access import Asking, asking, fair_path, table_of
from companion.web.view.errors import refuse
from companion.web.view.models import DealView, FairView
from companion.web.view.render import answer, locale_for
from companion.web.view.services import house

blueprint = Blueprint("fair", __name__)

SHARES_MAX = 8
"""In one request: a game has four deals."""


@blueprint.get("/t/<table_id>/fair")
def fair(table_id: str) -> Response:
    who = asking(table_id, "seat")
    return _page(who, f"/t/{table_id}")


@blueprint.get("/j/<key>/fair")
def guest_fair(key: str) -> Response:
    """On a television that came by the join link."""
    who = Asking(table_of(key), None, "screen", key=key)
    return _page(who, who.path)


@blueprint.post("/t/<table_id>/fair")
def share(table_id: str) -> Response:
    """What this phone adds to the deals to come: each share under its commitment.

    The answer says whether they count, so that a phone that came too late misses nothing later.
    """
    who = asking(table_id, "seat")
    assert who.device is not None
    commitments, shares = request.form.getlist("commitment"), request.form.getlist("share")
    if not len(commitments) == len(shares) <= SHARES_MAX:
        refuse(table_refusals.BAD_REQUEST, field="share")
    if not all(map(is_digest, commitments)):
        refuse(table_refusals.BAD_REQUEST, field="commitment")
    if not all(map(is_share, shares)):
        refuse(table_refusals.BAD_REQUEST, field="share")
    added = dict(zip(commitments, shares, strict=True))
    if not house().tables.add_shares(table_id, who.device, added):
        refuse(table_refusals.STALE, what="Dealt", by=None)
    return Response(status=204)


def _page(who: Asking, back: str) -> Response:
    table = who.table
    if not table.game.deals:
        abort(404)
    tables = house().tables
    over = table.phase == "over"
    coming = (
        tuple(
            _deal(table, Proof(game, round_, commitment))
            for commitment, (game, round_) in tables.deals.to_come(table).items()
        )
        if over
        else ()
    )
    view = FairView(
        here=fair_path(who, house()),
        back=back,
        deals=tuple(_deal(table, proof) for proof in tables.deals.proofs(table)),
        coming=coming,
        record=f"/t/{table.id}/record.jsonl" if over and who.device is not None else "",
        file=f"{table.game.name}.jsonl",
        table=table.id if who.device is not None else "",
    )
    return answer("fair", view, locale_for(table, screen=who.device is None))


def _deal(table: Table, proof: Proof) -> DealView:
    shares = proof.shares or ()
    players = [player.name for player in table.players] if shares else []
    return DealView(
        place=f"{proof.game}.{proof.round}",
        round=proof.round,
        commitment=proof.commitment,
        dealt=proof.dealt,
        secret=proof.secret.hex() if proof.secret is not None else "",
        shares=tuple((name, one or "") for name, one in zip(players, shares, strict=True)),
        provable=not proof.dealt or table.shares[proof.round] is not None,
    )
