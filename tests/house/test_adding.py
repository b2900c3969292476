"""What docs/dev/adding.md promises: a thing is added to a copy of the tree, and played there."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from tests.console.running_table import configuration
from tests.deadlines import DEADLINE_S
from tests.house.documents import page
from tests.house.sources import PACKAGES, ROOT

MOST_FILES = 5
"""That a declaration or a fault touches in the product."""

MOST_FILES_OF_A_SETTING = 4

MOST_FILES_OF_A_COMMAND = 3

COMMAND_TESTS = "tests/console/command_line/test_commands.py"

DECLARATION = {
    "console/rules/acts.py": (
        (
            "class RoundVoid(",
            '''class SeatClosed(Struct, frozen=True):
    """Nobody plays at this seat tonight."""

    kind: ClassVar[str] = "seat-closed"
    seat: int
    who: str


''',
        ),
        ("LastHands | TrayCounted | DeckDeclaration", "SeatClosed | "),
    ),
    "console/rules/round/declarations.py": (
        ("    ShoeReplaced,\n    TrayCounted,", "    SeatClosed,\n"),
        (
            "def on_round_void(",
            '''def on_seat_closed(draft: Draft, act: SeatClosed) -> None:
    """It is only on record."""
    draft.decide("seat-closed", seat=act.seat)


''',
        ),
        ("    RoundVoid: on_round_void,", "    SeatClosed: on_seat_closed,\n"),
    ),
    "console/texts/declarations/card_tables.py": (
        ("    ShoeReplaced,\n    TrayCounted,", "    SeatClosed,\n"),
        (
            '    DeclarationRow(\n        "round-void",',
            """    DeclarationRow(
        "seat-closed",
        SeatClosed,
        Words("a quel posto non si gioca più", "nobody plays at that seat any more"),
        Words("posto {seat} chiuso", "seat {seat} closed"),
        with_rail,
        (DrawerButton("seat-closed #", Words("Chiude il posto", "Close the seat")),),
        (SEAT,),
    ),
""",
        ),
    ),
    "console/texts/record_vocabulary.py": (
        ('    "turn-served":', '    "seat-closed": Words("chiuso", "closed"),\n'),
    ),
}
"""By file: what is written before which text."""

FAULT = {
    "console/rules/codes.py": (
        ("    LEDGER_FAULT = ", '    FAN_STOPPED = "FAN_STOPPED"\n'),
        ('}\n"""The fault that a board\'s notice raises', "(Device.RAIL, 3): Fault.FAN_STOPPED"),
    ),
    "console/texts/catalogue/brief.py": (
        (
            "    Fault.LEDGER_FAULT:",
            """\
    Fault.FAN_STOPPED: CodeBrief(
        Words("VENTOLA FERMA", "FAN STOPPED"),
        Words("la ventola degli slot non gira", "the rail's fan does not turn"),
    ),
""",
        ),
    ),
    "console/texts/catalogue/faults.toml": (
        (
            "[LEDGER_FAULT]",
            """[FAN_STOPPED.en]
raised = "when the board says so."
check = ["The fan's plug."]
meanwhile = "nothing is refused."
clears = "by itself when it turns."

[FAN_STOPPED.it]
raised = "quando lo dice la scheda."
check = ["La spina della ventola."]
meanwhile = "non si rifiuta nulla."
clears = "da solo, quando gira."

""",
        ),
    ),
}

FAULT_READERS = """
import sys
from collections.abc import Mapping
from pathlib import Path
from tests.console.table import table_in
from console.texts.catalogue.entries import catalogue
from console.rules.codes import Fault

with table_in(Path(sys.argv[1])) as table:
    table.play("press GAME_OVER")
    table.machine.cabinet.rail.set_notices(3, 4)
    table.play("wait 1s")
    assert table.state.faults == (Fault.FAN_STOPPED,), table.state.faults
    table.machine.cabinet.rail.set_notices()
    table.play("wait 1s")
    assert table.state.faults == ()
assert catalogue().fault(Fault.FAN_STOPPED).english.means == "the rail's fan does not turn"
"""

