"""`banco link` against a real PostgreSQL, as those who run the centre type it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.command_line.command import DONE, UNUSABLE
from console.command_line.main import main
from tests.console.link.servers import Server
from tests.free_port import free_port

TABLES = Path(__file__).parents[3] / "docs" / "tables"


@pytest.fixture
def centre(server: Server) -> Iterator[str]:
    """An empty database, as `--centre` takes it."""
    server.make_database("operated", "template0")
    yield server.dsn("postgres", "operated")
    server.drop_database("operated")


@pytest.fixture
def configuration() -> Path:
    return TABLES / "caribbean-stud.toml"


def run_link(*words: str | Path) -> int:
    return main(["link", *map(str, words)])


def test_a_jackpot_is_begun_and_a_table_joins(
    centre: str, configuration: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_link("init", "--centre", centre) == DONE
    assert run_link("init", "--centre", centre) == DONE  # once more changes nothing
    assert "no jackpot" in show(centre, capsys)
    begin = ("jackpot", "stud", "--config", configuration, "--centre", centre)
    assert run_link(*begin) == DONE
    assert run_link("join", "table-3", "stud", "--centre", centre) == DONE
    text = show(centre, capsys)
    assert "jackpot stud: 10000.00 EUR, caribbean-stud, tie split" in text
    assert "table-3: has not joined yet" in text
    assert run_link("status", "--json", "--centre", centre) == DONE
    (jackpot,) = json.loads(capsys.readouterr().out)["jackpots"]
    assert (jackpot["amount"], jackpot["base"]) == (1_000_000, 500_000)
    assert jackpot["tables"][0]["table"] == "table-3"


def show(centre: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert run_link("status", "--centre", centre) == DONE
    return capsys.readouterr().out


def test_a_jackpot_that_is_there_is_not_begun_again(
    centre: str, configuration: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = ("jackpot", "stud", "--config", configuration, "--centre", centre)
    run_link("init", "--centre", centre)
    run_link(*begin)
    capsys.readouterr()
    assert run_link(*begin) == UNUSABLE
    assert capsys.readouterr().err == "not done: there is a jackpot stud already\n"
    assert show(centre, capsys).count("jackpot stud") == 1


def test_who_joins_what_is_not_there_is_told_so(
    centre: str, configuration: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Our words, and none of the database's"""
    run_link("init", "--centre", centre)
    run_link("jackpot", "stud", "--config", configuration, "--centre", centre)
    it_has = "banco link status names those that it has"
    for words, problem in (
        (("join", "table-3", "nowhere"), f"the centre has no jackpot nowhere; {it_has}"),
        (("join", "stud", "table-3"), f"the centre has no jackpot table-3; {it_has}"),
        (("leave", "nobody"), "nobody is no member"),
    ):
        capsys.readouterr()
        assert run_link(*words, "--centre", centre) == UNUSABLE
        assert capsys.readouterr().err == f"not done: {problem}\n"


def test_operators_and_readers_have_roles_and_a_table_is_neither(
    centre: str, configuration: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    run_link("init", "--centre", centre)
    run_link("jackpot", "stud", "--config", configuration, "--centre", centre)
    run_link("join", "table-9", "stud", "--centre", centre)
    for command, name in (("operator", "otto"), ("reader", "rita")):
        assert run_link(command, name, "--centre", centre) == DONE
        assert run_link(command, name, "--centre", centre) == DONE  # once more changes nothing
        where = server.dsn(name, "operated")
        capsys.readouterr()
        assert run_link("status", "--centre", where) == DONE
        assert "jackpot stud: 10000.00 EUR" in capsys.readouterr().out
    with server.connect() as administrator:
        administrator.execute("CREATE ROLE chief SUPERUSER")
    for words, problem in (
        (("operator", "table-9"), "table-9 is in the group link_member"),
        (("join", "rita", "stud"), "rita is in the group link_reader"),
        (("reader", "chief"), "chief is an administrator's role"),
    ):
        assert run_link(*words, "--centre", centre) == UNUSABLE
        assert problem in capsys.readouterr().err


def test_what_cannot_be_reached_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    where = f"host=127.0.0.1 port={port} dbname=banco"
    assert run_link("status", "--centre", where) == UNUSABLE
    assert str(port) in capsys.readouterr().err


def test_a_game_without_a_jackpot_cannot_be_linked(
    centre: str, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = ("jackpot", "stud", "--config", TABLES / "black-jack.toml", "--centre", centre)
    assert run_link(*begin) == UNUSABLE
    assert "black-jack has no jackpot" in capsys.readouterr().err


def test_the_help_gives_an_example_of_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        *("init", "jackpot", "join", "status", "operator", "reader", "approve", "audit"),
        *("correct", "award", "finish", "cancel", "round-over", "settings", "alone"),
        *("rejoin", "recover", "leave"),
    ):
        with pytest.raises(SystemExit):
            run_link(command, "--help")
        assert f"example: banco link {command}" in capsys.readouterr().out
