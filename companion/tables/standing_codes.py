"""Tables of a café: their links and codes, which last."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final

from companion.tables.keys import Keys
from companion.tables.log import EventLog, StandingTable, StorageError
from companion.tables.offers import digest, short_code, tidy_code
from companion.tables.waiting import Waiting

TRIES: Final = 100
"""Of codes, while they are taken."""

RENEWALS_MAX: Final = 1000
"""Of one table's code: how often is not kept, but found."""


class StandingCodes:
    def __init__(
        self, log: EventLog, keys: Keys, code_length: int, reading_log: Waiting = nullcontext
    ) -> None:
        """`reading_log`: see `waiting.ReadsLog`."""
        self._log = log
        self._keys = keys
        self._code_length = code_length
        self._reading_log = reading_log

    def make(self, number: int) -> StandingTable:
        """The table of this number, as it was made once."""
        for _ in range(TRIES):
            found = self.find(number)
            if found is not None:
                return found
            one = self._drawn(number, 0)
            if self._log.add_standing(one):
                return one
        raise StorageError("no short code was free")

    def find(self, number: int) -> StandingTable | None:
        return next((one for one in self._log.standing() if one.number == number), None)

    def renew(self, one: StandingTable) -> StandingTable:
        """The same with another key and code, and free: those of before lead nowhere."""
        renewed = self._renewed(one) + 1
        if renewed > RENEWALS_MAX:
            raise StorageError(f"the code of table {one.number} was renewed too often")
        for _ in range(TRIES):
            anew = self._drawn(one.number, renewed)
            if self._log.renew_standing(anew, one.key):
                return anew
            done = self._log.standing_by(key=anew.key)
            if done is not None:  # by another, or by us: a commit that was cut is made again
                return done
        raise StorageError(f"the code of table {one.number} was not renewed")

    def free(self, number: int) -> bool:
        """Whoever scans it next opens an evening; the one before goes on for who was there. False
        if there is no such table. An evening that begins at the same moment stays."""
        found = self.find(number)
        if found is None:
            return False
        self._log.move_standing(number, found.table_id, None)
        return True

    def key(self, one: StandingTable) -> str:
        """128 bits in 22 letters; they last."""
        return self._keys.standing(one.number, self._renewed(one))

    def by_key(self, key: str) -> StandingTable | None:
        with self._reading_log():
            return self._log.standing_by(key=digest(key))

    def by_code(self, code: str) -> StandingTable | None:
        with self._reading_log():
            return self._log.standing_by(code=tidy_code(code))

    def _drawn(self, number: int, renewed: int) -> StandingTable:
        key = digest(self._keys.standing(number, renewed))
        return StandingTable(number, key, short_code(self._code_length))

    def _renewed(self, one: StandingTable) -> int:
        """How often its code was."""
        for renewed in range(RENEWALS_MAX + 1):
            if digest(self._keys.standing(one.number, renewed)) == one.key:
                return renewed
        raise StorageError(f"the code of table {one.number} was made with another secret key")
