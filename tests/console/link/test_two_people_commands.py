"""`banco link correct`, `award`, `finish` and so on, as two operators type them."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from console.command_line.command import DONE, FAILED, UNUSABLE
from console.command_line.main import main
from console.link.centre.books import find_book_differences
from console.link.centre.membership import create_jackpot
from console.link.centre.standbys import read_standbys
from console.link.centre.status import read_status
from console.office.link.centre import render_status
from console.rules.link import CentreBars
from jackpot.money.accounts import Balances
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import MONEY, TERMS, LinkedTable
from tests.console.running_table import BANCO
from tests.deadlines import DEADLINE_S

TABLES = Path(__file__).parents[3] / "docs" / "tables"
ROYAL = Combination.ROYAL_FLUSH
CORRECT = ("correct", "stud", "house", "jackpot", "5.00", "--reason", "counted twice on the 3rd")

TypeCommand = Callable[..., int]


@pytest.fixture
def centre(postgres: PostgresCentre) -> PostgresCentre:
    """A centre with two operators."""
    for name in ("olga", "piero"):
        postgres.make_role(name, "link_operator")
    return postgres


@pytest.fixture
def type_command(centre: PostgresCentre, monkeypatch: pytest.MonkeyPatch) -> TypeCommand:
    """Types a command of Olga's, and the answers to its questions."""

    def run(*words: str | Path, answers: str = "", who: str = "olga") -> int:
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        return main(["link", *map(str, words), "--as", who, "--centre", centre.dsn("postgres")])

    return run


