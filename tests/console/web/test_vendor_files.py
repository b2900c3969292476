"""What stands under pages/vendor is as its package has it: nothing changed, nothing added."""

import re
from hashlib import sha256
from pathlib import Path

import console.web

VENDOR = Path(console.web.__path__[0]) / "pages" / "vendor"
ROW = re.compile(r"^\| `([^`]+)` \| `([0-9a-f]{64})` \|$", re.MULTILINE)


def test_every_file_of_a_library_is_as_its_readme_says() -> None:
    for library in VENDOR.iterdir():
        stated = dict(ROW.findall((library / "README.md").read_text("utf-8")))
        found = {
            path.name: sha256(path.read_bytes()).hexdigest()
            for path in library.iterdir()
            if path.name != "README.md"
        }
        assert found == stated
        assert "LICENSE" in found


def test_there_are_one_library_and_one_typeface() -> None:
    assert sorted(part.name for part in VENDOR.iterdir()) == ["barlow", "uplot"]


def test_it_needs_nothing_that_the_policy_forbids() -> None:
    """No code made from text, no style in markup (decision 0009)"""
    text = (VENDOR / "uplot" / "uPlot.esm.js").read_text("utf-8")
    for forbidden in ("eval(", "new Function", "innerHTML", "cssText", 'setAttribute("style'):
        assert forbidden not in text
    assert " src:" not in (VENDOR / "uplot" / "uPlot.min.css").read_text("utf-8")
