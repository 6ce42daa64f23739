"""The deal that can be checked, through the pages: what is shown when, and to whom."""

from __future__ import annotations

import hashlib
import json
import re
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games import GAMES
from companion.languages import LOCALES
from companion.record import verdicts
from companion.record.fair import Lot, commitment, drawn, seal
from companion.record.verify import findings
from companion.tables import commands as ask
from companion.tables import dealing
from companion.tables.dealing import dealt
from tests.kit import pages

LINE = "This deal can be checked"
TO_COME = "The next deal can be checked"
"""Before the number of that one."""
SHARES = [f"{place:x}" * 32 for place in range(1, 6)]


@pytest.fixture
def evening(clubs):
    """Five at a table that deals as the program does; the host's laptop has no seat."""
    club = clubs(draw=drawn)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl", "Dora", "Emil"])
    return club, host, path, phones


def told(phone, path: str) -> dict[str, Any]:
    """What the stream tells the phone's script to do for the deals, at its beginning."""
    follows = phone.client.get(f"{path}/live", buffered=False)
    text = next(iter(follows.response)).decode()
    follows.close()
    found = re.search(r"^event: deal\ndata: (.*)$", text, re.MULTILINE)
    return json.loads(found[1]) if found is not None else {}


def to_come(phone, path: str) -> dict[str, str]:
    """Commitments by "game.round" of the deals that the phone is to seal numbers for."""
    promised: dict[str, str] = told(phone, path).get("seal", {})
    return promised


def give(club, phone, path: str, share: str, *, awake: bool = True) -> bool:
    """As the phone's script does: it seals a number, and opens it when the list is fixed. Whether
    all its seals count."""
    asked = list(to_come(phone, path).values())
    if awake:
        opens_in_time(club, phone, path, share)
    form = {"commitment": asked, "seal": [seal(one, share) for one in asked]}
    return bool(phone.post(f"{path}/fair", form).json == asked)


def opens_in_time(club, phone, path: str, share: str) -> None:

    def heard(table) -> None:
        fixed = [one for one, _ in club.tables.fair_deals.to_open(table).values()]
        if fixed:
            form = {"commitment": fixed, "share": [share] * len(fixed)}
            assert phone.post(f"{path}/fair", form).json == fixed

    club.tables.on_change.append(heard)


def deals(phone, path: str) -> dict[str, dict[str, str]]:
    """The deals on the page that explains them, by "game.round"."""
    text = phone.get(f"{path}/fair").text
    found = {}
    for part in text.split('<section class="deal')[1:]:
        place = re.search(r'data-deal="([^"]*)" data-commitment="([^"]*)"', part)
        shares = re.search(r"data-shares='([^']*)'", part)
        assert place is not None
        numbers = re.findall(r'<(?:dd|span) class="hex"[^>]*>([^<]*)<', part)
        found[place[1]] = {
            "commitment": place[2],
            "numbers": " ".join(one.replace(" ", "") for one in numbers),
            "shares": " ".join(one or "" for one in json.loads(shares[1])) if shares else "",
            "late": " ".join(re.findall(r"(\w+)(?:</bdi>)?</dt>\s*<dd>sealed, but", part)),
        }
    return found


def assert_says(phone, path: str, line: str) -> None:
    """The page that a line leads to has that line for its title."""
    assert re.findall(r"<(?:title|h1)>([^<·]*\w)", phone.get(path).text) == [line, line]


def play_round(club, host, path: str, *, more: bool = True) -> None:
    club.done(host, path, "begin")
    club.done(host, path, "play", play="result", reached="0", last="5")
    if more:
        club.done(host, path, "deal")


