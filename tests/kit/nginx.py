"""Several processes behind nginx, as `docs/deploy/` has them: its own configuration and settings,
with other ports, paths and names."""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.kit.certificate import trusting, write
from tests.kit.phone import Phone
from tests.kit.programs import needed
from tests.kit.server import ROOT, WITHIN_S, Server, free_port
from tests.kit.services import Postgres, Redis, Service

DEPLOY = ROOT / "docs" / "deploy"
SITE = DEPLOY / "nginx.conf"
ENVIRONMENT = DEPLOY / "companion.env"

NAME = "table.example"
SECRET = "a secret of the tests"
PORTS = (8001, 8002)
"""Of the processes, as the configuration has them."""

SERVED_BY = "X-Served-By"
"""Names the process in every answer: 127.0.0.1 and its port. Only here."""

CACHED = "X-Cached"

TOGETHER = "hash $companion_table consistent;"
SPREAD = "least_conn;"
"""How the phones of a table come to processes: as the configuration has it; and so that they come
to all, which shows whether these agree."""

AROUND = f"""
daemon off;
pid nginx.pid;
error_log stderr;
events {{ worker_connections 4096; }}
http {{
    access_log access.log;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    add_header {SERVED_BY} $upstream_addr always;
    add_header {CACHED} $upstream_cache_status always;
    include site.conf;
}}
"""
"""What Debian's nginx.conf says around it, without what needs a system."""


class Nginx(Service):
    """On https://127.0.0.1 and a port."""

    def __init__(self) -> None:
        self._nginx = needed("nginx", Path("/usr/sbin"))
        super().__init__("www-data" if os.geteuid() == 0 else None)
        self.plain_port = free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.folder.chmod(0o755)
        self.certificate, key = write(self.folder)
        key.chmod(0o644)
        self.trusts = trusting(self.certificate)

    def pass_to(self, *ports: int, spread: bool) -> None:
        """To the processes at these ports. `spread`: see `SPREAD`."""
        site = SITE.read_text(encoding="utf-8")
        for here, there in {
            **{f"127.0.0.1:{at}": f"127.0.0.1:{to}" for at, to in zip(PORTS, ports, strict=True)},
            "listen 443 ": f"listen 127.0.0.1:{self.port} ",
            "listen [::]:443 ": f"listen 127.0.0.2:{self.port} ",
            "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
            "listen [::]:80;": f"listen 127.0.0.2:{self.plain_port};",
            f"server_name {NAME}": "server_name 127.0.0.1",
            f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(self.certificate),
            f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(self.folder / "key.pem"),
            "/var/log/nginx/error.log": str(self.folder / "error.log"),
            "/var/lib/nginx/companion": str(self.folder / "cache"),
            "/var/www/html": str(self.folder),
            TOGETHER: SPREAD if spread else TOGETHER,
        }.items():
            assert here in site, here
            site = site.replace(here, there)
        assert NAME not in site
        (self.folder / "site.conf").write_text(site, encoding="utf-8")
        (self.folder / "nginx.conf").write_text(AROUND, encoding="utf-8")

    def logged(self) -> str:
        """In all its logs."""
        files = (*self.folder.glob("*.log"), self.folder / "output")
        return "".join(file.read_text(encoding="utf-8") for file in files)

    def command(self) -> Sequence[str]:
        return [self._nginx, "-p", f"{self.folder}/", "-c", "nginx.conf", "-e", "stderr"]


class SecurePhone(Phone):
    """One that comes by HTTPS."""

    def __init__(self, nginx: Nginx, name: str = "", at: str = "127.0.0.1", **more: Any) -> None:
        """`at`: its address."""
        self._trusts = nginx.trusts
        self._address = at
        super().__init__(nginx.port, name, **more)

    @property
    def origin(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def connect(self, timeout_s: float = WITHIN_S) -> http.client.HTTPConnection:
        return http.client.HTTPSConnection(
            *("127.0.0.1", self.port),
            timeout=timeout_s,
            context=self._trusts,
            source_address=(self._address, 0),
        )


@dataclass(frozen=True)
class Behind:
    nginx: Nginx
    servers: Sequence[Server]
    database: str

    @property
    def url(self) -> str:
        return self.nginx.url

    def asked(self, path: str, **headers: str) -> http.client.HTTPResponse:
        """The answer, read to its end."""
        with closing(SecurePhone(self.nginx).connect()) as line:
            line.request("GET", path, headers=headers)
            answer = line.getresponse()
            answer.read()
            return answer

    def server_of(self, headers: Mapping[str, str]) -> Server:
        """Which process an answer with these headers comes from."""
        port = headers[SERVED_BY].rpartition(":")[2]
        return next(each for each in self.servers if str(each.port) == port)

    def wait_for(self, server: Server) -> None:
        """Until nginx passes something to it."""
        server.wait()
        server.until(lambda: self.server_of(self.asked("/readyz").headers) is server, "not asked")


def shipped_settings() -> dict[str, str]:
    """Those of `companion.env`."""
    text = ENVIRONMENT.read_text(encoding="utf-8")
    found = re.findall(r"^COMPANION_(\w+)=(.*)$", text, re.MULTILINE)
    return {name.lower(): value for name, value in found}


@contextmanager
def behind_nginx(
    folder: Path, postgres: Postgres, redis: Redis, *, spread: bool = True, **settings: str
) -> Iterator[Behind]:
    nginx, database = Nginx(), postgres.fresh()
    own = {"database": database, "bus": redis.url, "public_url": nginx.url}
    given = shipped_settings() | own | {"secret_key": SECRET} | settings
    servers = [Server(folder / f"process{port}", **given) for port in PORTS]
    try:
        nginx.pass_to(*(each.port for each in servers), spread=spread)
        for each in servers:
            each.launch()
        for each in servers:
            each.wait()
        nginx.start()
        yield Behind(nginx, servers, database)
    finally:
        nginx.end()
        for each in servers:
            each.stop()


def protocol(nginx: Nginx) -> str | None:
    """Which HTTP it speaks with a browser."""
    context = ssl.create_default_context(cafile=str(nginx.certificate))
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", nginx.port)) as line,
        context.wrap_socket(line, server_hostname="127.0.0.1") as secure,
    ):
        return secure.selected_alpn_protocol()
