"""`banco tournament`, as cash desks and operators type it, against a real PostgreSQL."""

import io
import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from console.command_line.command import DONE, FAILED, UNUSABLE
from console.command_line.main import main
from console.database.connect import connect_to, limit_wait
from jackpot.failures import Unavailable
from tests.console.link.centre.postgres_centre import PostgresCentre

TypeCommand = Callable[..., int]
NIGHT = ("2025-11-24", "night")


@pytest.fixture
def type_command(postgres: PostgresCentre, monkeypatch: pytest.MonkeyPatch) -> TypeCommand:
    """Types `banco tournament` as this role, and the answers to its questions."""
    for name in ("olga", "piero"):
        postgres.make_role(name, "link_operator")

    def run(*words: str, who: str = "cash-1", answers: str = "") -> int:
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        return main(["tournament", *words, "--centre", postgres.dsn(who)])

    return run


@pytest.fixture
def night(postgres: PostgresCentre, type_command: TypeCommand) -> TypeCommand:
    """The tournament "night" has begun, and cash-1 is the jackpot's desk."""
    assert type_command("begin", "poker", "--base", "10000.00", who="postgres") == DONE
    where = ("--centre", postgres.dsn("postgres"))
    assert main(["link", "join", "cash-1", "poker", *where]) == DONE
    assert type_command("day", NIGHT[0]) == DONE
    assert type_command("level", *NIGHT, "1") == DONE
    return type_command


