"""What kind of evening is played, and by whom."""

from __future__ import annotations

from dataclasses import dataclass

NAMES = ("Õnne", "Jānis", "Rūta", "Väinö", "Bo", "Charlotte", "Ģirts", "Ärni", "Žydrė", "Mo")
LANGUAGES = ("et", "lv", "lt", "fi", "en")
STRIDE = 7
"""By how many of a route's requests an evening begins later than the one before."""


@dataclass(frozen=True)
class Plan:
    """What kind of evening it is."""

    edition: str
    way: str  # "roles" or "referee"
    players: int
    classes: tuple[int, ...]
    """By round: how many different deals of roles there are among the worlds (see `draws`)."""
    winners: tuple[str, ...]
    worlds: int = 7
    shared: bool = False  # the last two seats are on one phone
    host_plays: bool = False  # the first seat is on the host's phone
    public: bool = False  # behind a proxy, by HTTPS
    share: int = 4
    """Requests of each viewer at a halt; what is left is asked for before the last round ends."""
    times: int = 1
    """How often each viewer asks for every route in the evening."""
    only: tuple[str, ...] = ()
    """The routes that are asked for at halts; none named: all."""
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.edition}-{self.way}-{self.players}-{self.seed}"