def read_json(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What a command with --json has printed for a program."""
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_two_operators_correct_the_jackpot(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 3.9.1, 7.1"""
    seat_table(centre, "a")
    assert type_command(*CORRECT, "--and", "piero", answers="y\ny\n") == DONE
    printed = capsys.readouterr()
    for line in (
        "Correct stud: 5.00 EUR from house to jackpot.",
        "Reason: counted twice on the 3rd",
        "jackpot: 10000.00 EUR, then 10005.00 EUR",
        "Every table of stud shows it: a.",
    ):
        assert line in printed.out
    assert "olga, do you ask for this?" in printed.err
    assert "piero, do you approve it?" in printed.err
    assert centre.reading == 1_000_500


def test_two_operators_move_money_to_another_jackpot(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    seat_table(centre, "a")
    create_jackpot(centre.superuser, "tre-card", TERMS, MONEY.base, MONEY.opening, "split")
    words = ("transfer", "stud", "tre-card", "500.00", "--reason", "table 4 is closed")
    assert type_command(*words, "--propose", answers="y\n") == DONE
    number = read_status(centre.superuser).proposals[0].number
    shown = "\n".join(render_status(read_status(centre.superuser)))
    assert f"proposal {number} of olga: transfer, stud to tre-card, open till " in shown
    assert type_command("approve", number, answers="y\n", who="piero") == DONE
    printed = capsys.readouterr().out
    for line in (
        "Transfer 500.00 EUR from stud to tre-card.",
        "  stud: 10000.00 EUR, then 9500.00 EUR. Tables that show it: a.",
        "  tre-card: 10000.00 EUR, then 10500.00 EUR. Tables that show it: none.",
        "  Nothing of the base of stud, 5000.00 EUR, is moved.",
    ):
        assert line in printed
    assert centre.reading == 950_000
    words = ("transfer", "stud", "tre-card", "4500.01", "--reason", "table 4 is closed")
    assert type_command(*words, "--and", "piero", answers="y\ny\n") == FAILED
    assert "Refused: NOT_COVERED, the jackpot or the reserve" in capsys.readouterr().out
    assert list(find_book_differences(centre.superuser)) == []


def test_settings_wait_for_the_next_jackpot(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    table = seat_table(centre, "a")
    words = ("settings", "stud", "--config", TABLES / "simulation.toml", "--tie", "order")
    assert type_command(*words, "--next-jackpot", "--and", "piero", answers="y\ny\n") == DONE
    assert "Change the settings of stud, once the jackpot is won:" in capsys.readouterr().out
    shown = "\n".join(render_status(read_status(centre.superuser)))
    assert "settings of olga and piero wait; once the jackpot is won: " in shown
    begin = ["link", "next-jackpot", "stud", "--centre", centre.dsn("olga")]
    assert main(begin) == FAILED
    assert "Refused: NOT_WON, no award of the whole jackpot is final" in capsys.readouterr().out
    table.open(stakes=1)
    table.claim(ROYAL)
    table.agree()
    table.close()
    assert main(begin) == DONE
    assert "Start each table of stud with these settings." in capsys.readouterr().out
    assert centre.one("SELECT tie FROM link.jackpot WHERE id = 'stud'") == "order"
    assert list(find_book_differences(centre.superuser)) == []


def test_the_second_operator_is_asked_for(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    assert type_command(*CORRECT, answers="y\npiero\ny\n") == DONE
    assert "The second operator's role" in capsys.readouterr().err
    assert centre.reading == 1_000_500


@pytest.mark.parametrize("answers", ["n\n", "y\nn\n", "\n"])
def test_who_does_not_confirm_leaves_all_as_it_is(
    centre: PostgresCentre, type_command: TypeCommand, answers: str
) -> None:
    assert type_command(*CORRECT, "--and", "piero", answers=answers) == FAILED
    assert centre.reading == 1_000_000
    assert centre.one("SELECT count(*) FROM link.proposal") == 0


def test_one_operator_is_not_two(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 7.1"""
    assert type_command(*CORRECT, "--and", "olga", "--json", answers="y\ny\n") == FAILED
    result = read_json(capsys)
    assert (result["done"], result["refusal"]) == (False, "SAME_PERSON")
    assert "cannot approve it" in result["meaning"]
    assert centre.reading == 1_000_000


def test_from_two_places_one_proposes_the_other_sees_it_in_full_and_approves(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    assert type_command(*CORRECT, "--propose", "--json", answers="y\n") == DONE
    number = str(read_json(capsys)["proposal"])
    assert centre.reading == 1_000_000
    assert main(["link", "status", "--centre", centre.dsn("piero")]) == DONE
    assert f"proposal {number} of olga: correct, stud, open till" in capsys.readouterr().out
    assert type_command("approve", number, who="piero", answers="y\n") == DONE
    assert "jackpot: 10000.00 EUR, then 10005.00 EUR" in capsys.readouterr().out
    assert centre.reading == 1_000_500
    assert type_command("approve", number, "--json", who="piero", answers="y\n") == FAILED
    assert read_json(capsys)["refusal"] == "APPROVED_ALREADY"
    assert main(["link", "status", "--centre", centre.dsn("piero")]) == DONE
    assert "proposal" not in capsys.readouterr().out


def test_an_expired_proposal_is_seen_and_not_approved(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    type_command(*CORRECT, "--propose", "--json", answers="y\n")
    number = str(read_json(capsys)["proposal"])
    centre.superuser.execute("SET session_replication_role = replica")  # no trigger is asked
    centre.superuser.execute("UPDATE link.proposal SET expires = at - interval '1 s'")
    centre.superuser.execute("RESET session_replication_role")
    main(["link", "status", "--centre", centre.dsn("piero")])
    assert f"proposal {number} of olga: correct, stud, expired" in capsys.readouterr().out
    assert type_command("approve", number, "--json", who="piero", answers="y\n") == FAILED
    assert read_json(capsys)["refusal"] == "EXPIRED"


def test_what_is_not_there_cannot_be_proposed(
    type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, problem in (
        (("correct", "poker", *CORRECT[2:]), "no jackpot poker"),
        ((*CORRECT[:6], "so"), "reason: 10 characters or more"),
        (("round-over", "nobody"), "no table nobody"),
        (("finish", "nobody"), "no table nobody"),
        (("award", "nobody"), "no table nobody"),
        (("approve", "9999"), "no proposal 9999"),
        (("alone", "--end", "standby1"), "ANY 1 (standby1)"),
    ):
        assert type_command(*words, answers="y\npiero\ny\n") == UNUSABLE, words
        assert problem in capsys.readouterr().err


def share_award(centre: PostgresCentre) -> tuple[LinkedTable, LinkedTable]:
    """Two tables in one award, the first agreed."""
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    other.claim(ROYAL)
    one.agree()
    return one, other


@pytest.mark.parametrize(
    ("what", "words", "each"),
    [
        ("finish", "It counts as agreed", 500_140),
        ("cancel", "5001.40 EUR return, and nobody at b is paid", 1_000_280),
    ],
)
def test_a_dead_tables_part_is_finished_or_cancelled(
    centre: PostgresCentre,
    type_command: TypeCommand,
    capsys: pytest.CaptureFixture[str],
    what: str,
    words: str,
    each: int,
) -> None:
    """LINK 3.10"""
    one, _ = share_award(centre)
    assert type_command(what, "b", "--and", "piero", answers="y\ny\n") == DONE
    printed = capsys.readouterr().out
    assert "b/round-1/award-1 of b: 1 x 5001.40 EUR, ROYAL_FLUSH, award 1 of stud." in printed
    assert words in printed
    assert "In the award, too: a." in printed
    assert "b must be unplugged" in printed
    assert one.beat().changes[-1].award.each == each
    assert type_command(what, "b", answers="y\n") == UNUSABLE
    assert "pending awards of b in stud: none" in capsys.readouterr().err


def test_a_round_is_ended_and_its_late_claim_is_given_the_award(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 3.7.2, 3.11"""
    table = seat_table(centre, "a")
    table.open(stakes=2)
    assert type_command("round-over", "a", "--and", "piero", answers="y\ny\n") == DONE
    assert "End round 1 of a at the centre: 2 stakes, 0 winners." in capsys.readouterr().out
    table.claim(ROYAL)
    assert type_command("award", "a", "--and", "piero", answers="y\ny\n") == DONE
    printed = capsys.readouterr().out
    assert "Give a the award a/round-1/award-1: ROYAL_FLUSH in its round 1" in printed
    assert "1 x 10002.80 EUR, 100 % of the jackpot as it now reads" in printed
    assert "The base of 5000.00 EUR is put in." in printed
    assert table.beat().changes[-1].award.each == 1_000_280
    assert centre.reading == 500_000


def test_only_the_round_that_both_have_looked_at_is_ended(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 3.7.2: its claim would be refused"""
    table = seat_table(centre, "a")
    table.open()
    assert type_command("round-over", "a", "--propose", "--json", answers="y\n") == DONE
    number = str(read_json(capsys)["proposal"])
    table.close()
    table.open()
    assert type_command("approve", number, who="piero", answers="y\n") == FAILED
    printed = capsys.readouterr().out
    assert "End round 1 of a at the centre: it is over already." in printed
    assert "Refused: ROUND_CLOSED, that round is over already" in printed
    assert table.claim(ROYAL).refusal is None


def test_more_winners_than_stakes_are_refused(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.close()
    words = ("award", "a", "a/round-1/award-1", "--combination", "FLUSH", "--winners", "2")
    assert type_command(*words, "--and", "piero", answers="y\ny\n") == FAILED
    assert "Refused: NOBODY_ELIGIBLE, the round had fewer stakes" in capsys.readouterr().out


def test_two_operators_let_a_table_join_with_what_it_brings(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 3.14.1"""
    table = LinkedTable("a", centre.member("a"))
    table.start()
    assert type_command("allow-join", "a", "--and", "piero") == UNUSABLE
    assert "a does not ask to join with money of its own" in capsys.readouterr().err
    with pytest.raises(CentreBars):
        table.join(Balances(jackpot=70_000, house=-70_000))
    assert "  a: asks to join with money of its own" in "\n".join(
        render_status(read_status(centre.superuser))
    )
    assert type_command("allow-join", "a", "--and", "piero", answers="y\ny\n") == DONE
    lines = capsys.readouterr().out.splitlines()
    assert "  jackpot: 0.07 EUR; here 10000.00 EUR, then 10000.07 EUR" in "\n".join(lines)
    assert table.send().reading == 1_000_007
    assert list(find_book_differences(centre.superuser)) == []


def test_what_a_barred_table_sent_is_shown_before_it_is_let_in_again(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 2.4.4"""
    table = seat_table(centre, "a")
    table.open()
    table.deliver(table.take_token_back(1), table.take_token_back(1))
    words = ("correct", "stud", "house", "jackpot", "0.01", "--reason", "looked at the table")
    assert type_command(*words, "--table", "a", "--and", "piero", answers="y\ny\n") == DONE
    shown = capsys.readouterr().out
    assert "a sent as its call 4 what does not fit the terms; it moved nothing" in shown
    assert '"a/round-1/seat-1/returned"' in shown
    table.hello()
    assert table.stake().refusal is None


def test_settings_show_what_would_be_another(
    centre: PostgresCentre,
    type_command: TypeCommand,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    written = (TABLES / "caribbean-stud.toml").read_text("utf-8")
    changed = tmp_path / "table.toml"
    assert 'base = "5000.00"' in written
    changed.write_text(written.replace('base = "5000.00"', 'base = "6000.00"'), "utf-8")
    words = ("settings", "stud", "--config", changed, "--tie", "order", "--and", "piero")
    assert type_command(*words, answers="y\ny\n") == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] == ["  base: 5000.00 EUR, then 6000.00 EUR", "  tie: split, then order"]
    assert centre.one("SELECT tie || base FROM link.jackpot") == "order600000"


@pytest.fixture
def waiting(centre: PostgresCentre) -> Iterator[PostgresCentre]:
    """A centre whose commits wait for a standby that is not there."""
    centre.make_role("root", "pg_monitor")
    centre.superuser.execute("ALTER ROLE root SUPERUSER")
    setting = "synchronous_standby_names"
    centre.superuser.execute(f"ALTER SYSTEM SET {setting} = 'ANY 1 (nobody)'".encode())
    centre.superuser.execute("SELECT pg_reload_conf()")
    yield centre
    centre.superuser.execute(f"ALTER SYSTEM RESET {setting}".encode())
    centre.superuser.execute("SELECT pg_reload_conf()")


def type_alone(centre: PostgresCentre, *words: str) -> subprocess.CompletedProcess[str]:
    """Two operators say it; their sessions wait for the standby unless told otherwise."""
    where = f"{centre.dsn('postgres')} options=-csynchronous_commit=on"
    people = ("--as", "olga", "--and", "piero", "--centre", where)
    server = ("--superuser", "root") if words[0] == "alone" else ()
    return subprocess.run(
        [*BANCO, "link", *words, *people, *server],
        input="y\ny\n",
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )


def test_two_operators_let_the_server_answer_alone_and_end_it(waiting: PostgresCentre) -> None:
    """LINK 5.2.2"""
    begun = type_alone(waiting, "alone")
    assert begun.returncode == DONE, begun.stderr
    assert "synchronous_standby_names empty (now ANY 1 (nobody))" in begun.stdout
    assert read_standbys(waiting.superuser) == ""
    acts = "SELECT details ->> 'approver' FROM link.act WHERE kind = 'alone'"
    assert waiting.one(acts) == "piero"
    ended = type_alone(waiting, "alone", "--end", "ANY 1 (nobody)")
    assert ended.returncode == DONE, ended.stderr
    assert read_standbys(waiting.superuser) == "ANY 1 (nobody)"
    assert waiting.one("SELECT count(*) FROM link.act WHERE kind = 'alone'") == 2


def test_a_set_back_centre_recovers_alone_and_no_act_takes_a_lost_number(
    waiting: PostgresCentre,
) -> None:
    seat_table(waiting, "a")
    acts = "SELECT coalesce(max(number), 0) FROM link.act"
    before = waiting.one(acts)
    for words in (("recover", "stud"), ("alone",)):
        done = type_alone(waiting, *words)
        assert done.returncode == DONE, done.stderr
    assert waiting.one("SELECT bool_and(recovering) FROM link.member") is True
    assert read_standbys(waiting.superuser) == ""
    assert waiting.one(acts) == before
    assert list(find_book_differences(waiting.superuser)) == []


def test_the_status_says_alone_from_the_servers_own_setting(
    centre: PostgresCentre, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 5.2.2"""
    where = ["--centre", centre.dsn("olga")]
    assert main(["link", "status", *where]) == DONE
    assert capsys.readouterr().out.startswith("ALONE: ")
    assert main(["link", "status", "--json", *where]) == DONE
    assert read_json(capsys)["alone"] is True


def test_two_operators_recover_a_centre_that_was_set_back(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        seat_table(centre, name)
    words = ("recover", "stud", "--without", "b", "--and", "piero")
    assert type_command(*words, answers="y\ny\n") == DONE
    printed = capsys.readouterr().out
    assert "These tables send it again, and play when all have: a." in printed
    assert "Without: b." in printed
    assert centre.one("SELECT string_agg(name, '') FROM link.member WHERE recovering") == "a"
    assert type_command(*CORRECT, "--and", "piero", answers="y\ny\n") == FAILED
    assert "Refused: RECOVERING" in capsys.readouterr().out
    assert "Without: b. Epoch and round of each end" in printed
    assert type_command("recover", "stud", "--and", "piero", answers="y\ny\n") == DONE
    printed = capsys.readouterr().out
    assert "play when all have: a.\n" in printed
    assert "Without" not in printed
    assert "lost" not in printed
    words = ("recover", "stud", "--without", "nobody", "--and", "piero")
    assert type_command(*words, answers="y\ny\n") == UNUSABLE
    assert "without: a list of members of stud" in capsys.readouterr().err


def test_who_joined_since_the_backup_is_shown_to_those_who_recover(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 3.13.6: who has come already, and who is named."""
    centre.save()
    newcomer = seat_table(centre, "b")
    centre.set_back(None)
    with pytest.raises(CentreBars):
        newcomer.hello()
    words = ("recover", "stud", "--joined", "c", "--and", "piero")
    assert type_command(*words, answers="y\ny\n") == DONE
    printed = capsys.readouterr().out
    assert "These tables send it again, and play when all have: b, c." in printed
    assert "Joined since the backup, and let in: b (1 answers), c." in printed
    query = "SELECT string_agg(name, '' ORDER BY name) FROM link.member WHERE recovering"
    assert centre.one(query) == "bc"


def test_what_became_of_a_part_in_doubt_is_said_by_two(
    centre: PostgresCentre, type_command: TypeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 3.13.4"""
    for table in [seat_table(centre, name) for name in ("a", "b")]:
        table.open()
        table.claim(ROYAL)
    for words in (("recover", "stud", "--without", "a"), ("recover", "stud", "--without", "b")):
        assert type_command(*words, "--and", "piero", answers="y\ny\n") == DONE
    assert "its part of an award is then in doubt" in capsys.readouterr().out.lower()
    assert main(["link", "status", "--centre", centre.dsn("olga")]) == DONE
    assert (
        "in doubt: a, say what became of its part: banco link finish a" in capsys.readouterr().out
    )
    assert type_command("finish", "a", "--and", "piero", answers="y\ny\n") == DONE
    assert "In doubt since the centre was set back: by its own records a" in capsys.readouterr().out
    assert type_command("cancel", "b", "--and", "piero", answers="y\ny\n") == DONE
    assert main(["link", "status", "--centre", centre.dsn("olga")]) == DONE
    assert "in doubt" not in capsys.readouterr().out
    assert list(find_book_differences(centre.superuser)) == []


def test_an_operator_asks_a_table_to_leave(
    centre: PostgresCentre, capsys: pytest.CaptureFixture[str]
) -> None:
    seat_table(centre, "a")
    assert main(["link", "leave", "a", "--centre", centre.dsn("olga")]) == DONE
    assert centre.one("SELECT leaving FROM link.member WHERE name = 'a'") is True
    assert main(["link", "leave", "nobody", "--centre", centre.dsn("olga")]) == UNUSABLE
    assert "nobody is no member" in capsys.readouterr().err
