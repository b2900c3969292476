"""`correct`: the reason asked, shown, asked once, the second PIN, done, told; both languages."""

from pathlib import Path

import pytest

from console.rules.codes import Duty
from console.texts.language import Language
from tests.console.line.access.login_bench import PIN, WRONG
from tests.console.technician.commands.command_line import EN, IT, line_in
from tests.console.technician.commands.test_declare import enrolling

CASHIER = (Duty.CASHIER,)
WHY = "contati due volte venerdì"


@pytest.mark.parametrize(
    ("language", "command", "question", "done"),
    [
        (EN, "correct", "Correct it?", "Done, it is on record."),
        (IT, "correggi", "Correggere?", "Fatto, e' nel registro."),
    ],
)
def test_two_cashiers_correct(
    language: Language, command: str, question: str, done: str, tmp_path: Path
) -> None:
    with line_in(
        tmp_path, parts=enrolling(tmp_path, anna=CASHIER, bea=CASHIER), language=language
    ) as line:
        shown = line.type_command(f"{command} house jackpot 12.50", WHY, "anna", PIN)
        assert "10000.00 -> 10012.50\n" in shown
        assert question in shown
        assert line.table.table.state.corrections == 0, "only shown so far"
        shown = line.type_command("s", "bea", WRONG)
        assert "WRONG_PIN" in shown
        assert line.table.table.state.corrections == 0
        line.type_command(f"{command} house jackpot 12.50", WHY)
        shown = line.type_command("s", "bea", PIN)
        assert f"{done}\n" in shown
        assert PIN not in shown
        assert line.table.table.state.balances.jackpot_cents == 1_001_250


def test_no_is_no_and_a_wrong_use_says_the_accounts(tmp_path: Path) -> None:
    with line_in(tmp_path, parts=enrolling(tmp_path, anna=CASHIER, bea=CASHIER)) as line:
        line.type_command("correct house jackpot 12.50", WHY, "anna", PIN)
        assert "Nothing was done." in line.type_command("n")
        for wrong in ("correct", "correct house cellar 1.00", "correct house pending 1.00"):
            assert "accounts: tray, jackpot, reserve, house" in line.type_command(wrong)
        assert line.table.table.state.corrections == 0