def test_everybody_sees_the_commitment_before_the_first_deal(evening) -> None:
    club, host, path, phones = evening
    promised = to_come(phones[0], path)
    assert list(promised) == ["1.0", "1.1", "1.2", "1.3"]
    for phone in phones:
        assert TO_COME in phone.get(path).text
        assert to_come(phone, path) == promised
    television = club.phone()
    for screen in (host.get(f"{path}/screen"), television.get(f"{club.join_path(path)}/screen")):
        assert TO_COME in screen.text
        assert f"{promised['1.1'][:8]} {promised['1.1'][8:16]}" in screen.text
    follows = television.client.get(f"{club.join_path(path)}/live", buffered=False)
    assert TO_COME in next(iter(follows.response)).decode()
    follows.close()
    assert TO_COME in host.get(path).text
    assert_says(television, f"{club.join_path(path)}/fair", TO_COME)
    assert told(host, path) == {}  # without a seat there is nothing to add
    assert told(television, club.join_path(path)) == {}
    shown = {place: one["commitment"] for place, one in deals(phones[1], path).items()}
    assert shown == promised
    assert deals(television, club.join_path(path)) == deals(phones[1], path)
    assert television.get(f"{path}/fair").status_code == 403
    club.done(host, path, "start")
    assert LINE in host.get(path).text
    assert_says(host, f"{path}/fair", LINE)
    play_round(club, host, path, more=False)
    assert TO_COME in host.get(path).text
    assert_says(host, f"{path}/fair", TO_COME)


