"""Each command says what it does, how it is typed, and is told of in a document."""

import ast
import re
import shlex
import sys

import pytest

from console.command_line.command import UNUSABLE, BancoCommand, Family
from console.command_line.main import FILES, SERVE, find_command, main, make_parser
from tests.house.documents import DOCUMENTS
from tests.house.sources import place, python_files, tree

FAMILIES = [find_command(name) for name in FILES]
COMMANDS = [
    (f"{one.name} {below.name}", below)
    for one in FAMILIES
    if isinstance(one, Family)
    for below in one.commands
] + [(one.name, one) for one in FAMILIES if isinstance(one, BancoCommand)]
WORDS = [words for words, _ in COMMANDS]

MAY_HAVE_A_NAMESPACE = ("console/command_line/", "console/office/rake.py")
"""The second reads what `banco rake` and the technician's line are asked alike."""


@pytest.mark.parametrize("command", [one for _, one in COMMANDS], ids=WORDS)
def test_it_says_what_it_does(command: BancoCommand) -> None:
    assert re.fullmatch(r"[a-z].{8,}[^.]", command.text)


@pytest.mark.parametrize(("words", "command"), COMMANDS, ids=WORDS)
def test_its_example_is_understood(words: str, command: BancoCommand) -> None:
    program, *given = shlex.split(command.example.removeprefix("sudo -u banco "))
    assert (program, given[: len(words.split())]) == ("banco", words.split())
    assert make_parser().parse_args(given).answer


@pytest.mark.parametrize("name", FILES)
def test_a_document_tells_of_it(name: str) -> None:
    typed = re.compile(rf"\bbanco {re.escape(name)}\b")
    assert any(typed.search(document.read_text("utf-8")) for document in DOCUMENTS)


def test_those_that_serve_are_commands() -> None:
    assert set(FILES) >= SERVE


def test_arguments_are_read_in_their_familys_file() -> None:
    readers = {
        place(path).partition(":")[0]
        for path in python_files("console")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Name | ast.alias)
        and (node.id if isinstance(node, ast.Name) else node.name) == "Namespace"
    }
    assert [one for one in sorted(readers) if not one.startswith(MAY_HAVE_A_NAMESPACE)] == []


@pytest.mark.parametrize(
    ("words", "module"),
    [
        (("ledger", "repair", "."), "console.office.ledger.repair"),
        (("link", "status"), "console.office.link.centre"),
        (("room", "--config", "room.toml"), "console.web.serving.room"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else "",
)
def test_a_missing_library_is_named(
    words: tuple[str, ...],
    module: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = find_command(words[0]).needs[0]

    class Missing:
        """Finds what the command imports, and that its library is missing."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == module:
                raise ModuleNotFoundError(name=library)

    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr("sys.meta_path", [Missing(), *sys.meta_path])
    assert main(words) == UNUSABLE
    message = capsys.readouterr().err
    command = " ".join(words[:2]) if words[0] != "room" else "room"
    assert message.startswith(
        f"banco {command} needs the library {library}, which is not installed"
    )
