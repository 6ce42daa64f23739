"""What the line on a page says about what is dealt next."""

from __future__ import annotations

from companion.record.fair import WHOLE_GAME
from companion.tables.model import Table
from companion.web.answers.services import Services

NEXT_DIGITS = 16
"""Of a commitment, where it can only be read and not be copied: enough that nobody finds another
secret with the same beginning in an evening."""


def next_deal(services: Services, table: Table) -> str:
    """The beginning of the commitment to the next roles; empty while a round is on."""
    deals = services.tables.fair_deals.to_seal(table).items()
    rounds = [commitment for commitment, (_, round_) in deals if round_ != WHOLE_GAME]
    return rounds[0][:NEXT_DIGITS] if rounds else ""
