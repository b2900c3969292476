"""What the pages are told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from console.web.messages import TableSnapshot
from console.web.table_pages import snapshot_of_table
from tests.console.table import table_in


@pytest.fixture
def snapshot(tmp_path: Path) -> Iterator[TableSnapshot]:
    with table_in(tmp_path / "table") as table:
        yield snapshot_of_table(table.simulated_table.service)
