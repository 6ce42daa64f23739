"""Styles and scripts: packed once, kept for ever; QR codes as pages and terminals show them."""

from __future__ import annotations

import gzip
import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path
from uuid import uuid4

import pytest
import zopfli.gzip

from companion import compiled
from companion.games import GAMES
from companion.web.html import qr
from companion.web.http import assets as assets_module
from companion.web.http import shorten
from companion.web.http.assets import ROOT, Assets
from companion.web.http.modules import scopes


def test_assets_are_kept_for_ever(club) -> None:
    phone = club.phone()
    page = phone.get("/").text
    addresses = set(re.findall(r'"(/static/[^"#]+)', page))
    assert addresses
    for address in addresses:
        answer = phone.get(address, **{"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "max-age=31536000, immutable"
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert "Set-Cookie" not in answer.headers
        plain = phone.get(address, **{"Accept-Encoding": "identity"})
        assert gzip.decompress(answer.data) == plain.data
        assert "Content-Encoding" not in plain.headers


def test_an_older_page_still_finds_its_styles(club) -> None:
    answer = club.phone().get("/static/0123456789/app.css")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Content-Type"].startswith("text/css")


def test_styles_of_a_page_come_as_one(club) -> None:
    phone = club.phone()
    address = re.search(r'"(/static/[^"]+\.css)"', phone.get("/").text)[1]
    parts = address.rpartition("/")[2].split("+")
    assert len(parts) > 1
    assets = Assets()
    assert phone.get(address).data == b"".join(map(assets.unpacked, parts))


def test_scripts_of_a_page_come_as_one_with_all_that_they_import(club) -> None:
    phone = club.phone()
    path = club.open(phone, way="referee")
    club.sit(path, ["Anna", "Berta", "Carl"])
    loaded = set()
    for page in (path, f"{path}/screen", "/"):
        scripts = re.findall(r'<script[^>]* src="([^"]+)"', phone.get(page).text)
        for script in scripts:
            folder = re.match(r"/static/\w+", script)
            text = phone.get(script).text
            assert not re.search(r"\bfrom ?['\"]|^export\b", text, re.MULTILINE)
            for later in re.findall(r'"([\w/]+\.js)"', text):  # what it loads when it is needed
                assert phone.get(f"{folder[0]}/{later}").status_code == 200
                loaded.add(later)
    on_both = {"aloud.js", "drawings.js", "kept.js", "links.js", "parts.js", "share.js"}
    assert loaded == {*on_both, "saboteur/moment.js", "sheets.js"}


@pytest.mark.parametrize(
    "text",
    [
        'import lamp from "./lamp.js";',
        'import "./lamp.js";',
        "export default 1;",
        "export let lit = true;",
        "const lit = true;\nexport { lit };",
        'import { lit } from "./page.js";',
    ],
)
def test_modules_that_cannot_be_joined_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"page\.js"):
        scopes(["page.js"], {"page.js": text}.__getitem__)


@pytest.mark.parametrize("name", ["app.css+app.css", "app.css+none.css", "app.css+app.js", "+"])
def test_what_is_joined_is_of_one_kind(club, name: str) -> None:
    assert club.phone().get(f"/static/0/{name}").status_code == 404


def test_styles_that_no_page_joins_cost_no_packing(club) -> None:
    answer = club.phone().get("/static/0/play.css+rules.css", **{"Accept-Encoding": "gzip"})
    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers


def test_scripts_in_an_order_that_no_page_has_are_dear(clubs) -> None:
    """Each takes as long as twenty pages; those of another process's page are asked for often."""
    club = clubs(dear_per_minute=3)
    names = ["app.js", "hold.js", "table.js", "fit.js", "wake.js", "saves.js"]
    asked = ["+".join(each) for each in permutations(names, 3)][:6]
    phone = club.phone()
    answers = [phone.get(f"/static/0/{name}") for name in asked]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 3
    assert int(answers[-1].headers["Retry-After"]) > 0
    for _ in range(5):
        assert phone.get(f"/static/0/{asked[0]}").status_code == 200
    page = phone.get("/").text
    for address in re.findall(r'"(/static/[^"#]+)', page):
        assert phone.get(address).status_code == 200


def test_what_is_joined_for_strangers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets_module, "OTHERS_BYTES", 100_000)
    assets = Assets()
    for each in permutations(["app.css", "play.css", "rules.css", "forms.css"]):
        assets.unpacked("+".join(each))
    assert 0 < sum(map(len, assets._others.values())) <= 100_000


