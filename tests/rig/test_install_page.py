"""The commands that the rig takes out of docs/how-to/install.md."""

import pytest

from tests.rig.install_page import TYPED_SECTIONS, read_blocks, read_commands, type_line
from tests.rig.layout import ROOT, layout_of
from tests.rig.parts.stick import FROM_A_STICK, go_back_line

PAGE = (ROOT / "docs/how-to/install.md").read_text("utf-8")


def test_every_typed_section_of_the_page_has_commands() -> None:
    assert {command.section for command in read_commands(PAGE)} == set(TYPED_SECTIONS)


def test_the_commands_lead_from_the_package_to_the_running_table_in_this_order() -> None:
    lines = [command.line for command in read_commands(PAGE)]
    steps = (
        "sudo apt install ./banco_*.deb",
        "sudo apt install ./banco-report_*.deb",
        "sudo banco enrol rossi --duty floor-manager",
        "sudo banco ledger begin --as anna --and rossi",
        "sudo systemctl enable --now banco",
    )
    assert [line for line in lines if line in steps] == list(steps)


def test_a_page_without_a_section_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match="The table"):
        list(read_commands(PAGE.replace("## 5. The table", "## 5. Tables")))


def test_a_version_from_a_stick_is_one_block_to_trust_its_key_and_one_to_take_it() -> None:
    trusting, taking = read_blocks(PAGE, FROM_A_STICK, "stick")
    assert "banco.gpg" in trusting
    first, *_, last = taking.splitlines()
    assert (first.split()[1], last.split()[1]) == ("mkdir", "umount")
    assert "sudo apt-get install banco" in taking


def test_a_page_without_the_way_back_is_an_error_that_names_its_line() -> None:
    with pytest.raises(ValueError, match="--allow-downgrades banco=VERSION"):
        go_back_line(PAGE.replace("banco=VERSION", "banco"), layout_of("amd64", "bookworm"))


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("journalctl -u banco -f", "timeout 3 journalctl -u banco -f || test $? = 124"),
        ("systemctl status banco", "systemctl status banco --no-pager"),
        ("banco --version", "banco --version"),
        (
            "sudo banco enrol anna --duty technician",
            "printf '1\\n1\\n' | sudo banco enrol anna --duty technician",
        ),
    ],
)
def test_what_waits_for_a_person_is_typed_so_that_it_ends(line: str, typed: str) -> None:
    assert type_line(line, "1") == typed
