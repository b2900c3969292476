"""`help`: every command has its text in both languages, and an example that can be typed."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from console.technician.command import Command
from console.technician.registry import COMMANDS, SUBJECTS
from console.texts.language import Language
from console.texts.layout import plain
from tests.console.technician.commands.command_line import (
    EN,
    FIRST_ROUND,
    IT,
    line_in,
    too_long,
)
from tests.console.technician.terminal.typist import CTRL_C

HELP_COLUMNS = 76


def english_name(command: Command) -> str:
    return command.names[0]


def test_a_name_stands_for_one_command() -> None:
    names = Counter(name for command in COMMANDS for name in set(command.names))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("command", COMMANDS, ids=english_name)
def test_every_text_is_there_in_both_languages(command: Command) -> None:
    for name in command.names:
        assert name == name.lower()
        assert name.isascii()
    for words in (command.texts.summary, command.texts.help):
        assert words.it
        assert words.en
    assert bool(command.texts.arguments.it) == bool(command.texts.arguments.en)
    assert command.example.split()[0] in command.names
    for language in Language:
        assert too_long(command.texts.help.in_(language), HELP_COLUMNS) == []


@pytest.mark.parametrize("language", Language)
def test_the_list_names_every_command_once(language: Language, tmp_path: Path) -> None:
    with line_in(tmp_path, language=language) as line:
        shown = line.type_command("help").splitlines()
    first_words = [row.split()[0] for row in shown if row.startswith("  ") and row[2] != " "]
    at = -1 if language is IT else 0
    assert first_words == [command.names[at] for command in COMMANDS]
    for subject in SUBJECTS:
        assert plain(subject.title.in_(language)) in shown
    assert too_long("\n".join(shown), 79) == []


def test_one_command_is_explained_with_its_example(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        shown = line.type_command("aiuto guasti")
        assert "guasti [CODICE]   (faults)" in shown
        assert "esempio: guasti RAIL_LOST" in shown
        assert "help for" not in shown
        assert "aiuto di un comando solo" in line.type_command("aiuto guasti stato")
        assert "comando sconosciuto: 'xyzzy'" in line.type_command("aiuto xyzzy")


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("command", COMMANDS, ids=english_name)
def test_its_example_is_understood(command: Command, language: Language, tmp_path: Path) -> None:
    """Typed as it stands: it is no mistake, and the line goes on."""
    with line_in(tmp_path, language=language) as line:
        line.table.play(*FIRST_ROUND)
        line.table.enter("anna")
        line.anna.type(f"{command.example}\r")
        line.anna.wait(3)
        shown = line.anna.read()
        for wrong in ("usage: ", "uso: ", "internal error", "errore del programma", "Perhaps"):
            assert wrong not in shown, shown
        if command.names[0] == "exit":
            assert not line.anna.is_served
            return
        line.anna.type(CTRL_C)
        line.anna.wait(3)
        line.anna.type("about\r")
        line.anna.wait(3)
        assert "Python" in line.anna.read()


def test_subjects_come_in_the_order_of_a_search() -> None:
    """What is wrong, then tests, then changes."""
    firsts = [subject.commands[0].names[0] for subject in SUBJECTS]
    order = [command.names[0] for command in COMMANDS]
    assert all(order.index(one) < order.index(other) for one, other in pairwise(firsts))
    assert order[:2] == ["status", "faults"]


def test_a_beginning_completes_to_every_command_it_fits(tmp_path: Path) -> None:
    with line_in(tmp_path, language=EN) as line:
        line.anna.type("help fau", "\t")
        assert line.anna.screen.line.rstrip().endswith("> help faults")


@pytest.mark.parametrize("language", Language)
def test_a_question_mark_asks_for_help(language: Language, tmp_path: Path) -> None:
    with line_in(tmp_path, language=language) as line:
        assert line.type_command("?").splitlines()[1:] == line.type_command("help").splitlines()[1:]