def test_what_pages_join_is_joined_once(tmp_path) -> None:
    (tmp_path / "lamp.js").write_text("export const lit = () => true;\n")
    (tmp_path / "page.js").write_text('import { lit } from "./lamp.js";\nlit();\n')
    assets = Assets(tmp_path)
    name = assets.url("lamp.js", "page.js").rpartition("/")[2]
    before = assets.unpacked(name)
    assert b"lit" in before
    assert b"lamp_js" in before
    (tmp_path / "lamp.js").write_text("")
    assert assets.unpacked(name) == before


def test_nobody_waits_while_a_file_is_packed(
    club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is done once, by whoever asks first; it takes long."""
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    begun, served = threading.Event(), threading.Event()

    def slowly(text: bytes) -> bytes:
        begun.set()
        assert served.wait(10)
        return gzip.compress(text)

    monkeypatch.setattr(zopfli.gzip, "compress", slowly)
    url = club.app.extensions["companion"].assets.url("app.css")
    phones = [club.phone() for _ in "ab"]
    with ThreadPoolExecutor() as pool:
        packed = [pool.submit(each.get, url, **{"Accept-Encoding": "gzip"}) for each in phones]
        assert begun.wait(10)
        assert club.phone().get("/").status_code == 200
        assert not any(each.done() for each in packed)
        served.set()
        assert {each.result(10).status_code for each in packed} == {200}


@pytest.mark.parametrize("name", ["page.css", "vendor/page.css"])
def test_what_was_packed_is_kept_for_the_next_start(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "FOLDER", tmp_path / "kept")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    page = tmp_path / "static" / name
    page.parent.mkdir(parents=True)
    page.write_text("p { color: red }")
    packed = Assets(tmp_path / "static").packed(name)
    monkeypatch.setattr(zopfli.gzip, "compress", gzip.compress)
    assert Assets(tmp_path / "static").packed(name) == packed
    page.write_text("p { color: green }")
    assert gzip.decompress(Assets(tmp_path / "static").packed(name) or b"") == b"p{color:green}"


def test_what_a_page_asks_for_together_is_kept_however_many_files_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of a file has no more than 255 letters."""
    monkeypatch.setattr(compiled, "FOLDER", tmp_path / "kept")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    static = tmp_path / "static"
    static.mkdir()
    styles = [f"{letter * 60}.css" for letter in "abcde"]
    for style in styles:
        (static / style).write_text("p { color: red }")

    def packed() -> bytes | None:
        assets = Assets(static)
        return assets.packed(assets.url(*styles).rpartition("/")[2])

    first = packed()
    monkeypatch.setattr(zopfli.gzip, "compress", gzip.compress)
    assert packed() == first


@pytest.fixture
def lamp(tmp_path) -> Assets:
    (tmp_path / "lamp.js").write_text(
        "// A lamp.\nexport const lit = (whether) => {\n  return !whether;\n};\n"
    )
    (tmp_path / "page.js").write_text(
        f'import {{ lit }} from "./lamp.js";\nlit(true); // {uuid4()}: nowhere kept\n'
    )
    return Assets(tmp_path)


def test_names_in_scripts_that_nobody_else_sees_are_short(lamp: Assets) -> None:
    alone = lamp.unpacked("lamp.js").decode()
    assert "whether" not in alone
    assert re.search(r"export const lit\b", alone)
    name = lamp.url("page.js").rpartition("/")[2]
    assert "whether" not in lamp.unpacked(name).decode()


def test_scripts_joined_are_statements_of_their_own(lamp: Assets) -> None:
    """Else a function behind a call would be what it is called with."""
    name = lamp.url("lamp.js", "page.js").rpartition("/")[2]
    first, second = lamp.unpacked(name).decode().split("\n")
    assert first.endswith("})();")
    assert second.startswith("(()=>{")


def test_scripts_that_cannot_be_shortened_are_sent_as_they_are(
    lamp: Assets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shorten, "_PROGRAM", "raise SystemExit(1)")
    name = lamp.url("lamp.js", "page.js").rpartition("/")[2]
    assert "return !whether;" in lamp.unpacked(name).decode()
    assert lamp.unpacked("lamp.js") == (lamp.root / "lamp.js").read_bytes()


def test_what_a_formatter_adds_to_styles_is_not_sent(tmp_path) -> None:
    (tmp_path / "one.css").write_text(
        """
        @media (width > 30em) {
          .a ~ .b + [data-n="3"]:not([role="none"]) {
            margin: calc(-1 * var(--s)) 0.5rem -0.25rem 10.5px;
            left: calc(50% + 37% * sin(var(--a)) - 0.5px);
            grid-area: 1 / 2;
          }
        }
        """
    )
    assert Assets(tmp_path).unpacked("one.css").decode() == (
        '@media (width>30em){.a~.b+[data-n="3"]:not([role=none]){'
        "margin:calc(-1*var(--s)) .5rem -.25rem 10.5px;"
        "left:calc(50% + 37%*sin(var(--a)) - .5px);grid-area:1/2}}"
    )


def declared(text: str) -> Iterator[tuple[str, str, str]]:
    """Class, property and value of each rule for a class alone, on a screen of any size."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"@\w+[^{;]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", text)
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        for name in re.findall(r"(?:^|,)\s*\.([\w-]+)\s*(?=,|$)", selectors):
            for each in filter(None, map(str.strip, body.split(";"))):
                what, _, value = each.partition(":")
                yield name, what.strip(), value.strip()


WAYS = [(game, way) for game in GAMES for way in GAMES[game].ways]


@pytest.mark.parametrize(("game", "way"), WAYS)
def test_no_style_of_a_page_undoes_one_of_another_file(club, game: str, way: str) -> None:
    """A page that was loaded before the game has the styles of all that will stand there."""
    host = club.phone()
    path = club.open(host, game=game, way=way)
    guest = club.sit(path, ["Anna", "Berta", "Carl"])[1]
    pages = [host.get(path), host.get(f"{path}/screen"), host.get(f"{path}/host"), guest.get(path)]
    for page in pages:
        said: dict[tuple[str, str], tuple[str, str]] = {}
        for sheet in re.findall(r'href="/static/[^"/]+/([^"]+\.css)"', page.text):
            for file in sheet.split("+"):
                for name, what, value in declared((ROOT / file).read_text(encoding="utf-8")):
                    before, other = said.setdefault((name, what), (file, value))
                    assert before == file or other == value, (name, what, before, file)


def test_pages_are_packed(club) -> None:
    phone = club.phone()
    packed = phone.get("/language", **{"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert b"</html>" in gzip.decompress(packed.data)
    assert "Content-Encoding" not in phone.get("/language").headers


def test_an_asset_that_is_not_there_is_a_bug(club) -> None:
    with pytest.raises(LookupError):
        club.app.extensions["companion"].assets.url("none.css")


def test_the_favicon(club) -> None:
    assert club.phone().get("/favicon.ico").location.startswith("/static/")


def test_the_svg_is_the_code() -> None:
    drawn = str(qr.svg("http://192.168.1.20:8000/j/" + "k" * 22))
    size = int(re.search(r'viewBox="0 0 (\d+) \1"', drawn)[1])
    assert (size - 8 - 17) % 4 == 0  # a version of the standard and four quiet modules
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1H(\d+)z", drawn)
    assert all(x == back for x, _, _, back in runs)
    assert min(int(x) for x, *_ in runs) == min(int(y) for _, y, *_ in runs) == 4
    assert len(drawn) < 12_000


def test_blocks_for_a_terminal() -> None:
    lines = qr.blocks("http://192.168.1.20:8000").split("\n")
    assert len({len(line) for line in lines}) == 1
    assert set("".join(lines)) == set("█▀▄ ")


@pytest.mark.parametrize(
    ("name", "password", "text"),
    [
        ("Kelder", "salajane", "WIFI:T:WPA;S:Kelder;P:salajane;;"),
        ("Kelder", "", "WIFI:T:nopass;S:Kelder;;"),
        ('a;b,c:d"e\\f', "p;w", 'WIFI:T:WPA;S:a\\;b\\,c\\:d\\"e\\\\f;P:p\\;w;;'),
    ],
)
def test_wifi(name: str, password: str, text: str) -> None:
    assert qr.wifi(name, password) == text
