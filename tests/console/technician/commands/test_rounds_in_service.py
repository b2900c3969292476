"""`round` tells what a technician did: outputs by name, a test's result, a lock since when."""

from pathlib import Path

from console.office.ledger.rounds import service_words
from console.rules.acts import KINDS, OutputsDriven
from console.rules.structs import replace
from console.texts.language import Language
from console.texts.table_texts import TableNames
from jackpot.ledger.journal import Record
from tests.console.technician.commands.command_line import ENDLESS, line_in
from tests.console.technician.commands.technician_bench import TechnicianBench, open_bench

EN, IT = Language.EN, Language.IT


def technicians_acts(bench: TechnicianBench, language: Language) -> list[str]:
    """What `round` makes of each record that is a technician's own."""
    texts = (
        service_words(record, language, TableNames("caribbean-stud")) for record in records(bench)
    )
    return [text for text in texts if text]


def records(bench: TechnicianBench) -> list[Record]:
    return list(bench.rig.table.records)


def run_commands(bench: TechnicianBench, *commands: str) -> None:
    for command in commands:
        bench.type_command(command)
        bench.type("\r")
        bench.wait(4)


def test_outputs_driven_are_told_by_name(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        run_commands(
            bench, "lamp 3 alert", "lamp seat 2", "lamp FLUSH", "display CIAO|1 2", "gate 3"
        )
        run_commands(bench, "lamp 4 dark")
        assert [text for text in technicians_acts(bench, EN) if "lets" not in text] == [
            "rossi drives slot lamp 3 (blinks fast)",
            "rossi drives seat LED 2",
            "rossi drives lamp FLUSH",
            "rossi drives display [CIAO] [1 2]",
            "rossi drives gate 3",
            "rossi drives all dark",
        ]
        assert technicians_acts(bench, EN).count("rossi lets the outputs go") == 6
        italian = technicians_acts(bench, IT)
        assert "rossi comanda lampada slot 3 (lampeggia veloce)" in italian
        assert "rossi comanda sportello 3" in italian
        assert "rossi rilascia le uscite" in italian
        bench.type_command("round")
        assert "rossi drives slot lamp 3 (blinks fast)" in bench.printed


def test_a_self_test_is_told_with_its_result(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.kill_lamp(2)
        bench.type_command("selftest slot lamp 2")
        bench.wait(1)
        bench.type("n")
        bench.wait(1)
        bench.type("\r")
        bench.wait(1)
        bench.type_command("selftest program")
        bench.wait(1)
        tests = [text for text in technicians_acts(bench, EN) if "self-test" in text]
        assert tests == [
            "rossi: self-test, 1 part: 1 FAIL, 0 not tested (slot lamp 2)",
            "rossi: self-test, 1 part: 0 FAIL, 0 not tested",
        ]
        assert "1 parte: GUASTO 1, non provate 0 (lampada slot 2)" in "\n".join(
            technicians_acts(bench, IT)
        )


def test_a_lock_is_told_by_whoever_opens_the_ledger_again(tmp_path: Path) -> None:
    """While the table was locked nothing could be written; the file beside the ledger kept it."""
    with line_in(tmp_path, size=ENDLESS) as line:
        line.table.play("disk full", "press GAME_OVER", "wait 2s", "disk ok", "key S", "wait 1s")
        line.table.play("power off", "power on", "clear LEDGER_FAULT", "wait 1s")
        shown = " ".join(line.type_command("round").split())
        assert "ledger opened again: locked since " in shown
        assert "the ledger cannot be written: database or disk is full" in shown


def test_the_machine_speaks_of_the_next_deck(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play("deck load red", "wait 1s")
        assert "shuffler: next deck: shuffling; shuffles red" in line.type_command("round")
        shown = line.type_command("lingua it", "mano")
        assert "mescolatore: prossimo mazzo: si mescola; mescola rosso" in shown


def test_a_record_of_another_version_has_its_plain_words(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        run_commands(bench, "lamp 3")
        kind = KINDS[OutputsDriven]
        record = next(one for one in records(bench) if one.kind == kind)
        later = replace(record, body={"act": {"who": "rossi", "drive": "everything"}})
        assert service_words(later, EN) == ""
