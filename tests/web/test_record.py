"""The saved record of a game in the "roles and gold" way, judged like anybody's."""

from __future__ import annotations

from companion.games import GAMES
from companion.record import verdicts


def test_judging_it_gives_the_same_gold_and_winners(seated) -> None:
    club, host, path, phones = seated
    club.done(host, path, "start")
    assert host.get(f"{path}/record.jsonl").status_code == 409
    for number in (1, 2, 3):
        club.done(host, path, "begin")
        if number == 2:
            club.done(phones[4], path, "play", play="result", reached="1", finisher="1")
            club.done(host, path, "take-back")
        ending = {"reached": "1", "finisher": "3"} if number == 1 else {"reached": "0", "last": "5"}
        club.done(phones[number], path, "play", play="result", **ending)
        if number < 3:
            club.done(host, path, "deal")

    saved = phones[0].get(f"{path}/record.jsonl")
    assert saved.status_code == 200
    judged = list(verdicts([saved.data], GAMES))
    assert [verdict["ok"] for verdict in judged] == [True] * 6
    table = club.table(path)
    names = [player.name for player in table.players]
    for verdict, past in zip(judged[1::2], table.game_state.past, strict=True):
        assert verdict["round_over"]["won_by"] == past.won_by
        assert verdict["round_over"]["gold"] == dict(zip(names, map(list, past.gold), strict=True))
    totals = [sum(sum(past.gold[seat]) for past in table.game_state.past) for seat in range(5)]
    assert judged[-1]["game_over"]["totals"] == dict(zip(names, totals, strict=True))
    winners = [name for name, n in zip(names, totals, strict=True) if n == max(totals)]
    assert judged[-1]["game_over"]["winners"] == winners


def test_a_stranger_gets_no_record(seated) -> None:
    club, _, path, _ = seated
    assert club.phone().get(f"{path}/record.jsonl").status_code in (403, 404)
