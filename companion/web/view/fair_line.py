"""The line on a page about what is dealt next, and the way to the page that explains the deals."""

from __future__ import annotations

from companion.record.fair import WHOLE_GAME
from companion.tables.model import Table
from companion.web.view.models import FairLine
from companion.web.view.services import Services

NEXT_DIGITS = 16
"""Of a commitment, where it can only be read and not be copied: enough that nobody finds another
secret with the same beginning in an evening."""


def fair_path(services: Services, table: Table, guest: bool, on_screen: bool) -> str:
    """Of the page that explains the deals. `guest`: for a table screen that came by the join
    link."""
    if guest:
        return f"/j/{services.tables.join_key(table.id)}/fair"
    return f"/t/{table.id}/fair{'?screen=1' if on_screen else ''}"


def fair_line(services: Services, table: Table, guest: bool, on_screen: bool) -> FairLine | None:
    """None where the program deals nothing."""
    if not table.game.deals:
        return None
    deals = services.tables.deals.to_seal(table).items()
    rounds = [commitment for commitment, (_, round_) in deals if round_ != WHOLE_GAME]
    return FairLine(
        page=fair_path(services, table, guest, on_screen),
        next=rounds[0][:NEXT_DIGITS] if rounds else "",
    )
