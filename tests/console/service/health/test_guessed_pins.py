"""More than five wrong PINs in a row under a name are noticed, whoever asks for them."""

from contextlib import closing
from pathlib import Path

from console.rules.acts import ENTRY_FORGOTTEN_S, Act, Entered, EntryRefused
from console.rules.codes import Duty
from console.service.health.figures import MOST, GuessedPins, Health
from console.service.health.loop_stall import LoopStall
from console.service.health.surroundings import Surroundings
from console.texts.catalogue.findings import find
from tests.console.table import Table, table_in


def report(table: Table, *acts: Act) -> None:
    for act in acts:
        table.simulated_table.service.report(act)
    table.play("wait 50ms")


def codes(health: Health) -> list[str]:
    numbers = {"pins_guessed": health.numbers()["pins_guessed"]}
    return [finding.code for finding in find((), (), {}, numbers)]


def test_the_sixth_wrong_pin_is_noticed(tmp_path: Path) -> None:
    with table_in(tmp_path) as table, closing(LoopStall()) as stall:
        health = Health(table.machine.loop, Surroundings(lambda: 900.0), stall)
        health.follow(table.simulated_table.service)
        report(table, *(EntryRefused("anna", wrong, 0) for wrong in range(1, 6)))
        assert codes(health) == []
        report(table, EntryRefused("anna", 6, 16), EntryRefused("rossi", 7, 32))
        assert codes(health) == ["PIN_GUESSED"]
        assert health.numbers()["pins_guessed"] == 2
        report(table, Entered("anna", (Duty.TECHNICIAN,)))
        assert health.numbers()["pins_guessed"] == 1
        health.follow(None)


def test_a_guess_is_forgotten_after_its_time(tmp_path: Path) -> None:
    now = [0.0]
    guessed = GuessedPins(lambda: now[0])
    with table_in(tmp_path) as table:
        table.simulated_table.service.watchers.append(guessed.on_act)
        report(table, EntryRefused("anna", 6, 16))
        now[0] = ENTRY_FORGOTTEN_S - 1
        assert guessed.count == 1
        now[0] = ENTRY_FORGOTTEN_S + 1
        assert guessed.count == 0


def test_invented_names_take_no_memory(tmp_path: Path) -> None:
    guessed = GuessedPins(lambda: 1.0)
    with table_in(tmp_path) as table:
        table.simulated_table.service.watchers.append(guessed.on_act)
        report(table, *(EntryRefused(f"name-{number}", 6, 2) for number in range(2 * MOST)))
    assert guessed.count == MOST