SETTING = {
    "console/configuration/sections.py": (
        (
            "    port: str | None = None\n    watch_dsr: bool = True\n",
            "    brightness: Annotated[int, Within(1, 4)] = 4\n",
        ),
    ),
    "console/service/composition.py": (
        ("    )\n    plan = configuration.plan()", "        configuration.display.brightness,\n"),
        ("),\n        rail=create_rail(", ", options.brightness"),
    ),
    "devices/drivers.py": (
        ("def create_rail(", "    brightness: int = 4\n\n\n"),
        (") -> Display:", ", brightness: int = 4"),
        ("))\n\n\ndef _display_commands(", ", brightness"),
        (') -> "DisplayCommands":', ", brightness: int"),
        ("            return ESCPOS\n", "            return with_brightness(ESCPOS, brightness)\n"),
        ("ESCPOS\n\n            return", "with_brightness, "),
    ),
    "devices/escpos_display.py": (
        ("from devices.line_display", "from msgspec.structs import replace\n\n"),
        (
            "ESCPOS = DisplayCommands(",
            """def with_brightness(commands: DisplayCommands, brightness: int) -> DisplayCommands:
    command = bytes((0x1F, 0x58, brightness))
    return replace(commands, settings=commands.settings + command)


""",
        ),
    ),
}

SETTING_READERS = """
import sys
from collections.abc import Mapping
from pathlib import Path
from console.configuration.file import FileUnusable, load_configuration
from console.service.composition import compose
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.memory_line import memory_wire

file, sent = Path(sys.argv[1]), []
loop = VirtualLoop()
display = file.read_text().replace("[display]", "[display]\\nbrightness = NUMBER")
file.write_text(display.replace("NUMBER", "5"))
try:
    load_configuration(file)
except FileUnusable as error:
    print(error)
file.write_text(display.replace("NUMBER", "2"))

def line_for(port, baud):
    line, end = memory_wire(loop)
    end.on_received = sent.append
    return line

drivers = compose(loop, load_configuration(file), lambda: None, line_for)
drivers.display.start(lambda event: None)
loop.run_for(1)
assert b"\\x1fX\\x02" in b"".join(sent), sent
"""

DEVICE_ROWS = {
    "console/configuration/sections.py": (('    ESCPOS = "escpos"\n', '    CD5220 = "cd5220"\n'),),
    "devices/drivers.py": (
        (
            '        case "escpos":\n',
            """        case "cd5220":
            from devices.cd5220_display import CD5220

            return CD5220
""",
        ),
    ),
}

DEVICE_FILES = {
    "devices/cd5220_display.py": '''"""The commands of a CD5220 display."""

from devices.line_display import DisplayCommands


def describe_written(raw: bytes) -> str:
    """Each command in words."""
    return ", ".join(line.decode("ascii", "replace").rstrip() for line in raw.split(b"\\r"))


CD5220 = DisplayCommands(
    name="CD5220 display",
    initialise=b"\\x1b@",
    settings=b"\\x1b_\\x00",
    lines=(lambda text: b"\\x1bQA" + text + b"\\r", lambda text: b"\\x1bQB" + text + b"\\r"),
    describe=describe_written,
)
''',
}

DEVICE_READERS = """
import sys
from pathlib import Path
from console.configuration.file import load_configuration
from devices.drivers import create_display
from devices.roles import DisplayText
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.memory_line import memory_wire

file, sent = Path(sys.argv[1]), []
text = file.read_text().replace('kind = "simulation"', 'kind = "bench"')
simulated = '[display]\\ndriver = "simulated"'
assert simulated in text
port = '[display]\\ndriver = "cd5220"\\nport = "/dev/table/display"'
file.write_text(text.replace(simulated, port))
loop = VirtualLoop()

def line_for(port, baud):
    line, end = memory_wire(loop)
    end.on_received = sent.append
    return line

display = create_display(loop, load_configuration(file).display.commands, line_for)
display.start(lambda event: None)
display.show(DisplayText(("JACKPOT", "10.002,80 EUR")))
loop.run_for(1)
assert b"".join(sent).startswith(b"\\x1b@"), sent
assert b"\\x1bQAJACKPOT             \\r" in b"".join(sent), sent
(figures,) = display.figures(1)
assert figures.driver == "CD5220 display"
"""

