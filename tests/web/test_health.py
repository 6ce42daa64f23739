"""Whether the program says that it is alive, and whether it can serve."""

from __future__ import annotations

from companion.storage.sqlite_log import FILE


def test_ready_as_long_as_the_database_answers(club) -> None:
    ready = club.phone().get("/readyz")
    assert (ready.status_code, ready.text) == (200, "ready\n")
    club.log._readers.close()
    for file in club.settings.data.glob(f"{FILE}*"):
        file.unlink()
    answer = club.phone().get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the database does not answer\n")
    assert club.phone().get("/healthz").status_code == 200


def test_not_ready_once_nothing_can_be_written(club) -> None:
    club.log._writer.close()
    answer = club.phone().get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the database does not answer\n")


def test_not_ready_while_no_other_process_can_be_heard(club) -> None:
    club.hub.hear_nothing()
    answer = club.phone().get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the bus does not answer\n")
    club.hub.hear_again()
    assert club.phone().get("/readyz").status_code == 200


def test_who_watches_is_neither_counted_nor_refused_among_the_phones_of_an_address(clubs) -> None:
    club = clubs(requests_per_minute=10)
    watcher, stranger = club.phone(), club.phone()
    assert {watcher.get("/healthz").status_code for _ in range(20)} == {200}
    assert [stranger.get("/").status_code for _ in range(11)] == [200] * 10 + [429]
    answer = watcher.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "alive\n")
    assert "Set-Cookie" not in answer.headers
    assert watcher.post("/healthz").status_code == 429
