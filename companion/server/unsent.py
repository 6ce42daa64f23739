"""What waits for phones that read slowly: bytes that they have not taken yet.

A large answer is kept for each of them, and stays for as long as its reader takes a little of it
now and then: hundreds of readers that take next to nothing would have all the memory.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, Protocol

UNSENT_MAX: Final = 32 << 20
"""Bytes, of all connections; what makes an answer has it two or three times. A thousand phones that
load a page at once on bad Wi-Fi have less."""

STUCK_S: Final = 5.0
"""What has waited for so long may give way to who comes."""


class Reader(Protocol):
    """A connection, as seen here."""

    who: str
    """Its address, as limits count it."""

    def hang_up(self) -> None: ...


class Unsent:
    """By connection; of the address that has the most waiting, the oldest goes when it is too much
    in all."""

    def __init__(self, bytes_max: int = UNSENT_MAX) -> None:
        self._bytes_max = bytes_max
        self._of: dict[Reader, tuple[int, float]] = {}
        """Oldest first: bytes, and since when by the loop's clock."""
        self._by_address: Counter[str] = Counter()

    def begin(self, reader: Reader, size: int, now: float) -> None:
        """So many bytes wait for this reader; `end` follows."""
        self._of[reader] = (size, now)
        self._by_address[reader.who] += size
        while self._by_address.total() > self._bytes_max:
            greedy, _ = self._by_address.most_common(1)[0]
            oldest = next(each for each in self._of if each.who == greedy)
            self.end(oldest)
            oldest.hang_up()

    def end(self, reader: Reader) -> None:
        """They have been taken, or nobody waits for them any more."""
        size, _ = self._of.pop(reader, (0, 0.0))
        self._by_address[reader.who] -= size
        if self._by_address[reader.who] <= 0:
            del self._by_address[reader.who]

    def is_stuck(self, reader: Reader, now: float) -> bool:
        """Whether it has taken less than all for some seconds."""
        waits = self._of.get(reader)
        return waits is not None and now - waits[1] > STUCK_S