SCENARIO = """\
set game caribbean-stud
press GAME_OVER
declare seat-closed 3
expect refused none
"""

READERS = """
import sys
from collections.abc import Mapping
from pathlib import Path
from console.office.ledger.rounds import text_of
from console.simulation.scenario.acts import Vocabulary
from console.simulation.terminal.guide import complete_line, help_of
from console.texts.language import Language
from console.texts.record_texts import act_words
from tests.console.table import table_in

with table_in(Path(sys.argv[1])) as table:
    table.play("press GAME_OVER", "declare seat-closed 3")
    (record,) = [one for one in table.records if one.kind == "seat-closed"]
assert act_words(record, Language.IT) == "capotavolo: posto 3 chiuso"
assert act_words(record, Language.EN) == "capotavolo: seat 3 closed"
assert text_of(record) == "declare seat-closed 3"
stud = Vocabulary.of("caribbean-stud")
assert "seat-closed SEAT" in help_of(stud)
assert complete_line("declare seat-", stud) == ("closed ", ["seat-closed"])
"""


REFUSAL = {
    "console/rules/codes.py": (("    WRONG_KEY = ", '    TOKENS_TAKEN = "TOKENS_TAKEN"\n'),),
    "console/rules/round/declarations.py": (
        (
            '    draft.choice = None\n    begin_next_hand(draft)\n    draft.decide("round-void")',
            "    if draft.seats.accepted:\n        return draft.refuse(Refusal.TOKENS_TAKEN)\n",
        ),
    ),
    "console/texts/catalogue/brief.py": (
        (
            "    Refusal.WRONG_KEY:",
            """\
    Refusal.TOKENS_TAKEN: CodeBrief(
        Words("GETTONI PRESI", "TOKENS TAKEN"),
        Words("i gettoni sono già presi", "tokens were taken"),
    ),
""",
        ),
    ),
    "console/texts/catalogue/refusals.toml": (
        (
            "[WRONG_KEY]",
            """[TOKENS_TAKEN.en]
raised = "a void round whose tokens were taken"
do = "Nothing."

[TOKENS_TAKEN.it]
raised = "mano nulla con i gettoni già presi"
do = "Niente."

""",
        ),
    ),
}

REFUSAL_SCENARIO = """\
set game caribbean-stud
press GAME_OVER
token 3
press COIN_IN
wait 3s
declare round-void
expect refused TOKENS_TAKEN
"""

GAME = {
    "console/rules/games.py": (
        (
            '        Game("tre-card-stud"',
            '        Game("oasis-poker", RailKind.SLOT, ShufflerKind.DEALER, packets=(5,) * 8),\n',
        ),
    ),
    "console/texts/table_texts.py": (
        ('        ("tre-card-stud", ', '        ("oasis-poker", "Oasis Poker"),\n'),
    ),
}

GAME_FILE = "jackpot/prizes/oasis_poker.toml"

GAME_PRIZES = """\
[[prize]]
combination = "ROYAL_FLUSH"
share = "100"
key = "JPH"

[[prize]]
combination = "STRAIGHT_FLUSH"
share = "10"
key = "JPH"

[[prize]]
combination = "FOUR_OF_A_KIND"
share = "5"
key = "JPL"

[[prize]]
combination = "FULL_HOUSE"
share = "3"
key = "JPL"

[[prize]]
combination = "FLUSH"
share = "2"
key = "JPL"
"""

GAME_SCENARIO = """\
set game oasis-poker
press GAME_OVER
token 3
press COIN_IN
wait 3s
press FLUSH
key JPL
press JPOT
key R
expect paid 200.02
"""

TECHNICIANS_FILES = {
    "console/technician/commands/fans.py": '''"""`fans`: the table's fans."""

from collections.abc import Sequence

from console.technician.command import Command, TechnicianSession
from console.texts.technician import command_texts


async def _fans(session: TechnicianSession, _words: Sequence[str]) -> None:
    await session.talk.say("none")


COMMANDS = (
    Command(names=("fans", "ventole"), texts=command_texts.FANS, example="fans", run=_fans),
)
''',
}

