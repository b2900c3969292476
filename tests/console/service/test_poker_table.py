"""A poker table's own process, from its configuration: killed in a hand, its record read again."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.console.configuration.test_poker_section import TABLE, write_table
from tests.console.real_table import type_command
from tests.console.running_table import Seen, running


def facts(seen: Seen, *names: str) -> dict[str, Any]:
    return {name: seen[name] for name in names}


def cash_table(folder: Path) -> Path:
    file = folder / "table.toml"
    file.write_text(TABLE.format(game="texas-holdem"), "utf-8")
    return with_ledger_in(folder, file)


def with_ledger_in(folder: Path, file: Path) -> Path:
    text = file.read_text("utf-8").replace("/var/tmp/poker-1", str(folder / "kept"))
    file.write_text(text, "utf-8")
    return file


def read_ledger(*words: str) -> str:
    ended = type_command("ledger", *words)
    assert ended.status == 0, ended.complaints
    return ended.out


def test_a_kill_while_a_pot_is_counted_takes_its_rake_once(tmp_path: Path) -> None:
    """POKER 18.22, 20.15"""
    file, ledger = cash_table(tmp_path), str(tmp_path / "kept/ledger")

    async def play() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press GAME_OVER", "press HAND", "press FLOP", "press JPOT")
            before = await table.do("press CHIP_2", "press JPOT", "press CHIP_2", "press CHIP_2")
            await table.kill()
        async with running(tmp_path, "--sim", "--config", file) as table:
            counted = ("phase", "display", "hand", "pot", "rake", "taken", "lamps")
            assert facts(table.first, *counted) == facts(before, *counted)
            assert table.first["rake"] == "5+10"
            seen = await table.do("press GAME_OVER", "declare rake 5", "press COIN_IN")
            assert facts(seen, "rake", "taken", "phase") == {
                "rake": "5",
                "taken": "5.00",
                "phase": "PAUSED",
            }
            await table.do("declare drop 5.00")

    asyncio.run(play())
    verified = read_ledger("verify", ledger)
    assert "pots                -5.00" in verified
    assert "every act leads to the state on record" in verified
    assert "rake                       5.00                   5.00" in read_ledger(
        "rebuild", ledger
    )
    assert "all agree with the record" in read_ledger("replay", "1", ledger, "--language", "en")
    lines = read_ledger("replay", "1", ledger, "--json").splitlines()
    replayed = [json.loads(line) for line in lines]
    counted = next(one for one in replayed if one["rake"] == "5+10")
    lit = ["HAND", "FLOP", "TURN", "RIVER", "TIME"]
    assert (counted["lamps"], counted["pot"]) == (lit, "200.00")
    assert "expected 5.00, difference 0.00" in read_ledger("show", ledger)
    key, exported = str(tmp_path / "key"), str(tmp_path / "night.jsonl")
    read_ledger("key", key)
    read_ledger("export", ledger, "--key", key, "--out", exported)
    assert "rake" in read_ledger("check-export", exported, "--key", f"{key}.pub")


def test_a_kill_in_a_tournament_stops_the_clock_and_ends_the_call(tmp_path: Path) -> None:
    """POKER 20.15"""
    poker = 'form = "tournament"\nhouse = "tda-2011"\nstructure = "evening.toml"'
    file = with_ledger_in(tmp_path, write_table(tmp_path, poker))

    async def play() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press GAME_OVER", "declare clock start", "press HAND", "press TURN")
            seen = await table.do("press FLOP", "press TIME")
            assert seen["time"] == "70"
            await table.kill()
        async with running(tmp_path, "--sim", "--config", file) as table:
            assert facts(table.first, "hand", "street", "time", "level", "display") == {
                "hand": 1,
                "street": "flop",
                "time": "none",
                "level": 1,
                "display": ["LIVELLO 1      FERMO", "MANO 100/200"],
            }
            seen = await table.do("press GAME_OVER", "press HAND")
            assert (seen["hand"], seen["clock"]) == (2, "10:00")

    asyncio.run(play())
    assert "every act leads to the state on record" in read_ledger(
        "verify", str(tmp_path / "kept/ledger")
    )