def read_json(capsys: pytest.CaptureFixture[str]) -> Any:
    """What the last command has printed for a program."""
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_a_night_from_the_first_fee_to_the_win(
    night: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 6.5, 6.8: both people are asked what they have seen."""
    assert night("fee", *NIGHT, "1042") == DONE
    assert "ticket 1042 takes part in night, 5.00 EUR" in capsys.readouterr().out
    assert night("fee", *NIGHT, "1042") == DONE
    assert "told already at cash-1, nothing was booked again" in capsys.readouterr().out
    assert night("level", *NIGHT, "2") == DONE
    assert night("fee", *NIGHT, "1043") == FAILED
    assert "Refused: LEVEL_OVER" in capsys.readouterr().out
    win = ("win", *NIGHT, "1042", "--as", "olga", "--and", "piero")
    assert night(*win, answers="y\ny\n", who="postgres") == DONE
    printed = capsys.readouterr()
    assert "30 % of the jackpot as it now reads (10005.00 EUR): 3001.50 EUR" in printed.out
    assert "Pay 3001.50 EUR to ticket 1042." in printed.out
    assert "piero, do you approve it?" in printed.err
    assert night("status") == DONE
    shown = capsys.readouterr().out
    assert "jackpot poker: 7003.50 EUR, base 10000.00 EUR" in shown
    assert "won by ticket 1042 in night: 3001.50 EUR, 30 % of 10005.00 EUR" in shown
    assert night("day", "2025-11-25") == DONE
    assert "jackpot poker: 10000.00 EUR" in capsys.readouterr().out


def test_a_day_in_a_mistyped_year_is_refused(
    night: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    assert night("level", *NIGHT, "over") == DONE
    assert night("day", "9025-11-25") == FAILED
    assert "Refused: DAY_FAR_AHEAD, it is more than 2 days after" in capsys.readouterr().out
    assert night("day", "2025-11-25") == DONE


def test_a_program_reads_it(night: TypeCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert night("fee", *NIGHT, "7", "--json") == DONE
    fee = read_json(capsys)
    assert (fee["refusal"], fee["again"], fee["today"]["amount"]) == (None, False, 1_000_500)
    assert night("fee", "2025-11-25", "night", "8", "--json") == FAILED
    assert read_json(capsys)["refusal"] == "DAY_NOT_BEGUN"
    win = ("win", *NIGHT, "7", "--json", "--as", "olga", "--and", "piero")
    assert night(*win, answers="y\ny\n", who="postgres") == DONE
    assert read_json(capsys)["win"]["amount"] == 1_000_500
    assert night("status", "--json") == DONE
    (jackpot,) = read_json(capsys)["jackpots"]
    assert (jackpot["amount"], jackpot["day"], jackpot["win"]["ticket"]) == (0, NIGHT[0], "7")


def test_one_proposes_a_win_and_another_approves_it_elsewhere(
    night: TypeCommand,
    postgres: PostgresCentre,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    night("fee", *NIGHT, "7")
    assert night("win", *NIGHT, "7", "--propose", "--json", who="olga", answers="y\n") == DONE
    number = str(read_json(capsys)["proposal"])
    assert night("fee", *NIGHT, "8") == DONE
    approve = ["link", "approve", number, "--as", "piero", "--centre", postgres.dsn("postgres")]
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert main(approve) == DONE
    assert "Pay 10010.00 EUR to ticket 7." in capsys.readouterr().out  # as read when approved


def test_a_win_told_again_says_so_and_is_not_paid_again(
    night: TypeCommand, postgres: PostgresCentre, capsys: pytest.CaptureFixture[str]
) -> None:
    night("fee", *NIGHT, "7")
    people = ("--as", "olga", "--and", "piero")
    assert night("win", *NIGHT, "7", *people, who="postgres", answers="y\ny\n") == DONE
    assert "Pay 10005.00 EUR to ticket 7." in capsys.readouterr().out
    assert night("win", *NIGHT, "7", *people, who="postgres", answers="y\ny\n") == DONE
    printed = capsys.readouterr().out
    assert "ticket 7 in night, 2025-11-24: told already." in printed
    assert "10005.00 EUR, booked then. Nothing is booked again." in printed
    assert "Told already: 10005.00 EUR to ticket 7. Pay it once." in printed
    assert "Pay 10005.00 EUR" not in printed
    assert "to be paid" not in printed
    words = ("win", *NIGHT, "7", *people, "--json")
    assert night(*words, who="postgres", answers="y\ny\n") == DONE
    assert read_json(capsys)["again"] is True
    assert postgres.one("SELECT (link.sum_balances('poker')).paid") == 1_000_500 * 10_000


def test_a_win_of_nobody_is_refused(night: TypeCommand, capsys: pytest.CaptureFixture[str]) -> None:
    people = ("--as", "olga", "--and", "piero")
    assert night("win", *NIGHT, "7", *people, who="postgres", answers="y\ny\n") == FAILED
    assert "FEE_NOT_PAID" in capsys.readouterr().out
    assert night("win", NIGHT[0], "other", "7", *people, who="postgres") == UNUSABLE
    assert "other has not begun this day; there: night" in capsys.readouterr().err
    night("level", *NIGHT, "over")
    assert night("win", *NIGHT, "7", *people, who="postgres") == UNUSABLE
    assert "late registration is over" in capsys.readouterr().err


def test_a_fee_given_back_is_a_correction_of_two_operators(
    night: TypeCommand, postgres: PostgresCentre, monkeypatch: pytest.MonkeyPatch
) -> None:
    night("fee", *NIGHT, "7")
    what = ("poker", "jackpot", "tray", "5.00", "--reason", "fee of ticket 7 given back")
    who = ("--as", "olga", "--and", "piero", "--centre", postgres.dsn("postgres"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\n"))
    assert main(["link", "correct", *what, *who]) == DONE
    assert postgres.one("SELECT (link.sum_balances('poker')).tray") == 0
    assert main(["link", "audit", "--centre", postgres.dsn("olga")]) == DONE


@pytest.mark.usefixtures("night")
def test_the_centres_status_names_the_desks(
    postgres: PostgresCentre, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["link", "status", "--centre", postgres.dsn("postgres")]) == DONE
    shown = capsys.readouterr().out
    assert "tournament jackpot poker: 10000.00 EUR" in shown
    assert "cash desks: cash-1" in shown


def test_who_is_no_cash_desk_books_nothing(
    night: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    assert night("fee", *NIGHT, "7", who="olga") == UNUSABLE
    assert "this role may not use the function fee" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("fee", "23.11.2026", "night", "7"), ("fee", *NIGHT, "a/7")])
def test_what_is_written_wrong_is_named(
    type_command: TypeCommand, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as ended:
        type_command(*words)
    assert ended.value.code == UNUSABLE
    assert words[1 if "." in words[1] else 3] in capsys.readouterr().err


def test_a_desk_does_not_wait_for_ever_and_sends_no_cancel(
    night: TypeCommand, postgres: PostgresCentre, capfd: pytest.CaptureFixture[str]
) -> None:
    postgres.superuser.execute("BEGIN")
    postgres.superuser.execute("SELECT pg_advisory_xact_lock(link.lock_key('poker'))")
    with (
        pytest.raises(Unavailable, match="type the same command again, it is booked once"),
        connect_to(postgres.dsn("cash-1")) as connection,
        limit_wait(0.2),
    ):
        connection.execute(
            'SELECT link.fee(\'{"call": "fee", "day": "2025-11-24", "tournament": "night", '
            '"ticket": "9"}\')'
        )
    assert capfd.readouterr().err == ""
    postgres.superuser.execute("COMMIT")
    assert night("fee", *NIGHT, "9") == DONE
    assert postgres.one("SELECT count(*) FROM link.tournament_fee") == 1


def test_the_commands_on_the_page_go_as_they_are_told(
    postgres: PostgresCentre, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (Path(__file__).parents[3] / "docs" / "how-to" / "tournament.md").read_text("utf-8")
    typed = [shlex.split(line) for line in re.findall(r"^ {4,}banco (.+)$", text, re.MULTILINE)]
    setting_up = [words for words in typed if words[1] in ("begin", "join")]
    the_day = [words for words in typed if words[0] == "tournament" and words[1] != "begin"]
    assert (len(setting_up), len(the_day)) == (2, 7)
    for name in ("olga", "piero"):
        postgres.make_role(name, "link_operator")
    for words in (*setting_up, *the_day):
        monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\n"))
        who = "postgres" if words in setting_up or "--as" in words else "cash-1"
        late = ["--level", "1"] if words[1] == "win" else []  # all levels are over by then
        assert main([*words, *late, "--centre", postgres.dsn(who)]) == DONE, words
    shown = capsys.readouterr().out
    assert "ticket 1042 takes part in night, 5.00 EUR" in shown
    assert "Pay 10005.00 EUR to ticket 1042." in shown


def test_the_help_gives_an_example_of_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("begin", "day", "level", "fee", "win", "status"):
        with pytest.raises(SystemExit):
            main(["tournament", command, "--help"])
        assert f"example: banco tournament {command}" in capsys.readouterr().out
