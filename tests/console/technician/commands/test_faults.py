"""`faults`: what is present, and any entry of the catalogue."""

from pathlib import Path

import msgspec
import pytest

from console.line.requests import PresentFault
from console.rules.codes import Fault
from console.technician.commands.status import render_entry, render_present
from console.texts.catalogue.entries import CatalogueEntry, catalogue
from console.texts.catalogue.findings import Finding
from console.texts.language import Language
from console.texts.layout import plain
from tests.console.technician.commands.command_line import EN, IT, line_in, too_long


def test_a_table_in_order_says_so(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert "No faults, no findings.\n" in line.type_command("faults")


def test_a_present_fault_tells_since_when_what_to_check_and_how_it_clears(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play("unplug rail", "wait 3s")
        shown = line.type_command("faults")
    assert "RAIL_LOST  fault  since " in shown
    text = catalogue().fault(Fault.RAIL_LOST).english
    assert f"\n  {text.means}\n  display: {text.short}\ncheck:\n  1. rail: which line" in shown
    for label in ("raised    when", "meanwhile COIN IN", "clears    by itself"):
        assert f"\n{label}" in shown
    assert "`" not in shown


def test_all_that_is_present_is_told(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        status = line.session.status
    assert status is not None
    text = msgspec.structs.replace(
        status,
        faults=(PresentFault(Fault.TRAY_COUNT, detail="seat 4"), PresentFault(Fault.KEY_FAULT)),
        findings=(Finding("LAMP_DEAD", "seat 2", "0 mA"), Finding("NEW", "seat 3")),
    )
    shown = render_present(text, EN)
    for title in (
        "TRAY_COUNT  fault  seat 4",
        "KEY_FAULT  fault",
        "LAMP_DEAD  noticed  seat 2 (0 mA)",
        "NEW  seat 3",
    ):
        assert title in shown


@pytest.mark.parametrize(
    ("typed", "kind"),
    [("draw_error", "guasto"), ("WRONG_KEY", "rifiuto"), ("lamp-dead", "anomalia")],
)
def test_any_entry_of_the_catalogue(typed: str, kind: str, tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        code = typed.upper().replace("-", "_")
        assert f"{code}  {kind}\n" in line.type_command(f"guasti {typed}")


def test_a_code_that_is_none_names_the_nearest(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert "no code 'rail_lsot': RAIL_LOST" in line.type_command("faults rail_lsot")


@pytest.mark.parametrize("entry", tuple(catalogue()), ids=lambda entry: str(entry.code))
def test_every_entry_is_shown_whole_and_fits(entry: CatalogueEntry) -> None:
    for language in Language:
        text = entry.in_(language)
        lines = render_entry(entry, language)
        assert too_long("\n".join(lines), 79) == []
        shown = " ".join(" ".join(lines).split())
        whole = (text.means, *text.check, text.raised, text.meanwhile, text.do, text.clears)
        for part in whole:
            assert " ".join(plain(part.replace("`", "")).split()) in shown
