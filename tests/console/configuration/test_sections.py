"""Where the ledger's second copy and its seal may lie: not where the ledger is."""

from pathlib import Path

import pytest

from console.configuration.file import ConfigurationErrors, load_configuration
from tests.console.running_table import configuration


def load_section(folder: Path, *lines: str) -> tuple[str | None, str | None]:
    file = configuration(folder / "table.toml")
    text = file.read_text("utf-8").replace("[ledger]", "\n".join(["[ledger]", *lines]))
    file.write_text(text, "utf-8")
    ledger = load_configuration(file).ledger
    return ledger.mirror, ledger.seal


def test_a_ledger_has_neither_unless_it_is_told(tmp_path: Path) -> None:
    assert load_section(tmp_path) == (None, None)
    lines = ('mirror = "/media/second/banco"', 'seal = "/media/seal/one"')
    assert load_section(tmp_path, *lines) == ("/media/second/banco", "/media/seal/one")


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ('mirror = "second"', "ledger.mirror: 'second' is relative"),
        ('seal = "seal"', "ledger.seal: 'seal' is relative"),
        ('mirror = "{folder}"', "lies in ledger.folder, not elsewhere"),
        ('mirror = "{folder}/second"', "lies in ledger.folder, not elsewhere"),
        ('mirror = "/"', "ledger.mirror: ledger.folder lies in it"),
        ('seal = "{folder}/seal"', "lies in ledger.folder, not elsewhere"),
        ('mirror = "/media/a"\nseal = "/media/a/seal"', "lies in ledger.mirror, not elsewhere"),
        ("seal = 3", "ledger.seal"),
    ],
)
def test_what_would_be_lost_with_the_ledger_is_a_mistake(
    line: str, mistake: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationErrors, match=mistake):
        load_section(tmp_path, line.format(folder=tmp_path))
