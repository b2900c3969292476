"""A real table's folders, people and ledger, as docs/how-to/install.md makes them."""

import io
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from console.command_line.main import main
from console.configuration.file import load_configuration
from console.line.access.people import Enrolled, save_people
from console.line.access.pins import Cost, hash_pin
from console.office import identity, table_of_ledger
from console.rules.codes import Duty
from console.rules.state import TableState
from console.service.counterparts import counterparts_of
from console.service.start import state_at_start
from console.service.table_ledger import TableLedger
from jackpot.ledger.ledger import Record, read_records
from jackpot.trust.key_stores.file import make_file_store
from tests.house.sources import ROOT

ANNA, ROSSI = "314159", "265358"
BOTH = ("anna", ANNA, "rossi", ROSSI)
CHEAP = Cost(n=2, r=1, p=1)
WALL = "2026-11-23T21:00:00.000+00:00"


def enrol_both(file: Path) -> Path:
    """anna and rossi, in a file of people."""
    duties = {"anna": (ANNA, Duty.TECHNICIAN), "rossi": (ROSSI, Duty.FLOOR_MANAGER)}
    people = {name: Enrolled((duty,), hash_pin(pin, CHEAP)) for name, (pin, duty) in duties.items()}
    save_people(file, people)
    return file


class Ended(NamedTuple):
    """A command's exit status, and what it printed."""

    status: int
    out: str
    complaints: str


def type_command(*words: str, typed: tuple[str, ...] = ()) -> Ended:
    """Give a command of banco, and type these lines."""
    out, complaints = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(complaints):
        patch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        status = main(words)
    return Ended(status, out.getvalue(), complaints.getvalue())


class RealTable:
    """A real table that has been configured, with two people enrolled; no ledger yet."""

    def __init__(self, folder: Path) -> None:
        self.ledger, self.media = folder / "ledger", folder / "media"
        self.file, self.people = folder / "table.toml", folder / "people.toml"
        self.media.mkdir()
        text = (ROOT / "docs/tables/caribbean-stud.toml").read_text("utf-8")
        text = text.replace("/var/lib/banco", str(self.ledger)).replace("/media", str(self.media))
        text = text.replace("[key]", f'[key]\nfolder = "{folder / "key"}"')
        self.file.write_text(text, "utf-8")
        make_file_store(folder / "key")
        self.configuration = load_configuration(self.file)
        assert self.configuration.ledger.mirror
        assert self.configuration.ledger.seal
        self.second = Path(self.configuration.ledger.mirror)
        self.seal = Path(self.configuration.ledger.seal)
        self.second.mkdir(parents=True)
        self.seal.parent.mkdir()
        enrol_both(self.people)

    def begin(self, *typed: str, names: tuple[str, ...] = ()) -> Ended:
        """`banco ledger begin` with these lines typed; anna's and rossi's, if there are none."""
        words = ("ledger", "begin", "--config", str(self.file), *names)
        return self.type(*words, typed=typed or BOTH)

    def type(self, *words: str, typed: tuple[str, ...] = ()) -> Ended:
        """Give a command as on the table's machine, whose list of people root wrote."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(identity, "PEOPLE_FILE", self.people)
            patch.setattr(table_of_ledger, "TABLE_FILE", self.file)
            return type_command(*words, typed=typed)

    def start(self) -> TableState:
        """What the table's service starts with."""
        counterparts = counterparts_of(self.configuration, self.configuration.table)
        with closing(TableLedger(self.ledger, counterparts=counterparts)) as table_ledger:
            settings = self.configuration.plan().settings()
            return state_at_start(table_ledger, settings, WALL)

    @property
    def records(self) -> list[Record]:
        return list(read_records(self.ledger))
