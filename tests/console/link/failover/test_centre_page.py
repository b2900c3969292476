"""docs/how-to/centre.md and its like: `make failover` types them, here they are only read."""

import subprocess
from pathlib import Path

import pytest

from tests.console.link.failover.centre_page import (
    PAGE,
    PATRONI_PAGE,
    UPGRADE_PAGE,
    UPGRADE_PATRONI_PAGE,
    find_blocks,
    read_page,
)

TWO, THREE = ("db1", "db2", "house"), ("db1", "db2", "db3", "house", "spare")


@pytest.mark.parametrize(
    ("page", "least"),
    [(PAGE, 20), (PATRONI_PAGE, 10), (UPGRADE_PAGE, 8), (UPGRADE_PATRONI_PAGE, 10)],
)
def test_each_block_says_where_it_is_typed_and_is_a_shells(page: Path, least: int) -> None:
    blocks = read_page(page.read_text("utf-8"))
    assert len(blocks) > least
    for block in blocks:
        assert set(block.machines) <= set(THREE)
        assert block.user in ("root", "postgres")
        subprocess.run(["bash", "-n", "-c", block.text], check=True)


def test_a_house_of_two_machines_has_no_third_in_its_files() -> None:
    sections = {one.section for one in read_page(PAGE.read_text("utf-8"))}
    typed = [block for name in sections for _, block in find_blocks(name, TWO)]
    assert not [block.text for block in typed if "db3" in block.text or "10.0.0.3" in block.text]
    files = "".join(block.text for block in typed)
    assert "'ANY 1 (db1, db2)'" in files
    assert ["servers", "db2", "rewind"] in [line.split() for line in files.splitlines()]
