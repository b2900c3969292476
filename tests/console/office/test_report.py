"""`banco report` as it is typed."""

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from console.command_line.main import main
from tests.console.bordereau.played_nights import NIGHT, TRAY, ledger_of, play_night
from tests.console.running_table import BANCO, ENVIRONMENT, configuration, running
from tests.deadlines import DEADLINE_S
from tests.house.documents import blocks, page


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed night, and one that goes on."""
    with play_night(tmp_path_factory.mktemp("night"), *NIGHT, TRAY, "press GAME_OVER") as table:
        return ledger_of(table)


def run_report(capfd: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    status = main(["report", *map(str, words)])
    out, err = capfd.readouterr()
    return status, out, err


def test_the_night_that_goes_on_unless_the_last_closed_one_is_asked_for(
    ledger: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run_report(capfd, ledger)
    assert (status, "NON ANCORA CHIUSO" in out, "mani                             5-5" in out) == (
        0,
        True,
        True,
    )
    status, out, _ = run_report(capfd, ledger, "--last")
    assert (status, "NON ANCORA CHIUSO" in out) == (0, False)


def test_rounds_and_language(ledger: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_report(capfd, ledger, "--rounds", "2-3", "--language", "en")
    assert status == 0
    assert "BORDEREAU OF ROUNDS" in out
    assert "rounds                           2-3 (2)" in out


def test_json_is_json(ledger: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_report(capfd, ledger, "--last", "--format", "json")
    report = json.loads(out)
    assert status == 0
    assert report["tokens"]["left"] == 4
    assert report["tray"]["difference"] == 0


def test_a_simulation_s_folder_is_as_good(ledger: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_report(capfd, ledger.parent, "--last")[0] == 0


def test_the_configuration_says_where_in_which_language_and_of_which_house(
    ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = configuration(tmp_path / "table.toml")
    text = file.read_text("utf-8").replace(f'folder = "{tmp_path}"', f'folder = "{ledger}"')
    house = '[house]\nname = "Casinò del Porto"\nplace = "Sanremo"\n'
    file.write_text(f'language = "en"\n{text}\n{house}', "utf-8")
    status, out, _ = run_report(capfd, "--config", file, "--last")
    assert (status, "TOKENS" in out) == (0, True)
    assert out.splitlines()[0].strip() == "Casino' del Porto, Sanremo"


@pytest.mark.parametrize(
    ("house", "mistake"),
    [
        ('name = ""', "house.name: ''; write it on one line, 60 letters at most"),
        ('name = "Casa"\nplace = "San\\nremo"', "house.place: "),
        (f'name = "{"a" * 61}"', "house.name: "),
    ],
)
def test_a_house_that_no_head_can_bear(
    house: str, mistake: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = configuration(tmp_path / "table.toml")
    file.write_text(f"{file.read_text('utf-8')}\n[house]\n{house}\n", "utf-8")
    assert main(["check", str(file)]) != 0
    assert mistake in "".join(capfd.readouterr())


@pytest.mark.parametrize("form", ["text", "json", "pdf"])
def test_it_is_written_to_a_file(
    form: str, ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "night"
    assert run_report(capfd, ledger, "--format", form, "--out", file) == (0, "", "")
    begins = {"text": b"    ", "json": b"{\n", "pdf": b"%PDF-"}[form]
    assert file.read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--night", "yesterday"), "write a day such as 2026-11-20"),
        (("--night", "1999-12-31"), "no night began on 1999-12-31"),
        (("--rounds", "3-2"), "the first is after the last; write 2-3"),
        (("--rounds", "all"), "write the first and the last"),
        (("--rounds", "70-71"), "round 70 is not on record"),
        (("--out", "missing/night.txt"), "missing/night.txt"),
    ],
)
def test_what_cannot_be_done_is_said(
    words: tuple[str, ...], why: str, ledger: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run_report(capfd, ledger, *words)
    assert (status, out) == (2, "")
    assert why in err
    assert "Traceback" not in err


def test_a_folder_without_a_ledger(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, _, err = run_report(capfd, tmp_path)
    assert status == 2
    assert "cannot be read" in err


def test_a_night_whose_records_were_taken_away_is_not_told(
    ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ledger, tmp_path / "copy")
    with closing(sqlite3.connect(tmp_path / "copy" / "ledger.db")) as database:
        database.execute("DELETE FROM journal WHERE seq < 20")
        database.commit()
    status, out, err = run_report(capfd, tmp_path / "copy", "--last")
    assert (status, out) == (2, "")
    assert "record 1 is not in this ledger" in err or "record 19 is missing" in err


def test_postings_that_were_changed_are_told(
    ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ledger, tmp_path / "copy")
    with closing(sqlite3.connect(tmp_path / "copy" / "ledger.db")) as database:
        database.execute(
            "UPDATE journal SET money = replace(replace(money,"
            " '[\"house\",400000]', '[\"house\",400001]'),"
            " '[\"jackpot\",1400000]', '[\"jackpot\",1399999]')"
            " WHERE seq = (SELECT min(seq) FROM journal WHERE instr(money, '\"stake\"'))"
        )
        database.commit()
    status, out, err = run_report(capfd, tmp_path / "copy", "--last")
    assert status == 1
    assert "NON QUADRA: jackpot, house" in out
    assert "the postings do not lead to the balances on record (jackpot, house)" in err


def banco(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BANCO, *map(str, words)],
        check=False,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env={**ENVIRONMENT, **environment},
    )


def test_beside_the_table_that_writes(tmp_path: Path) -> None:
    """`--sim` tells of the simulated table while it runs; each time its newest record"""

    async def report_twice() -> list[int]:
        lasts = []
        async with running(
            tmp_path, "--sim", environment={"XDG_STATE_HOME": str(tmp_path)}
        ) as table:
            for token in ("token 1", "token 2"):
                await table.do("press GAME_OVER", token, "press COIN_IN")
                await table.until(lambda seen: seen["phase"] == "PLAYING")
                done = await asyncio.to_thread(
                    banco, "report", "--sim", "--format", "json", XDG_STATE_HOME=str(tmp_path)
                )
                assert (done.returncode, done.stderr) == (0, "")
                report = json.loads(done.stdout)
                assert report["closed"] is False
                lasts.append(report["tokens"]["taken"])
        return lasts

    assert asyncio.run(report_twice()) == [1, 2]


def test_without_its_library_a_pdf_is_refused_and_text_is_not(ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "fpdf.py").write_text("raise ModuleNotFoundError(name='fpdf')\n", "utf-8")
    path = os.pathsep.join([str(tmp_path), ENVIRONMENT["PYTHONPATH"]])
    done = banco("report", ledger, "--format", "pdf", PYTHONPATH=path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "needs the library fpdf2" in done.stderr
    assert "requirements-report.txt" in done.stderr
    assert "Traceback" not in done.stderr
    done = banco("report", ledger, PYTHONPATH=path)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_library_is_not_even_sought_for_anything_else(ledger: Path) -> None:
    program = (
        "import sys; from console.command_line.main import main; "
        f"main(['report', {str(ledger)!r}]); sys.exit('fpdf' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        capture_output=True,
        timeout=DEADLINE_S,
        env=ENVIRONMENT,
    )
    assert done.returncode == 0


def test_every_key_of_the_json_is_on_its_page(
    ledger: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run_report(capfd, ledger, "--last", "--format", "json")
    report = page("docs/reference/bordereau.md").split("## JSON")[1]
    for key in json.loads(out):
        assert f"| `{key}` |" in report, key


def test_the_receipt_on_the_page_is_one_that_is_printed(
    ledger: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """But for times and the hash"""
    (example,) = (
        one for one in blocks(page("docs/reference/bordereau.md"), "text") if "TRAY" in one
    )
    _, out, _ = run_report(capfd, ledger, "--last", "--language", "en")
    for line in example.splitlines():
        if line.strip("- .") and ":" not in line:
            assert line in out.splitlines(), line


@pytest.mark.parametrize("there", ["ledger.db", "night.pdf", "night.txt.tsr", "link.txt"])
def test_no_file_is_overwritten(
    there: str, ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nor is a time stamp's reply beside it, nor what a link without an end stands for."""
    file = tmp_path / there
    if there == "link.txt":
        file.symlink_to(tmp_path / "missing")
    else:
        file.write_bytes(b"of somebody")
    before = sorted(tmp_path.iterdir())
    status, out, err = run_report(
        capfd, ledger, "--last", "--out", tmp_path / there.removesuffix(".tsr")
    )
    assert (status, out) == (2, "")
    assert f"{file} is there already" in err
    assert sorted(tmp_path.iterdir()) == before
    assert file.is_symlink() or file.read_bytes() == b"of somebody"
