"""The page that explains how a deal can be checked, and the address to which phones post their
seals and shares.

A phone's script does so by itself. By a seal the table does not change, and nobody is notified;
with the last share that was waited for the cards are dealt.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, request

from companion.record.fair import WHOLE_GAME, Proof, is_digest, is_share
from companion.tables import reasons as table_reasons
from companion.tables.model import Device, Phase, Table
from companion.values import Value
from companion.web.answers.access import asking, asking_beside, guest_screen
from companion.web.answers.errors import refuse
from companion.web.answers.next_deal import next_deal
from companion.web.answers.reader_language import locale_for, shown_on_screen
from companion.web.answers.render import answer
from companion.web.answers.services import current_services
from companion.web.html.panels import View
from companion.web.view.asking import Asking
from companion.web.view.games import last_has_record

blueprint = Blueprint("fair", __name__)

SHARE_ENDPOINT = "fair.share"
"""To which phones post."""

SHARES_MAX = 8
"""In one request: a game has four deals."""


class Number(Value, frozen=True):
    """What a player's phone added to a deal."""

    name: str
    seal: str | None  # None: none
    share: str | None  # None: none, or to be kept
    late: bool  # sealed, but not opened in time


class FairDeal(Value, frozen=True):
    """One deal on the page that explains it; secrets are in it only when they are over."""

    game: str
    deal: str  # "game.round"; round 0 is what is drawn once a game
    round: int
    commitment: str
    dealt: bool
    secret: str  # empty while it is to be kept
    sealed: bool  # the list of seals is fixed
    numbers: tuple[Number, ...]  # of each player; empty before the list of seals is fixed
    provable: bool  # false: dealt by a program that could not prove it, or drawn anew
    redrawn: bool
    nameless: bool  # it was drawn with a name that was taken out
    seated: bool  # the phone that reads this had a seat then


class FairView(View, frozen=True):
    """How a deal is made so that nobody can have chosen it, and all that belongs to it."""

    template = "panels/fair.html"

    here: str
    home: str  # address
    back: str
    next: str  # the beginning of the commitment to the next roles, while no round is on
    deals: tuple[FairDeal, ...]  # of the game on the table, or of the coming one
    coming: tuple[FairDeal, ...]  # of another game, when this one is over
    record: str  # address of the saved record; empty before the game is over
    file: str  # the name under which it is saved
    table: str  # by which a phone remembers what it has added


@blueprint.get("/t/<table_id>/fair")
def fair(table_id: str) -> Response:
    return _page(asking_beside(table_id))


@blueprint.get("/j/<key>/fair")
def guest_fair(key: str) -> Response:
    """On a television that came by the join link."""
    return _page(guest_screen(key))


@blueprint.post("/t/<table_id>/fair")
def share(table_id: str) -> Response:
    """What this phone seals for the deals to come, or opens for the one that waits: each number
    under its commitment.

    The answer names the commitments of those that count, as JSON. A number that comes too late is
    no fault; the phone knows by it that its number cannot be missing later.
    """
    who = asking(table_id, "table")
    assert who.device is not None
    field = "seal" if "seal" in request.form else "share"
    commitments, numbers = request.form.getlist("commitment"), request.form.getlist(field)
    if not len(commitments) == len(numbers) <= SHARES_MAX:
        refuse(table_reasons.BAD_REQUEST, field=field)
    if not all(map(is_digest, commitments)):
        refuse(table_reasons.BAD_REQUEST, field="commitment")
    if not all(map(is_digest if field == "seal" else is_share, numbers)):
        refuse(table_reasons.BAD_REQUEST, field=field)
    added, tables = dict(zip(commitments, numbers, strict=True)), current_services().tables
    if field == "seal":
        counted = tables.keep_seals(table_id, who.device, added)
    else:
        counted = tables.open_shares(table_id, added)
    return jsonify(counted)


def _page(who: Asking) -> Response:
    table = who.table
    if not table.game.deals_secrets:
        abort(404)
    tables = current_services().tables
    over = table.phase == Phase.OVER
    saved = who.device is not None and last_has_record(table)
    coming = (
        tuple(
            _deal(table, Proof(game, round_, commitment), who.device)
            for commitment, (game, round_) in tables.fair_deals.to_come(table).items()
        )
        if over
        else ()
    )
    view = FairView(
        here=who.address_of("fair"),
        home=who.home,
        back=who.path,
        next=next_deal(current_services(), table),
        deals=tuple(_deal(table, proof, who.device) for proof in tables.fair_deals.proofs(table)),
        coming=coming,
        record=who.address_of("record.jsonl", game=table.games_over) if saved else "",
        file=f"{table.game.name}.jsonl",
        table=table.id if who.device is not None else "",
    )
    return answer("fair", view, locale_for(table, screen=shown_on_screen(view.here)))


def _deal(table: Table, proof: Proof, device: Device | None) -> FairDeal:
    phones = table.deals.phones[proof.round] if proof.dealt else table.phones
    return FairDeal(
        game=table.game.name,
        deal=f"{proof.game}.{proof.round}",
        round=proof.round,
        commitment=proof.commitment,
        dealt=proof.dealt,
        secret=proof.secret.hex() if proof.secret is not None else "",
        sealed=proof.seals is not None,
        numbers=_numbers(table, proof),
        provable=not proof.dealt or table.deals.shares[proof.round] is not None,
        redrawn=proof.dealt and proof.round == WHOLE_GAME and table.deals.redrawn,
        nameless=table.beginning is not None
        and table.people.nameless_version > table.beginning.version,
        seated=device in phones,
    )


def _numbers(table: Table, proof: Proof) -> tuple[Number, ...]:
    known = proof.seals or proof.shares
    if known is None:
        return ()
    nothing = (None,) * len(known)
    pairs = zip(proof.seals or nothing, proof.shares or nothing, strict=True)
    return tuple(
        Number(player.recorded, seal, share, late=index in proof.withheld)
        for index, (player, (seal, share)) in enumerate(zip(table.players, pairs, strict=True))
    )
