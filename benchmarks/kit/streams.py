"""The open streams of many phones: what came when, and in how many bytes."""

from __future__ import annotations

import re
import selectors
import socket
import threading
import time
import zlib

from benchmarks.kit.tables import PHONES, Phone, Table


def version_of(message: bytes) -> int | None:
    """The table's version, which is the id of a message on a stream; None: it has none."""
    found = re.search(rb"^id: (\d+)$", message, re.MULTILINE)
    return int(found[1]) if found else None


class Line:
    """One phone's stream, packed as a browser asks for it."""

    def __init__(self, table: Table, phone: Phone) -> None:
        self.table, self.phone = table, phone
        self.socket = socket.create_connection(("127.0.0.1", table.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = "".join(f"{name}: {value}\r\n" for name, value in phone.headers().items())
        asked = f"GET {table.path}/live?page=seat HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}"
        self.socket.sendall(f"{asked}\r\n".encode())
        self.socket.setblocking(False)
        self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._headed = False
        self._wire, self._text, self._packed = b"", b"", 0

    def read(self) -> list[tuple[int, int]] | None:
        """The version and the bytes of each message that has come whole; None at the end."""
        data = self.socket.recv(1 << 16)
        if not data:
            return None
        self._wire += data
        if not self._headed:
            head, found, rest = self._wire.partition(b"\r\n\r\n")
            if not found:
                return []
            assert re.search(rb" 200 .*gzip", head, re.DOTALL), head
            self._headed, self._wire = True, rest
        whole = []
        while (end := self._wire.find(b"\r\n")) > 0:  # chunks of the transfer encoding
            size = int(self._wire[:end], 16)
            after = end + 2 + size + 2
            if len(self._wire) < after:
                break
            self._text += self._unpack.decompress(self._wire[end + 2 : after - 2])
            self._packed += after
            self._wire = self._wire[after:]
            if self._text.endswith(b"\n\n"):
                version = version_of(self._text)
                if version is not None:
                    whole.append((version, self._packed))
                self._text, self._packed = b"", 0
        return whole


class Streams(threading.Thread):
    """All phones' open streams: when each version of each table came to each of them, and in how
    many bytes."""

    def __init__(self, tables: list[Table]) -> None:
        super().__init__(daemon=True)
        self._selector = selectors.DefaultSelector()
        self.seen: dict[tuple[int, int], list[float]] = {}
        self.sizes: dict[tuple[int, int], list[int]] = {}
        self.ended = False
        for number, table in enumerate(tables):
            for phone in table.phones:
                line = Line(table, phone)
                self._selector.register(line.socket, selectors.EVENT_READ, (number, line))

    def run(self) -> None:
        while not self.ended:
            for ready, _ in self._selector.select(0.2):
                number, line = ready.data
                now = time.perf_counter()
                messages = line.read()
                if messages is None:
                    self._selector.unregister(line.socket)
                    continue
                for version, size in messages:
                    self.sizes.setdefault((number, version), []).append(size)
                    self.seen.setdefault((number, version), []).append(now)

    def complete(self, table: int, version: int, within_s: float = 5.0) -> list[float]:
        """When the version had come to each phone of the table."""
        end = time.perf_counter() + within_s
        while time.perf_counter() < end:
            arrivals = self.seen.get((table, version), [])
            if len(arrivals) >= PHONES:
                return arrivals
            time.sleep(0.002)
        raise SystemExit(f"version {version} of table {table} reached {len(arrivals)} phones")
