"""Metrics as Prometheus gets them: over HTTP, from a table that is being played."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.rules.codes import Fault
from console.service.health.metrics import FIGURES, HOST, LINES, MetricsSnapshot, render_metrics
from tests.console.running_table import (
    ENVIRONMENT,
    PROGRAM,
    RunningTable,
    configuration,
    processor_wait_s,
    running,
)
from tests.console.service.health.scraping import (
    scrape_body,
    scrape_once,
)
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port
from tests.house.documents import page, rows

SCRAPERS = 50

LONGEST_STALL_S = 1.0
"""Without what others had of the processor; alone it is a few milliseconds."""


def families(text: str) -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(text: str, name: str, **labels: str) -> float | None:
    """A sample of table `cs-1`; None where it is not told."""
    wanted = {"table": "cs-1", **labels}
    found = [
        sample.value
        for family in families(text).values()
        for sample in family.samples
        if sample.name == name and sample.labels == wanted
    ]
    assert len(found) < 2, f"{name} {wanted}: {found}"
    return float(found[0]) if found else None


def find_sample(text: str, name: str, **labels: str) -> float:
    """A sample that is told."""
    found = value(text, name, **labels)
    assert found is not None, text
    return found


@asynccontextmanager
async def run_with_metrics(folder: Path, port: int) -> AsyncIterator[RunningTable]:
    file = configuration(folder / "sim.toml")
    file.write_text(f"{file.read_text('utf-8')}[metrics]\nport = {port}\n", "utf-8")
    async with running(folder, "--sim", "--config", file) as table:
        yield table


async def until(port: int, name: str, wanted: Callable[[float], bool], **labels: str) -> str:
    """Scrape until a sample is what it should be; a snapshot is at most a second old."""
    text = ""
    try:
        async with asyncio.timeout(DEADLINE_S):
            while True:
                found = value(text := await scrape_once(port), name, **labels)
                if found is not None and wanted(found):
                    break
                await asyncio.sleep(0.1)
    except TimeoutError as error:
        raise AssertionError(text) from error
    return text


def present(found: float) -> bool:
    return found > 0


def absent(found: float) -> bool:
    return found == 0


def test_a_table_that_is_played_is_scraped(tmp_path: Path) -> None:
    port = free_port()

    async def night() -> None:
        async with run_with_metrics(tmp_path, port) as table:
            first = await scrape_once(port)
            await table.do("press game_over", "token 3", "press coin_in", "press game_over")
            await table.do("press game_over", "disk full", "press jpot")
            text = await until(port, "banco_fault", present, fault="LEDGER_FAULT")
            assert find_sample(text, "banco_fault", fault="RAIL_LOST") == 0
            assert find_sample(text, "banco_device_up", device="rail") == 1
            assert find_sample(text, "banco_acts_refused_total") >= 1
            for counter in ("banco_acts_total", "banco_commits_total"):
                assert find_sample(text, counter) > find_sample(first, counter)
            assert find_sample(text, "banco_frames_received_total", line="rail") > 10
            assert 0 < find_sample(text, "banco_commit_max_seconds") < 5
            assert 1e7 < find_sample(text, "banco_memory_bytes") < 1e9
            await table.do("unplug rail")
            await until(port, "banco_device_up", absent, device="rail")
            await until(port, "banco_disk_free_bytes", absent)  # the cabinet's disk, not ours

    asyncio.run(night())


def test_fifty_who_scrape_without_end_do_not_disturb_a_round(tmp_path: Path) -> None:
    port = free_port()

    async def night() -> int:
        async with run_with_metrics(tmp_path, port) as table:
            await scrape_once(port)
            answered = 0
            played = asyncio.Event()

            async def scrape() -> None:
                nonlocal answered
                while not played.is_set():
                    assert "banco_acts_total" in await scrape_body(port)
                    answered += 1

            scrapers = [asyncio.create_task(scrape()) for _ in range(SCRAPERS)]
            for _ in range(3):
                await table.do("press game_over", "token 1 3 5", "press coin_in")
                await table.until(lambda seen: list(seen["seats"]) == ["1", "3", "5"])
                assert (await table.do("expect phase PLAYING"))["ok"]
            played.set()
            await asyncio.gather(*scrapers)
            text = await until(port, "banco_acts_total", lambda acts: acts > 20)
            others_s = processor_wait_s(table.process.pid)
            assert find_sample(text, "banco_loop_stall_max_seconds") < LONGEST_STALL_S + others_s
            return answered

    assert asyncio.run(night()) > SCRAPERS


def test_a_port_that_is_taken_is_told_and_the_table_is_played(tmp_path: Path) -> None:
    async def night(port: int) -> None:
        async with run_with_metrics(tmp_path, port) as table:
            assert (await table.do("press game_over"))["phase"] == "BETTING"
            async with asyncio.timeout(DEADLINE_S):
                while "cannot be served" not in table.complaints.read_text("utf-8"):
                    await asyncio.sleep(0.05)

    with socket.create_server((HOST, 0)) as taken:
        asyncio.run(night(taken.getsockname()[1]))


def test_without_the_library_the_table_says_what_is_missing(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")
    file.write_text(f"{file.read_text('utf-8')}[metrics]\nport = 9464\n", "utf-8")
    without = f"import sys; sys.modules['prometheus_client'] = None; {PROGRAM}"

    async def start_without_library() -> tuple[int | None, bytes]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", without, "run", "--sim", "--json", "--config", str(file)),
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=ENVIRONMENT,
        )
        async with asyncio.timeout(DEADLINE_S):
            _, complaint = await process.communicate()
        return process.returncode, complaint

    status, complaint = asyncio.run(start_without_library())
    assert status == 2
    assert b"install banco[metrics]" in complaint
    assert b"Traceback" not in complaint


def test_a_table_without_metrics_needs_no_library_and_listens_nowhere(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")
    without = f"import sys; sys.modules['prometheus_client'] = None; {PROGRAM}"
    assert load_configuration(file).metrics is None

    async def night() -> None:
        process = await asyncio.create_subprocess_exec(
            *(
                sys.executable,
                "-c",
                without,
                "run",
                "--sim",
                "--json",
                "--config",
                str(file),
            ),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            env=ENVIRONMENT,
        )
        async with asyncio.timeout(DEADLINE_S):
            printed, _ = await process.communicate()
        assert process.returncode == 0
        assert b'"phase": "PAUSED"' in printed

    asyncio.run(night())


@pytest.mark.parametrize("port", [0, 80, 1023, 65536, -1])
def test_a_port_is_one_that_a_user_may_have(port: int, tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")
    file.write_text(f"{file.read_text('utf-8')}[metrics]\nport = {port}\n", "utf-8")
    with pytest.raises(FileUnusable, match=f"metrics.port: {port}; it must be 1024"):
        load_configuration(file)


# The page


def snapshot(**numbers: float) -> MetricsSnapshot:
    return MetricsSnapshot(
        "t", "caribbean-stud", "0.1", numbers, frozenset({Fault.RAIL_LOST}), {}, ()
    )


def test_every_metric_stands_on_the_page() -> None:
    documented = rows(page("docs/reference/health.md"))
    assert {
        row[0]: row[3] for row in documented if len(row) == 4 and row[3].startswith("banco_")
    } == {key: name for key, (name, _, _, _) in FIGURES.items()}
    labelled = {row[0] for row in documented if len(row) == 3 and row[0].startswith("banco_")}
    assert labelled == {"banco_info", "banco_fault", "banco_device_up", *LINES}


def test_every_figure_is_a_metric_or_told_of_each_line() -> None:
    figures = {row[0] for row in rows(page("docs/reference/health.md").split("## The log")[0])[2:]}
    assert figures - set(FIGURES) == {"frames_in", "frames_out", "frames_bad", "retries"}


def test_units_are_those_that_the_names_say() -> None:
    text = render_metrics(snapshot(loop_stall_ms=250.0, disk_free_mb=1.5, acts=7)).decode()
    samples = {s.name: s.value for f in families(text).values() for s in f.samples}
    assert samples["banco_loop_stall_seconds"] == 0.25
    assert samples["banco_disk_free_bytes"] == 1_500_000
    assert samples["banco_acts_total"] == 7
    assert "banco_temperature_celsius" not in samples
