"""The plays of the light way as forms have them. No record has any: the rows are not known."""

from __future__ import annotations

from companion.games.fields import Fields, FindsPlayer, Malformed
from companion.games.trains.record import row_of
from companion.games.trains.rules.model import Claim, Gaps, LightPlay, Next

PLAYS = ("next", "gaps", "claim")


def read_light(fields: Fields, player_index: FindsPlayer) -> LightPlay | Malformed:
    by = player_index(fields.get("by"))
    if by is None:
        return Malformed("by")
    match fields.get("play"):
        case "next":
            return Next(by)
        case "gaps":
            lost = [player_index(seat) for seat in fields.get("lost", ())]
            return Gaps(by, tuple(seat for seat in lost if seat is not None))
        case "claim":
            row = row_of(fields)
            return row if isinstance(row, Malformed) else Claim(by, row)
    return Malformed("play")
