"""How many, how much and how long: what whoever runs the program lets its tables have."""

from __future__ import annotations

from companion.values import Value


class TableLimits(Value, frozen=True, kw_only=True):
    host_gone_s: float
    """After how long without the host's device another may take its part."""
    end_wait_s: float
    """How long anybody can stop a round's end that was told; 0: nobody can."""
    offer_s: float
    """How long a seat, or the table screen, is offered."""
    deal_wait_s: float
    """How long a deal waits for numbers."""
    in_memory: int
    """Tables that are kept in memory; the longest unused makes room."""
    name_max: int
    """Characters of a name."""
    events_max: int
    """Of one table, where a long evening has some hundreds; more are refused."""
    host_bytes: float
    """What the tables of one host may take."""
    bytes_max: float
    """What all tables may take."""
    code_length: int
    """Letters of a table's code."""
