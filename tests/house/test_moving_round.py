"""The moving picture of the README is its first round, as it is played now."""

import re

from tests.house.documents import blocks, page
from tests.house.moving_round import PICTURE, picture
from tests.house.sources import ROOT

LARGEST = 500_000
"""Bytes."""


def test_the_picture_is_the_round_that_the_readme_types() -> None:
    written = (ROOT / "docs" / PICTURE).read_text("utf-8")
    assert written == picture(), "round or cabinet have changed: make docs"
    assert len(written.encode()) < LARGEST
    typed = re.findall(r">&gt; ([^<]+)<", written)
    (lines,) = (block for block in blocks(page("README.md"), "scenario") if "press JPOT" in block)
    assert typed == [line.partition("#")[0].strip() for line in lines.splitlines()]


def test_who_wants_no_motion_sees_the_award() -> None:
    still = picture().split("prefers-reduced-motion")[1]
    (frame,) = re.findall(r"#(f\d+) {", still.split("</style>")[0])
    shown = still.split(f'id="{frame}"')[1].split("</g>")[0]
    assert "PENDING" in shown
    assert "100,04 EUR" in shown
