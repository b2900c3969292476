"""Checks the carrier board's schematic and layout by KiCad's rules, and writes what is made of them
(`make carrier`): netlist, bill of materials, pictures, the plugs' table, the hashes of all, and in
build/carrier what a factory asks for.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.firmware_bridge.board.netlist import CARRIER, draw_up_pinout, read_netlist

DOCS = CARRIER.parents[2] / "docs"
WIRING = DOCS / "how-to" / "wiring.md"
BEGIN, END = "<!-- plugs: made from the netlist by make carrier -->", "<!-- plugs end -->"
FACTORY = CARRIER.parents[2] / "build" / "carrier"
SCHEMATIC, LAYOUT = CARRIER / "carrier.kicad_sch", CARRIER / "carrier.kicad_pcb"
SOURCES = (
    *(SCHEMATIC, CARRIER / "seat.kicad_sch", LAYOUT),
    *(CARRIER / f"carrier.kicad_{kind}" for kind in ("dru", "pro")),
)
NETLIST, BILL = CARRIER / "carrier.net", CARRIER / "bill-of-materials.csv"
PICTURES = {
    "carrier.svg": DOCS / "pictures" / "carrier.svg",
    "carrier-Seat 1.svg": DOCS / "pictures" / "carrier-seat.svg",
}
HASHES = CARRIER / "SHA256SUMS"
"""Of schematic, layout and what was made of them: none of them changes without the others."""

FIELDS = ("Reference", "${QUANTITY}", "Value", "Manufacturer", "MPN", "Footprint")
KICAD_S = 300.0


class KiCad:
    """Debian's kicad-cli, with the libraries that were unpacked beside it and no settings."""

    def __init__(self, program: Path, folder: Path) -> None:
        """`folder` is for its settings and what it writes."""
        self._program, self._folder = program.resolve(), folder
        share = self._program.parents[1] / "share" / "kicad"
        settings = folder / "settings" / "9.0"
        settings.mkdir(parents=True)
        for table in (share / "template").glob("*-lib-table"):
            (settings / table.name).write_bytes(table.read_bytes())
        self._environment = {
            **os.environ,
            "KICAD_CONFIG_HOME": str(folder / "settings"),
            "KICAD9_SYMBOL_DIR": str(share / "symbols"),
            "KICAD9_FOOTPRINT_DIR": str(share / "footprints"),
        }

    def run(self, source: Path, *words: str, output: str) -> Path:
        """Run kicad-cli, and return what it wrote. Ends the program where it fails."""
        written = self._folder / output
        kind = source.suffix.removeprefix(".kicad_")
        command: list[str | Path] = [self._program, kind, *words, "--output", written, source]
        done = subprocess.run(
            command,
            check=False,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=KICAD_S,
        )
        if done.returncode != 0:
            report = written.read_text("utf-8") if written.is_file() else done.stderr
            sys.exit(f"kicad-cli {kind} {' '.join(words)}: exit status {done.returncode}\n{report}")
        return written


def write_files(kicad: KiCad) -> None:
    """Check the schematic's rules, then write all that is made of the schematic."""
    kicad.run(SCHEMATIC, "erc", "--severity-all", "--exit-code-violations", output="rules")
    netlist = kicad.run(SCHEMATIC, "export", "netlist", output="netlist").read_text("utf-8")
    NETLIST.write_text(re.sub(r'\((source|date|uri) ".*"\)', r"(\1)", netlist), "utf-8")
    labels = ",".join(FIELDS).replace("${QUANTITY}", "Quantity")
    columns = ("--fields", ",".join(FIELDS), "--labels", labels, "--group-by", "Value,MPN")
    bill = kicad.run(
        SCHEMATIC, "export", "bom", *columns, "--ref-range-delimiter", "", output="bill"
    )
    BILL.write_bytes(bill.read_bytes())
    plain = ("--exclude-drawing-sheet", "--no-background-color")
    drawn = kicad.run(SCHEMATIC, "export", "svg", *plain, output="pictures")
    for name, picture in PICTURES.items():
        picture.write_text(compact_picture((drawn / name).read_text("utf-8")), "utf-8")
    WIRING.write_text(renew_plugs(WIRING.read_text("utf-8")), "utf-8")
    HASHES.write_text(list_hashes(), "utf-8")


def write_factory_files(kicad: KiCad) -> None:
    """Check the layout's rules and that it is the schematic's, then write the factory's files."""
    severities = ("--severity-error", "--severity-warning", "--schematic-parity")
    kicad.run(LAYOUT, "drc", *severities, "--exit-code-violations", output="rules")
    shutil.rmtree(FACTORY, ignore_errors=True)
    kicad.run(LAYOUT, "export", "gerbers", output="factory/")
    kicad.run(LAYOUT, "export", "drill", output="factory/")
    positions = kicad.run(
        LAYOUT, "export", "pos", "--format", "csv", "--units", "mm", output="factory/positions.csv"
    )
    shutil.copytree(positions.parent, FACTORY)


def compact_picture(text: str) -> str:
    """The picture with its texts as texts, not as KiCad's strokes, on white, and without a date."""
    text = re.sub(r'<g class="stroked-text">.*?</g>|<title>.*?</title>', "", text, flags=re.DOTALL)
    text = text.replace('opacity="0" stroke-opacity="0"', 'style="fill:#222;stroke:none"')
    text = text.replace("<svg", '<svg font-family="sans-serif" style="background:#fff"', 1)
    return re.sub(r"\s*\n\s*", "\n", text).strip() + "\n"


def renew_plugs(page: str) -> str:
    """Return the page with the plugs' table of today's netlist."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{draw_up_pinout(read_netlist())}\n{END}{after}"


def list_hashes() -> str:
    """As sha256sum writes and checks them, from the carrier's folder."""
    files = (*SOURCES, NETLIST, BILL, *PICTURES.values())
    return "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {os.path.relpath(file, CARRIER)}\n"
        for file in files
    )


def main() -> None:
    """Write everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kicad", type=Path, help="the program kicad-cli")
    with tempfile.TemporaryDirectory() as folder:
        kicad = KiCad(parser.parse_args().kicad, Path(folder))
        write_files(kicad)
        write_factory_files(kicad)


if __name__ == "__main__":
    main()
