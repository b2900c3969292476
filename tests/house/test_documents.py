"""The documents: links lead somewhere, commands parse, and pages say what the code says."""

import ast
import json
import re
import shlex
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import MISSING
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
import pytest

from console.command_line.main import main, make_parser
from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.prizes_section import PRIZES
from console.configuration.section import ConfigurationSection, find_type
from console.configuration.sections import Configuration
from console.rules.acts import KINDS
from console.rules.codes import Fault, Refusal
from console.service.supervision.main_loop import RESTART
from console.service.supervision.process_end import ExitStatus
from console.simulation.scenario.expectations import Expectation
from console.simulation.scenario.play import HELD, play
from console.simulation.scenario.script import parse_scenario
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from console.simulation.scenario.simulated_table import SimulatedTable
from console.texts.catalogue.findings import FindingCode
from console.texts.display import ENGLISH, ITALIAN
from devices.panel_wiring import PanelWiring
from jackpot.ledger.ledger import rebuild, verify
from jackpot.money.accounts import Account, Reason
from jackpot.money.prize_file import load_prizes
from systemd.debian.build import LINKS
from tests.deadlines import DEADLINE_S
from tests.house.documents import (
    DOCUMENTS,
    anchors,
    blocks,
    definitions_in,
    name_of,
    page,
    prose,
    rows,
)
from tests.house.sources import ROOT

TABLES = sorted(ROOT.glob("docs/tables/*.toml"))
DECISIONS = sorted(ROOT.glob("docs/dev/decisions/*.md"))
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
COMMAND = re.compile(r"^(?:sudo (?:-u banco )?)?(?:[\w./]*/)?banco ([^|<>]+)")

PINS = (
    *(27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33),  # GPIO 0 to 13
    *(8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13),  # GPIO 14 to 27
)
"""Which pin of the 40-pin header each GPIO is on."""


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    broken = []
    for target in LINK.findall(prose(document.read_text("utf-8"))):
        file, _, anchor = target.partition("#")
        if ":" in file:
            continue
        led_to = (document.parent / file) if file else document
        if not led_to.exists() or (anchor and anchor not in anchors(led_to.read_text("utf-8"))):
            broken.append(target)
    assert broken == []


def commands() -> Iterator[tuple[str, str]]:
    for document in DOCUMENTS:
        for block in blocks(document.read_text("utf-8"), "", "sh", "console"):
            for line in block.splitlines():
                found = COMMAND.match(line.strip().removeprefix("$ "))
                if found and "[" not in found[1]:
                    yield name_of(document), found[1]


@pytest.mark.parametrize(("document", "words"), list(commands()))
def test_commands_are_understood(document: str, words: str) -> None:
    arguments = shlex.split(words, comments=True)
    if arguments == ["--version"]:
        return  # prints, and leaves
    assert make_parser().parse_args(arguments).answer, document


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", page("Makefile"), re.MULTILINE))
    for document in DOCUMENTS:
        named_here = re.findall(r"\bmake ([a-z]+)\b`|^make ([a-z]+)", document.read_text("utf-8"))
        assert {one or other for one, other in named_here} <= targets, document


@pytest.mark.parametrize(
    "name", ["README.md", "docs/start/first-poker-night.md", "docs/how-to/operating.md"]
)
def test_what_can_be_typed_goes_as_it_is_told(name: str, tmp_path: Path) -> None:
    scenarios = blocks(page(name), "scenario")
    assert scenarios
    for number, text in enumerate(scenarios):
        file = tmp_path / f"{number}.scenario"
        file.write_text(text)
        assert play([str(file)], as_json=False, real_time=False) == HELD


def test_the_poker_nights_configuration_is_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (text,) = blocks(page("docs/start/first-poker-night.md"), "toml")
    file = tmp_path / "poker.toml"
    file.write_text(text)
    assert main(["check", str(file)]) == 0
    assert "a simulation table, texas-holdem, in order" in capsys.readouterr().out