def test_a_whole_game_is_proved_step_by_step(evening) -> None:
    club, host, path, phones = evening
    promised = to_come(phones[0], path)
    for phone, share in zip(phones[:4], SHARES, strict=False):
        assert give(club, phone, path, share)
    club.done(host, path, "start")
    given = " ".join([*SHARES[:4], ""])
    for round_ in (1, 2, 3):
        assert all(
            not one["shares"] for place, one in deals(host, path).items() if place >= f"1.{round_}"
        )
        club.done(host, path, "begin")
        club.done(host, path, "play", play="result", reached="0", last="5")
        now = deals(phones[4], path)
        assert now[f"1.{round_}"]["shares"] == given
        secret = bytes.fromhex(now[f"1.{round_}"]["numbers"].split()[1])
        assert commitment(1, round_, secret) == promised[f"1.{round_}"]
        if round_ < 3:
            seals = [seal(promised["1.0"], share) for share in SHARES[:4]]
            assert now["1.0"] == {
                "commitment": promised["1.0"],
                "numbers": " ".join([promised["1.0"], *seals]),
                "shares": "",
                "late": "",
            }
            club.done(host, path, "deal")
    now = deals(phones[4], path)
    assert now["1.0"]["shares"] == given
    assert list(now) == ["1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "2.2", "2.3"]
    assert {place: one["commitment"] for place, one in now.items() if place < "2"} == promised
    assert to_come(phones[0], path) == {
        place: one["commitment"] for place, one in now.items() if place > "2"
    }
    saved = phones[0].get(f"{path}/record.jsonl").data
    found = list(findings([saved], GAMES))
    assert [one.good for one in found] == [True] * 4
    assert [one.commitment for one in found] == list(promised.values())
    header = json.loads(saved.splitlines()[0])
    assert header["fair"]["shares"] == [*SHARES[:4], None]


def test_a_game_is_checked_also_when_the_next_one_has_begun(evening) -> None:
    """By its own record, as it was before."""
    club, host, path, phones = evening
    club.done(host, path, "start")
    for more in (True, True, False):
        play_round(club, host, path, more=more)
    saved = phones[0].get(f"{path}/record.jsonl").data
    club.done(host, path, "new-game")
    assert phones[1].get(f"{path}/record.jsonl?game=1").data == saved
    assert [one.code for one in findings([saved], GAMES)] == ["agrees"] * 4
    assert host.get(f"{path}/record.jsonl").status_code == 409
    assert host.get(f"{path}/record.jsonl?game=2").status_code == 409
    club.done(host, path, "finish")
    other = phones[0].get(f"{path}/record.jsonl?game=2").data
    assert json.loads(other.splitlines()[0])["fair"]["game"] == 2


def test_names_that_are_taken_out_are_in_no_proof_of_an_earlier_game(evening) -> None:
    club, host, path, phones = evening
    club.done(host, path, "start")
    for more in (True, True, False):
        play_round(club, host, path, more=more)
    club.done(host, path, "new-game")
    club.done(host, path, "finish")
    club.done(phones[1], path, "take-name-out", seat="2")
    saved = phones[0].get(f"{path}/record.jsonl?game=1").data
    assert [one.code for one in findings([saved], GAMES)] == ["no_proof"] * 4


def test_until_a_round_is_over_no_page_has_its_secret(evening) -> None:
    """Nor of the gold until the game is; the record, least of all."""
    club, host, path, phones = evening
    for phone, share in zip(phones, SHARES, strict=True):
        give(club, phone, path, share)
    club.done(host, path, "start")
    table = club.table(path)
    secrets = [club.tables.fair_deals.secret(table, 1, round_).hex() for round_ in range(4)]

    def hidden(*which: int) -> None:
        for phone in (*phones, host):
            texts = [phone.get(f"{path}/fair").text, *pages.seen(phone, path).values()]
            text = "".join(texts).replace(" ", "")
            assert not [one for one in which if secrets[one] in text]
            assert not [one for one in SHARES if one in text] or club.table(path).game_state.past
        assert host.get(f"{path}/record.jsonl").status_code == 409

    hidden(0, 1, 2, 3)
    play_round(club, host, path, more=False)
    hidden(0, 2, 3)
    assert deals(host, path)["1.1"]["numbers"].split()[1] == secrets[1]
    club.done(host, path, "take-back")
    hidden(0, 1, 2, 3)
    assert "shares" in deals(host, path)["1.1"]
    assert deals(host, path)["1.1"]["shares"] == ""
    club.done(host, path, "play", play="result", reached="0", last="5")
    club.done(host, path, "deal")
    hidden(0, 2, 3)
    assert deals(host, path)["1.1"]["numbers"].split()[1] == secrets[1]


def test_a_number_not_opened_in_time_is_named_on_the_page_and_in_the_record(evening) -> None:
    club, host, path, phones = evening
    give(club, phones[0], path, SHARES[0])
    give(club, phones[1], path, SHARES[1], awake=False)
    club.done(host, path, "start")
    for phone in (*phones, host):
        shown = deals(phone, path)
        assert {place: one["late"] for place, one in shown.items()} == {
            "1.0": "Berta",
            "1.1": "Berta",
            "1.2": "",
            "1.3": "",
        }
    play_round(club, host, path)
    play_round(club, host, path)
    play_round(club, host, path, more=False)
    assert deals(host, path)["1.3"]["late"] == "Berta"
    saved = phones[0].get(f"{path}/record.jsonl").data
    found = list(findings([saved], GAMES))
    assert [one.good for one in found] == [True] * 4
    assert [one.withheld for one in found] == [("Berta",)] * 4
    header = json.loads(saved.splitlines()[0])
    assert header["fair"]["shares"] == [SHARES[0], None, None, None, None]
    assert [bool(one) for one in header["fair"]["seals"]] == [True, True, False, False, False]


def test_every_phone_is_shown_the_list_that_is_fixed(evening) -> None:
    """On whichever page of the table it is; also a host who has sat down in the lobby."""
    club, host, path, phones = evening
    club.done(host, path, "join", name="Host")
    give(club, phones[0], path, SHARES[0])
    assert to_come(host, path) == to_come(phones[0], path)
    lists = []

    def heard(table) -> None:
        if table.deals.sealed is not None:
            lists.extend(told(phone, path)["open"] for phone in (*phones, host))

    club.tables.on_change.insert(0, heard)
    give(club, host, path, SHARES[1])
    promised = to_come(host, path)
    club.done(host, path, "start")
    fixed = {
        place: [seal(promised[place], SHARES[0]), *[None] * 4, seal(promised[place], SHARES[1])]
        for place in ("1.0", "1.1")
    }
    assert lists == [fixed] * 6
    assert club.table(path).deals.shares[0] == (SHARES[0], *[None] * 4, SHARES[1])


def test_a_deal_is_ended_by_whoever_looks_next(clubs) -> None:
    """The program was killed between the two steps; a phone's open page is enough."""
    club = clubs(draw=drawn, deal_wait_s=0.2)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    give(club, phones[0], path, SHARES[0], awake=False)
    deal = club.tables._due.deal
    club.tables._due.deal = lambda *_: None  # as if it had been killed
    club.done(host, path, "start")
    club.tables._due.deal = deal
    assert club.table(path).deals.sealed is not None
    club.clock.now += 1
    follows = phones[1].client.get(f"{path}/live", buffered=False)
    assert "data-pad" in next(iter(follows.response)).decode()
    follows.close()
    assert club.table(path).deals.sealed is None


def test_a_seal_changes_nothing_that_anybody_sees(evening) -> None:
    club, host, path, phones = evening
    before = [phone.get(path).data for phone in (*phones, host)]
    pages = [phone.get(f"{path}/fair").data for phone in (*phones, host)]
    version = club.table(path).version
    assert [give(club, phone, path, SHARES[0]) for phone in phones] == [True] * 5
    assert [phone.get(path).data for phone in (*phones, host)] == before
    assert [phone.get(f"{path}/fair").data for phone in (*phones, host)] == pages
    assert club.table(path).version == version


def test_a_phone_learns_which_of_its_numbers_count(evening) -> None:
    """What comes too late is no fault: browsers write faults down."""
    club, host, path, phones = evening
    asked = list(to_come(phones[0], path).values())

    def counted(phone, commitments: list[str], share: str = SHARES[0]) -> list[str]:
        form = {"commitment": commitments, "seal": [seal(one, share) for one in commitments]}
        answer = phone.post(f"{path}/fair", form)
        assert answer.status_code == 200
        found: list[str] = answer.json
        return found

    assert counted(phones[0], asked) == asked
    assert counted(phones[0], asked) == asked  # again
    assert counted(phones[0], asked, SHARES[1]) == []  # the first one counts
    assert counted(phones[1], ["f" * 64]) == []  # of no deal
    assert counted(host, asked) == []  # without a seat
    too_soon = {"commitment": asked[0], "share": SHARES[0]}
    assert phones[0].post(f"{path}/fair", too_soon).json == []
    opens_in_time(club, phones[0], path, SHARES[0])
    club.done(host, path, "start")
    assert counted(phones[2], asked) == asked[2:]  # too late for the first two
    table = club.table(path)
    assert table.deals.shares == ((SHARES[0], None, None, None, None),) * 2
    late = phones[3].post(f"{path}/fair", {"commitment": asked[0], "share": SHARES[3]})
    assert (late.status_code, late.json) == (200, [])


def test_a_seal_that_comes_while_the_list_is_fixed_is_too_late(evening, monkeypatch) -> None:
    """Else a phone would be told that its number counts, and later that it was left out."""
    club, host, path, phones = evening
    asked = list(to_come(phones[0], path).values())
    form = {"commitment": asked, "seal": [seal(one, SHARES[0]) for one in asked]}
    append = club.log.append
    answers = []
    coming = Thread(target=lambda: answers.append(phones[0].post(f"{path}/fair", form).json))

    def slowly(*rows) -> bool:
        coming.start()
        coming.join(0.3)
        return append(*rows)

    monkeypatch.setattr(club.log, "append", slowly)
    club.done(host, path, "start")
    coming.join()
    assert answers == [asked[2:]]
    assert club.table(path).deals.shares == ((None,) * 5,) * 2


@pytest.mark.parametrize(
    "form",
    [
        {"commitment": "f" * 64},
        {"share": "f" * 32},
        {"commitment": "f" * 63, "share": "f" * 32},
        {"commitment": "f" * 64, "share": "F" * 32},
        {"commitment": ["f" * 64] * 9, "share": ["f" * 32] * 9},
        {"seal": "f" * 64},
        {"commitment": "f" * 64, "seal": "f" * 32},
        {"commitment": "f" * 64, "seal": "F" * 64},
        {"commitment": ["f" * 64] * 9, "seal": ["f" * 64] * 9},
        {"commitment": "\0", "share": "\ud800".encode("utf-8", "surrogatepass")},
    ],
)
def test_what_is_no_share_is_refused(evening, form) -> None:
    _, _, path, phones = evening
    assert phones[0].post(f"{path}/fair", form).status_code == 400


def test_strangers_add_nothing(evening) -> None:
    club, _, path, phones = evening
    form = {"commitment": list(to_come(phones[0], path).values())[:1], "share": SHARES[:1]}
    assert club.phone().post(f"{path}/fair", form).status_code == 403
    other_site = {"Origin": "http://elsewhere.example"}
    assert phones[0].post(f"{path}/fair", form, **other_site).status_code == 403


def test_the_page_speaks_every_language_and_needs_no_script(clubs) -> None:
    club = clubs(draw=drawn)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl", "Dora", "Emil"], LOCALES)
    club.done(host, path, "start")
    play_round(club, host, path)
    headings = set()
    for phone in phones:
        answer = phone.get(f"{path}/fair")
        assert answer.status_code == 200
        text = answer.text
        assert text.count('<section class="deal') == 4
        assert 'class="mine" role="status" hidden' in text
        headings.add(re.search(r"<h1>(.*?)</h1>", text)[1])  # type: ignore[index]
    assert len(headings) == 5


def test_games_that_deal_nothing_have_no_such_page(clubs) -> None:
    club = clubs(draw=drawn)
    host = club.phone()
    cookie = host.client.get_cookie("device")
    assert cookie is not None
    device = hashlib.sha256(cookie.value.encode()).hexdigest()
    table = club.tables.open(device, ask.Open("trains", "et-2015", "referee", "et"), "key")
    assert host.get(f"/t/{table.id}/fair").status_code == 404
    assert club.phone().get(f"/j/{club.tables.join_key(table)}/fair").status_code == 404
    late = {"commitment": "f" * 64, "share": "f" * 32}
    assert host.post(f"/t/{table.id}/fair", late).json == []


def test_a_game_begun_in_an_older_program_goes_on(evening, monkeypatch) -> None:
    """Its gold and first round came from elsewhere, and nothing is said of them but that."""
    club, host, path, phones = evening

    def unproved(*of: Any) -> tuple[Any, ...]:
        return tuple(replace(event, shares=None, seals=None) for event in dealt(*of))

    with monkeypatch.context() as older:
        older.setattr(dealing, "dealt", unproved)
        club.done(host, path, "start")
    play_round(club, host, path)
    assert phones[0].get(f"{path}/fair").text.count("Dealt by an older version") == 2
    play_round(club, host, path)
    play_round(club, host, path, more=False)
    saved = phones[0].get(f"{path}/record.jsonl").data
    codes = [one.code for one in findings([saved], GAMES)]
    assert codes == ["no_proof", "no_proof", "agrees", "agrees"]


def test_a_game_begun_without_seals_is_proved_still(evening, monkeypatch) -> None:
    """By a program whose phones sent their shares at once."""
    club, host, path, phones = evening
    shares = (*SHARES[:4], None)
    deals_ = club.tables.fair_deals

    class Unsealed:
        seals = deals_.source().seals
        known = deals_.source().known

        @staticmethod
        def chance(table, round_, seats, _, opened) -> Any:
            secret = deals_.secret(table, 1, round_)
            return drawn(Lot(1, round_, secret, tuple(seat.name for seat in seats), opened))

    def unsealed(table, sealed, _, __) -> tuple[Any, ...]:
        events = dealt(table, sealed, [shares, shares], Unsealed)
        return tuple(replace(event, seals=None) for event in events)

    with monkeypatch.context() as older:
        older.setattr(dealing, "dealt", unsealed)
        club.done(host, path, "start")
    give(club, phones[0], path, SHARES[4])
    play_round(club, host, path)
    assert deals(host, path)["1.1"]["shares"] == " ".join([*SHARES[:4], ""])
    assert deals(host, path)["1.1"]["numbers"].split()[2:] == SHARES[:4]
    play_round(club, host, path)
    play_round(club, host, path, more=False)
    saved = phones[0].get(f"{path}/record.jsonl").data
    codes = [one.code for one in findings([saved], GAMES)]
    assert codes == ["agrees_unsealed"] * 2 + ["agrees"] * 2  # whoever ran it could choose
    methods = [json.loads(line).get("fair", {}).get("method") for line in saved.splitlines()]
    assert [each for each in methods if each] == ["companion-fair-1"] * 2 + ["companion-fair-2"] * 2


def test_gold_drawn_anew_is_said_and_the_record_stays_legal(evening) -> None:
    club, host, path, phones = evening
    club.done(host, path, "start")
    play_round(club, host, path)
    play_round(club, host, path)
    play_round(club, host, path, more=False)
    saved = phones[0].get(f"{path}/record.jsonl").data
    club.done(host, path, "take-back")
    assert "The gold cards that were left have been shuffled again." in phones[1].get(path).text
    club.done(host, path, "play", play="result", reached="1", finisher="2")
    shown = phones[1].get(f"{path}/fair").text
    assert "so those that were left have been shuffled again" in shown
    assert "older version" not in shown
    other = phones[0].get(f"{path}/record.jsonl").data
    assert json.loads(other.splitlines()[0])["gold"] != json.loads(saved.splitlines()[0])["gold"]
    assert [one.code for one in findings([other], GAMES)] == ["no_proof"] + ["agrees"] * 3
    assert all(verdict["ok"] for verdict in verdicts([other], GAMES))


def test_a_number_is_opened_however_much_its_own_phone_has_sent(clubs) -> None:
    club = clubs(draw=drawn, forms_per_minute=10, deal_wait_s=5.0)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    assert give(club, phones[0], path, SHARES[0], awake=False)
    while phones[0].post(f"{path}/turn", {}).status_code != 429:
        pass
    opens_in_time(club, phones[0], path, SHARES[0])
    club.done(host, path, "start")
    assert club.table(path).deals.shares[0] == (SHARES[0], None, None)


def seated_at(phone, path: str) -> list[str]:
    """The deals, of those on the page, for which it says that this phone had a seat."""
    sections = re.findall(r'data-deal="([^"]+)"([^>]*)>', phone.get(f"{path}/fair").text)
    return [place for place, more in sections if "data-seated" in more]


def test_whoever_has_no_seat_in_a_deal_misses_no_number_there(evening) -> None:
    """Its seat went to another phone after it had sealed one, and came back for the next deal."""
    club, host, path, phones = evening
    club.done(host, path, "start")
    assert {"1.0", "1.1"} <= set(seated_at(phones[2], path))
    for deal in range(2):
        club.done(host, path, "begin")
        club.done(phones[0], path, "play", play="result", reached="1", finisher="1", seat="1")
        club.done(host, path, "free-seat", seat="3")
        taker = phones[2] if deal else club.phone()
        assert taker.post(club.join_path(path), {"claim": "3", "key": f"c{deal}"}).location
        club.done(host, path, "deal")
    assert seated_at(phones[0], path) == ["1.0", "1.1", "1.2", "1.3"]
    assert seated_at(phones[2], path) == ["1.0", "1.1", "1.3"]
    assert seated_at(host, path) == []


def test_a_number_is_opened_however_much_others_behind_the_same_router_ask_for(clubs) -> None:
    """Else one of them could have another one named who holds a number back."""
    club = clubs(draw=drawn, requests_per_minute=40, deal_wait_s=5.0)
    host = club.phone()
    path = club.open(host)
    phones = club.sit(path, ["Anna", "Berta", "Carl"])
    assert give(club, phones[0], path, SHARES[0], awake=False)
    stranger, answers = club.phone(), []

    def heard(table) -> None:
        fixed = [one for one, _ in club.tables.fair_deals.to_open(table).values()]
        if not fixed:
            return
        while stranger.get("/").status_code == 200:
            pass
        opened = {"commitment": fixed, "share": [SHARES[0]] * len(fixed)}
        answers.append(stranger.post(f"{path}/fair", opened).status_code)
        answers.append(phones[1].post(f"{path}/fair", {}).status_code)
        answers.append(phones[0].post(f"{path}/fair", opened).json == fixed)

    club.tables.on_change.append(heard)
    assert host.post(f"{path}/do/start", {"version": club.table(path).version, "key": "k"})
    assert answers == [429, 200, True]
    assert club.table(path).deals.shares[0] == (SHARES[0], None, None)