TECHNICIANS_ROWS = {
    "console/texts/technician/command_texts.py": (
        (
            "LINES = CommandTexts(",
            """FANS = CommandTexts(
    summary=Words("le ventole", "the fans"),
    help=Words("Le ventole del tavolo.", "The table's fans."),
)
""",
        ),
    ),
    "console/technician/registry.py": (
        ("    log,\n", "    fans,\n"),
        ("*log.COMMANDS", "*fans.COMMANDS, "),
    ),
}

TECHNICIANS_READERS = """
from console.technician.command import find_command
from console.technician.registry import COMMANDS
from console.texts.language import Language

assert find_command("ventole", COMMANDS, Language.IT).example == "fans"
"""

COMMAND_ROW = ("console/command_line/main.py", '    "diag": "line",', '    "tables": "tables",\n')

COMMAND_FILES = {
    "console/office/tables.py": '''"""`banco tables`: the tables of a folder."""

from pathlib import Path


def list_tables(folder: Path, *, whole: bool) -> int:
    """Print their files; the exit status."""
    for file in sorted(folder.glob("*.toml")):
        print(file if whole else file.stem)
    return 0
''',
    "console/command_line/tables.py": '''"""`banco tables`."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from console.command_line.command import BancoCommand


def _add_tables(tables: ArgumentParser) -> None:
    tables.add_argument("folder", metavar="FOLDER", type=Path, help="where they lie")
    tables.add_argument("--whole", action="store_true", help="the whole path")


def _tables(options: Namespace) -> int:
    from console.office.tables import list_tables

    return list_tables(options.folder, whole=options.whole)


COMMANDS = (
    BancoCommand(
        "tables", "list the tables of a folder", "banco tables /etc/banco", _tables, _add_tables
    ),
)
''',
}


