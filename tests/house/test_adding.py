"""What docs/dev/adding.md promises: a thing is added to a copy of the tree, and played there."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.house.documents import page
from tests.house.sources import ROOMS, ROOT

MOST_FILES = 5
"""That a declaration touches in the product."""

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

SCENARIO = """\
set game caribbean-stud
press GAME_OVER
declare seat-closed 3
expect refused none
"""

READERS = """
import sys
from pathlib import Path
from console.office.ledger.act_words import text_of
from console.simulation.scenario.language.acts import Vocabulary
from console.simulation.terminal.guide import complete_line, help_of
from console.texts.language import Language
from console.texts.record_texts import act_words
from tests.console.table import table_in

with table_in(Path(sys.argv[1])) as table:
    table.play("press GAME_OVER", "declare seat-closed 3")
    (record,) = [one for one in table.records if one.kind == "seat-closed"]
assert act_words(record, Language.IT) == "capotavolo: posto 3 chiuso"
assert act_words(record, Language.EN) == "capotavolo: seat 3 closed"
assert text_of(record, "caribbean-stud") == "declare seat-closed 3"
stud = Vocabulary.of("caribbean-stud")
assert "seat-closed SEAT" in help_of(stud)
assert complete_line("declare seat-", stud) == ("closed ", ["seat-closed"])
"""


COMMAND_ROW = ("console/command_line/main.py", '    "diag": "diag",', '    "tables": "tables",\n')

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
    for name in (*ROOMS, "tests"):
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "rig", "bench")
        )
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("pictures"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def insert(tree: Path, changes: dict[str, tuple[tuple[str, str], ...]]) -> None:
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
        timeout=120,
    )


def test_a_declaration_is_four_files_and_everybody_knows_it(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "tree")
    insert(tree, DECLARATION)
    assert len(DECLARATION) <= MOST_FILES
    scenario = tmp_path / "one.scenario"
    scenario.write_text(SCENARIO, "utf-8")
    played = run_in(tree, "-m", "console", "play", str(scenario))
    assert (played.returncode, played.stderr) == (0, ""), played
    read = run_in(tree, "-c", READERS, str(tmp_path / "table"))
    assert (read.returncode, read.stderr) == (0, ""), read.stderr


def test_the_page_names_the_files() -> None:
    text = page("docs/dev/adding.md")
    files = (*DECLARATION, *COMMAND_FILES, COMMAND_ROW[0])
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
