"""The manual page and the completion have every command, with every option of its help."""

import subprocess

import pytest

from systemd.debian.command_help import list_commands, write_completion, write_manual_page
from tests.deadlines import DEADLINE_S
from tests.house.sources import ROOT

COMMANDS = list_commands()
COMPLETION = write_completion(COMMANDS)


def complete(*words: str) -> list[str]:
    """What bash offers for the last word, which may be empty."""
    quoted = " ".join(f"'{word}'" for word in words)
    script = f"{COMPLETION}\nCOMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}\n"
    script += '_shtab_banco\necho "${COMPREPLY[*]}"\n'
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("banco", "led"), ["ledger"]),
        (("banco", "ledger", "ver"), ["verify"]),
        (("banco", "run", "--s"), ["--sim"]),
        (("banco", "report", "--format", ""), ["text", "json", "pdf"]),
        (("banco", "enrol", "anna", "--rem"), ["--remove"]),
        (("banco", "check", "pyp"), ["pyproject.toml"]),
    ],
)
def test_bash_offers_what_comes_next(words: tuple[str, ...], offered: list[str]) -> None:
    assert complete(*words) == offered


def test_bash_offers_every_command() -> None:
    assert [f"banco {name}" for name in complete("banco", "")] == [
        command.name for command in COMMANDS[0].below
    ]


def test_the_manual_page_has_every_command_and_option() -> None:
    statuses = (ROOT / "docs/reference/exit-status.md").read_text("utf-8")
    page = write_manual_page(COMMANDS, statuses, "0.1.0", 0).replace("\\-", "-")
    assert '.TH BANCO 1 "1970-01-01" "banco 0.1.0"' in page
    for command in COMMANDS[1:]:
        (section,) = page.split(f".SS {command.name}\n")[1:]
        section = section.partition("\n.S")[0]
        for argument in () if command.below else command.arguments:
            assert all(rf"\fB{flag}\fR" in section for flag in argument.option_strings)
    for status in ("74", "75", "130"):
        assert rf"\fB{status}\fR" in page
    assert "](" not in page


def test_no_line_of_the_manual_page_begins_a_request_by_chance() -> None:
    page = write_manual_page(COMMANDS, "", "0.1.0", 0)
    requests = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert requests <= {".TH", ".SH", ".SS", ".PP", ".TP"}
