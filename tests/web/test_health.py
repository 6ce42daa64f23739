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