@contextmanager
def play_text(text: str, folder: Path) -> Iterator[tuple[SimulatedTable, Path]]:
    """A table on which the acts of a text have been done, and its ledger's folder."""
    scenario = parse_scenario(text, "a document")
    with machine_in_virtual_time(scenario.plan, folder) as machine:
        simulated_table = SimulatedTable(machine)
        simulated_table.wait_for_devices()
        for statement in scenario.statements:
            if not isinstance(statement.does, Expectation):
                simulated_table.do(statement.does)
        yield simulated_table, machine.disk.folder


def first_round() -> str:
    """The README's, until the award is pending."""
    return blocks(page("README.md"), "scenario")[0].partition("key R")[0]


def test_the_readme_names_tests_that_exist() -> None:
    promised = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page("README.md"))
    assert len(promised) >= 6
    for file, name in promised:
        assert name in definitions_in(ROOT / file), f"{file}::{name}"


def test_the_architecture_lists_the_packages_as_the_contract_does() -> None:
    contracts = tomllib.loads(page("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (contract,) = [one for one in contracts if one.get("containers") == ["console"]]
    text = page("docs/dev/architecture.md")
    table = text.split("| package of `console` | holds |")[1].split("\n\n")[0]
    listed = re.findall(r"`console/(\w+)(?:/|\.py)`", table)
    assert listed == contract["layers"]


def test_the_architecture_names_files_and_names_that_exist() -> None:
    places = re.findall(
        r"`([\w/]+(?:/|\.py|\.toml))(?::([\w.]+))?`", page("docs/dev/architecture.md")
    )
    for file, name in places:
        assert (ROOT / file).exists(), file
        assert not name or name in definitions_in(ROOT / file), f"{file}:{name}"
    assert sum(bool(name) for _, name in places) > 50


def test_where_it_is_decided_names_files_and_names_that_exist() -> None:
    places = re.findall(r"`([\w-]+/[\w./-]+):([\w.-]+)`", page("docs/dev/where.md"))
    for file, name in places:
        path = ROOT / file
        there = definitions_in(path) if path.suffix == ".py" else path.read_text("utf-8")
        assert name in there, f"{file}:{name}"
    assert len(places) > 250


@pytest.mark.parametrize("decision", DECISIONS, ids=name_of)
def test_a_decision_has_number_date_status_and_question(decision: Path) -> None:
    date = r"\d{4}-\d\d-\d\d"
    head = (
        rf"# {decision.name[:4]} .+\n\nDate: {date}(, \w+ {date})?\. Status: \w+\.\n\n## Question\n"
    )
    assert re.match(head, decision.read_text("utf-8"))


@pytest.mark.parametrize("name", ["docs/how-to/faults.md", "docs/how-to/guasti.md"])
def test_every_code_stands_there_with_its_texts(name: str) -> None:
    text = page(name)
    documented = {re.sub(r"\W", "", row[0].split("]")[0]): row[1:3] for row in rows(text)}
    for fault in Fault:
        shown = f"`{ITALIAN.faults[fault]}`, `{ENGLISH.faults[fault]}`: "
        assert f"### {fault.value}\n{shown}" in text
    for refusal in Refusal:
        italian, english = ITALIAN.refusals[refusal], ENGLISH.refusals[refusal]
        as_a_fault = f"### {refusal.value}\n`{italian}`, `{english}`: "
        assert documented.get(refusal.value) == [italian, english] or as_a_fault in text
    for finding in FindingCode:
        assert f"### {finding.value}\n" in text


def test_the_croupier_reads_every_text_of_the_display() -> None:
    cells = {cell for row in rows(page("docs/how-to/operating.md")) for cell in row}
    for texts in (ITALIAN, ENGLISH):
        assert {*texts.combinations.values(), *texts.last_hands, texts.jackpot} <= cells
        assert {*texts.outcomes.values(), texts.last_coup} <= cells


@pytest.mark.parametrize(
    ("title", "game"), [("Caribbean Stud", "caribbean-stud"), ("Tre Card Stud", "tre-card-stud")]
)
def test_the_prizes_are_those_that_are_paid(title: str, game: str) -> None:
    documented = rows(page("docs/reference/rules.md").split("## 3. Awards")[1].split("\n- ")[0])
    start = [row[1] for row in documented].index(title)
    prizes = load_prizes(game).prizes
    paid = [[row[2].strip("`").split("`")[0], *row[3:5]] for row in documented]
    assert paid[start : start + 5] == [
        [prize.combination, f"{prize.share // 100} %", "JPH" if prize.high else "JPL"]
        for prize in prizes
    ]
    order = {"caribbean-stud": 1, "tre-card-stud": 2}[game]
    buttons = [
        row for row in rows(page("docs/how-to/wiring.md")) if len(row) == 3 and row[0].isdigit()
    ]
    assert [row[order] for row in buttons] == [prize.combination for prize in prizes]


def test_the_wiring_is_that_of_the_code() -> None:
    documented = {
        int(row[0]): row[1:]
        for row in rows(page("docs/how-to/wiring.md"))
        if len(row) == 4 and row[0].isdigit()
    }
    assert len(documented) == 26
    for line, part in PanelWiring().parts().items():
        pin, what, kind = documented[line]
        assert int(pin) == PINS[line]
        assert kind == ("lamp" if "lamp" in part or "LED" in part else "contact")
        assert re.match(rf"{part}\b", what), f"GPIO {line}: {what}, wired as {part}"


def list_sections() -> Iterator[tuple[str, type[ConfigurationSection]]]:
    yield "", Configuration
    for field in msgspec.structs.fields(Configuration):
        of = find_type(Configuration, field.name)
        if of is not None and issubclass(of, ConfigurationSection) and field.name != PRIZES:
            yield field.name, of


def keys() -> Iterator[tuple[str, Any]]:
    """Every key of a configuration with its default; MISSING where it is required."""
    sections = dict(list_sections())
    for section, struct in sections.items():
        for field in msgspec.structs.fields(struct):
            if field.name not in (*sections, PRIZES):
                name = f"{section}.{field.name}".lstrip(".")
                yield name, MISSING if field.required else field.default
    yield "game.prizes", None
    for line in msgspec.structs.fields(PanelWiring):
        yield f"panel.lines.{line.name}", line.default


def as_toml(default: Any) -> str:
    if default is MISSING:
        return "required"
    if default is None:
        return "none"
    if isinstance(default, Enum):
        default = default.value
    return msgspec.json.encode(default).decode().replace(",", ", ")


@pytest.mark.parametrize(("key", "default"), list(keys()))
def test_every_key_stands_there_with_its_default(key: str, default: Any) -> None:
    documented = {
        name: row[1]
        for row in rows(page("docs/reference/configuration.md"))
        for name in row[0].replace("`", "").split(", ")
    }
    if default is msgspec.NODEFAULT:  # a part that is made, such as the wiring
        assert key in documented
    else:
        assert documented[key] == as_toml(default)


@pytest.mark.parametrize("file", TABLES, ids=name_of)
def test_the_examples_are_in_order(file: Path) -> None:
    load_configuration(file)
    assert f"(../tables/{file.name})" in page("docs/reference/configuration.md")


@pytest.mark.parametrize(
    ("line", "written", "answer"),
    [
        row
        for row in rows(page("docs/reference/configuration.md").split("## Mistakes")[1])[2:]
        if len(row) == 3
    ],
)
def test_a_mistake_is_answered_as_told(
    line: str, written: str, answer: str, tmp_path: Path
) -> None:
    right = page("docs/tables/caribbean-stud.toml")
    assert line in right
    file = tmp_path / "table.toml"
    file.write_text(right.replace(line, written, 1))
    with pytest.raises(FileUnusable) as raised:
        load_configuration(file)
    assert f"{file}: {answer}" in str(raised.value).splitlines()


def test_every_exit_status_stands_there() -> None:
    documented = {row[0] for row in rows(page("docs/reference/exit-status.md"))}
    assert {str(status.value) for status in ExitStatus} <= documented
    assert {"0", "1", "2", str(RESTART)} <= documented


def test_the_ledger_page_names_all_there_is() -> None:
    documented = {
        word
        for row in rows(page("docs/reference/ledger.md"))
        for word in re.findall(r"[\w-]+", row[0])
    }
    assert {account.value for account in Account} <= documented
    assert {reason.value for reason in Reason} <= documented
    assert {*KINDS.values(), "snapshot"} <= documented


def test_the_record_on_the_page_is_the_one_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = blocks(page("docs/reference/ledger.md"), "json")
    with play_text(first_round(), tmp_path) as (_, ledger):
        main(["ledger", "show", "--json", "--kind", "button", str(ledger)])
    written = capsys.readouterr().out.splitlines()[-1]
    assert lasting(example) == lasting(written)


def lasting(record: str) -> dict[str, Any]:
    """What a record says, but for numbers, times and hash that differ at every run."""
    fleeting = ("seq", "boot", "at_ms", "wall", "hash")
    return {key: None if key in fleeting else value for key, value in json.loads(record).items()}


def test_the_program_on_the_page_follows_chain_and_accounts(tmp_path: Path) -> None:
    program = page("docs/reference/follow_chain.py")
    (statement,) = blocks(page("docs/reference/ledger.md"), "sql")
    with play_text(first_round(), tmp_path) as (_, ledger):
        balances = rebuild(ledger).balances.to_dict()
        head = verify(ledger).head.hash
        assert by_hand(program, ledger) == f"{head} {nonzero_balances(balances)}"
        with closing(sqlite3.connect(ledger / "ledger.db")) as database:
            assert dict(database.execute(statement)) == nonzero_balances(balances)
            database.execute(
                "UPDATE journal SET money = replace(money, '00]', '01]') WHERE seq > 5"
            )
            database.commit()
        assert re.fullmatch(r"record \d+: the hash does not fit", by_hand(program, ledger))


def nonzero_balances(balances: dict[str, int]) -> dict[str, int]:
    return {name: units for name, units in sorted(balances.items()) if units}


def by_hand(program: str, ledger: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, ledger],
        check=False,  # it ends with 1 and a text where the chain does not hold
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    printed = done.stdout or done.stderr
    found = re.fullmatch(r"(\w+) (\{.*\})", printed.strip())
    if found is None:
        return printed.strip()
    return f"{found[1]} {nonzero_balances(ast.literal_eval(found[2]))}"


def test_what_the_package_has_in_its_share_the_other_way_installs_too() -> None:
    """Beside the tables: docs/how-to/install.md copies from there, whichever way it got there"""
    copied = re.findall(
        r"install -D -m 644 -t /usr/share/banco(\S*) (.+)", page("docs/how-to/install.md")
    )
    placed = {
        f"{folder}/{file.name}"
        for folder, patterns in copied
        for pattern in patterns.split()
        for file in ROOT.glob(pattern)
    }
    ours = {f"/{file.name}" for file in (ROOT / "systemd").iterdir() if file.is_file()}
    docs = ROOT / "docs"
    tables = {f"/{file.relative_to(docs)}" for file in docs.glob("tables/**/*") if file.is_file()}
    assert placed == (ours - {f"/{name}" for name in LINKS}) | tables


def test_every_file_of_the_service_is_installed() -> None:
    """The package places it, or a person copies it from where the package has the examples."""
    pages = ("install", "machine", "witness")
    install = "".join(page(f"docs/how-to/{name}.md") for name in pages)
    copied = set(re.findall(r"install -m 644 /usr/share/banco/(\S+) ", install))
    ours = {file.name for file in (ROOT / "systemd").iterdir() if file.is_file()}
    assert {name for name in copied if "/" not in name} == ours - LINKS.keys()
    for table in copied - ours:
        assert (ROOT / "docs" / table).is_file()