def copy_tree(folder: Path) -> Path:
    for name in (*PACKAGES, "tests"):
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "rig", "bench")
        )
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("pictures"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def insert(tree: Path, changes: Mapping[str, tuple[tuple[str, str], ...]]) -> None:
    for name, inserted in changes.items():
        path = tree / name
        text = path.read_text("utf-8")
        for anchor, new in inserted:
            assert text.count(anchor) == 1, f"{name}: {anchor}"
            text = text.replace(anchor, new + anchor)
        path.write_text(text, "utf-8")


def run_in(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )


def test_a_declaration_is_four_files_and_everybody_knows_it(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, DECLARATION)
    assert len(DECLARATION) <= MOST_FILES
    play(tree, SCENARIO, tmp_path)
    read = run_in(tree, "-c", READERS, str(tmp_path / "table"))
    assert (read.returncode, read.stderr) == (0, ""), read.stderr


def test_a_fault_that_a_board_reports_is_three_files(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, FAULT)
    assert len(FAULT) <= MOST_FILES
    played = run_in(tree, "-c", FAULT_READERS, str(tmp_path / "table"))
    assert (played.returncode, played.stderr) == (0, ""), played.stderr


def test_a_fault_without_words_fails(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, {name: each for name, each in FAULT.items() if "texts" not in name})
    read = run_in(tree, "-c", "import console.texts.display")
    assert "FAN_STOPPED" in read.stderr


def test_a_setting_of_a_device_is_four_files(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, SETTING)
    assert len(SETTING) <= MOST_FILES_OF_A_SETTING
    file = configuration(tmp_path / "sim.toml")
    read = run_in(tree, "-c", SETTING_READERS, str(file))
    assert (read.returncode, read.stderr) == (0, ""), read.stderr
    assert read.stdout == f"{file}: display.brightness: 5; it must be 1 to 4\n"


def test_a_device_of_a_role_that_there_is_is_three_files(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, DEVICE_ROWS)
    for name, text in DEVICE_FILES.items():
        (tree / name).write_text(text, "utf-8")
    assert len({*DEVICE_ROWS, *DEVICE_FILES}) <= MOST_FILES
    file = configuration(tmp_path / "sim.toml")
    read = run_in(tree, "-c", DEVICE_READERS, str(file))
    assert (read.returncode, read.stderr) == (0, ""), read.stderr


def play(tree: Path, text: str, folder: Path) -> None:
    scenario = folder / "one.scenario"
    scenario.write_text(text, "utf-8")
    played = run_in(tree, "-m", "console", "play", str(scenario))
    assert (played.returncode, played.stderr) == (0, ""), played


def test_a_refusal_is_four_files(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, REFUSAL)
    assert len(REFUSAL) <= MOST_FILES
    play(tree, REFUSAL_SCENARIO, tmp_path)


def test_a_game_of_the_same_kind_is_three_files(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, GAME)
    (tree / GAME_FILE).write_text(GAME_PRIZES, "utf-8")
    play(tree, GAME_SCENARIO, tmp_path)


def test_a_technicians_command_is_three_files(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, TECHNICIANS_ROWS)
    for name, text in TECHNICIANS_FILES.items():
        (tree / name).write_text(text, "utf-8")
    read = run_in(tree, "-c", TECHNICIANS_READERS)
    assert (read.returncode, read.stderr) == (0, ""), read.stderr


def test_the_page_names_the_files() -> None:
    text = page("docs/dev/adding.md")
    added = (DECLARATION, FAULT, SETTING, DEVICE_ROWS, DEVICE_FILES, REFUSAL, GAME)
    technicians = (TECHNICIANS_ROWS, TECHNICIANS_FILES)
    files = (*chain(*added, *technicians), GAME_FILE, *COMMAND_FILES, COMMAND_ROW[0])
    assert [name for name in files if name not in text] == []


def test_a_declaration_without_a_row_fails(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, {name: each for name, each in DECLARATION.items() if "texts" not in name})
    words = "tests/console/technician/commands/test_rounds.py"
    tests = (
        f"{words}::test_every_kind_of_act_has_words",
        f"{words}::test_every_decision_has_words",
    )
    failed = run_in(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert "2 failed" in failed.stdout, failed.stdout


def add_command(tree: Path) -> None:
    for name, text in COMMAND_FILES.items():
        (tree / name).write_text(text, "utf-8")
    file, before, row = COMMAND_ROW
    insert(tree, {file: ((before, row),)})


def test_a_command_is_three_files_and_has_its_help(tmp_path: Path) -> None:
    assert len({*COMMAND_FILES, COMMAND_ROW[0]}) <= MOST_FILES_OF_A_COMMAND
    tree = copy_tree(tmp_path / "tree")
    add_command(tree)
    for name in ("two", "one"):
        (tmp_path / f"{name}.toml").touch()
    listed = run_in(tree, "-m", "console", "tables", str(tmp_path))
    assert (listed.returncode, listed.stdout, listed.stderr) == (0, "one\ntwo\n", "")
    shown = run_in(tree, "-m", "console", "tables", "--help").stdout
    assert "List the tables of a folder." in shown
    assert "example: banco tables /etc/banco" in shown
    assert "list the tables of a folder" in run_in(tree, "-m", "console", "--help").stdout
    tested = run_in(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", COMMAND_TESTS)
    assert " passed" in tested.stdout, tested.stdout
    assert "failed" not in tested.stdout, tested.stdout


def test_a_command_without_help_example_or_document_fails(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    add_command(tree)
    file = tree / "console/command_line/tables.py"
    text = file.read_text("utf-8")
    text = text.replace("list the tables of a folder", "").replace("banco tables /etc", "banco t")
    file.write_text(text, "utf-8")
    adding = tree / "docs/dev/adding.md"
    adding.write_text(adding.read_text("utf-8").replace("banco tables", "a command"), "utf-8")
    tests = (
        f"{COMMAND_TESTS}::test_it_says_what_it_does[tables]",
        f"{COMMAND_TESTS}::test_its_example_is_understood[tables]",
        f"{COMMAND_TESTS}::test_a_document_tells_of_it[tables]",
    )
    failed = run_in(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    assert "3 failed" in failed.stdout, failed.stdout
