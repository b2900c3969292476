"""Checks the carrier board's schematic by KiCad's rules, and writes what is made of it (`make
carrier`): netlist, bill of materials, pictures, the plugs' table, and the hashes of all.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.firmware_bridge.board.netlist import CARRIER, draw_up_pinout, read_netlist

DOCS = CARRIER.parents[2] / "docs"
WIRING = DOCS / "how-to" / "wiring.md"
BEGIN, END = "<!-- plugs: made from the netlist by make carrier -->", "<!-- plugs end -->"
SCHEMATIC, NETLIST, BILL = (
    CARRIER / name for name in ("carrier.kicad_sch", "carrier.net", "bill-of-materials.csv")
)
SEAT = CARRIER / "seat.kicad_sch"
PICTURES = {
    "carrier.svg": DOCS / "pictures" / "carrier.svg",
    "carrier-Seat 1.svg": DOCS / "pictures" / "carrier-seat.svg",
}
HASHES = CARRIER / "SHA256SUMS"
"""Of the schematic and what was made of it: none of them changes without the others."""

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

    def run(self, *words: str, output: str) -> Path:
        """Run `kicad-cli sch`, and return what it wrote. Ends the program where it fails."""
        written = self._folder / output
        command: list[str | Path] = [self._program, "sch", *words, "--output", written, SCHEMATIC]
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
            sys.exit(f"kicad-cli sch {' '.join(words)}: exit status {done.returncode}\n{report}")
        return written


def write_files(kicad: KiCad) -> None:
    """Check the rules, then write all that is made of the schematic."""
    kicad.run("erc", "--severity-all", "--exit-code-violations", output="rules")
    netlist = kicad.run("export", "netlist", output="netlist").read_text("utf-8")
    NETLIST.write_text(re.sub(r'\((source|date|uri) ".*"\)', r"(\1)", netlist), "utf-8")
    labels = ",".join(FIELDS).replace("${QUANTITY}", "Quantity")
    columns = ("--fields", ",".join(FIELDS), "--labels", labels, "--group-by", "Value,MPN")
    bill = kicad.run("export", "bom", *columns, "--ref-range-delimiter", "", output="bill")
    BILL.write_bytes(bill.read_bytes())
    plain = ("--exclude-drawing-sheet", "--no-background-color")
    drawn = kicad.run("export", "svg", *plain, output="pictures")
    for name, picture in PICTURES.items():
        picture.write_text(compact_picture((drawn / name).read_text("utf-8")), "utf-8")
    WIRING.write_text(renew_plugs(WIRING.read_text("utf-8")), "utf-8")
    HASHES.write_text(list_hashes(), "utf-8")


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
    files = (SCHEMATIC, SEAT, NETLIST, BILL, *PICTURES.values())
    return "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {os.path.relpath(file, CARRIER)}\n"
        for file in files
    )


def main() -> None:
    """Write everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kicad", type=Path, help="the program kicad-cli")
    with tempfile.TemporaryDirectory() as folder:
        write_files(KiCad(parser.parse_args().kicad, Path(folder)))


if __name__ == "__main__":
    main()
