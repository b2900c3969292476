"""A table's name is also a role at the centre and what its certificate says: one form for all."""

import json
import re
from pathlib import Path

import pytest

from console.command_line.main import main
from console.configuration.named_files import FileUnusable
from console.configuration.room_file import check_room
from console.configuration.section import TABLE_NAME
from tests.console.real_table import RealTable, type_command
from tests.console.running_table import ROOT, configuration

LONGEST = "t" * 63
RIGHT = ("1", "cs-1", "Caribbean Stud 2", "sala_3.tavolo-12", LONGEST)
WRONG = (
    *("", " ", " cs-1", "cs-1 ", "cs  1", "-x", "cs-", ".", "cs-1\n", "cs\n1", "cs\t1"),
    *("cs\x00", "\x1b[31mcs", "cs\u202e1", "cs\xa01", "c\u0301s", "\u0441s-1", "cs-\u0663", "cs/1"),
    *("../cs", "cs'1", 'cs"1', f"{LONGEST}t", "t" * 3_000),
)
SAYS = "letters a to z and A to Z, digits, and between two of them a blank, -, _ or .; at most 63"


@pytest.mark.parametrize("name", RIGHT)
def test_a_name_of_the_form_is_taken(name: str, tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml", table=name)
    assert type_command("check", str(file)).status == 0


@pytest.mark.parametrize("name", WRONG, ids=ascii)
def test_check_names_the_key_and_what_is_right(name: str, tmp_path: Path) -> None:
    written = json.dumps(name)[1:-1]
    file = configuration(tmp_path / "table.toml", table=written)
    refused = type_command("check", str(file))
    assert refused.status == 2
    assert refused.complaints.startswith(f"{file}: table: ")
    assert refused.complaints.endswith(f"{SAYS}\n")
    assert refused.complaints[:-1].isprintable()
    assert len(refused.complaints) < 400


GROUPS = sorted(
    group
    for schema in ("link/centre/schema", "witness/schema")
    for file in (ROOT / "console" / schema).rglob("*.sql")
    for group in re.findall(r"\b(?:link|witness)_[a-z_]+", file.read_text("utf-8"))
    if "role" in file.name or f"CREATE ROLE {group} " in file.read_text("utf-8")
)


@pytest.mark.parametrize(
    "name", [*dict.fromkeys(GROUPS), "public", "postgres", "none", "Link_Owner"]
)
def test_a_group_of_the_databases_is_no_tables_name(name: str, tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml", table=name)
    refused = type_command("check", str(file))
    assert (refused.status, refused.complaints) == (
        2,
        f"{file}: table: '{name}'; the databases of the house keep this name to themselves: "
        "choose another one\n",
    )


def test_the_groups_are_found() -> None:
    assert {"link_owner", "link_poker_table", "witness_owner", "witness_table"} <= {*GROUPS}


def test_the_examples_have_it_and_no_ledger_begins_without_it(tmp_path: Path) -> None:
    table = RealTable(tmp_path)
    text = table.file.read_text("utf-8")
    table.file.write_text(text.replace('"caribbean-1"', '"caribbean-1\\u0000"'), "utf-8")
    refused = table.begin()
    assert (refused.status, refused.complaints.count(SAYS)) == (2, 1)
    assert not table.ledger.exists()
    table.file.write_text(text, "utf-8")
    assert table.begin().status == 0


@pytest.mark.parametrize(
    "words",
    [
        "link join {} stud",
        "link poker-table {}",
        "link operator {}",
        "link reader {}",
        "witness admit {} --key table.pub --reason new",
        "witness reader {}",
    ],
)
@pytest.mark.parametrize("name", ["", "cs\n1", "cs\u202e1", "t" * 64, "pg_cs"])
def test_no_role_of_another_form_is_made(
    words: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused before anything is asked of a database"""
    with pytest.raises(SystemExit) as ended:
        main([word.format(name) for word in words.split(" ")])
    complaint = capsys.readouterr().err
    assert ended.value.code == 2
    assert ("argument TABLE: '" in complaint) or ("argument NAME: '" in complaint)
    assert SAYS in complaint


def test_the_rooms_role_has_it_too() -> None:
    centre = {"hosts": ["db1"], "role": "ro\x00om"}
    content = {"kind": "room", "people": "/p", "attempts": "/a", "signs": ["stud"]}
    with pytest.raises(FileUnusable, match=r"centre\.role: 'ro\\x00om'; letters"):
        check_room("room.toml", content | {"centre": centre})


def test_the_form_is_ascii_so_that_63_characters_are_63_bytes() -> None:
    """PostgreSQL cuts off the rest of a longer name"""
    letters = [chr(point) for point in range(0x3000) if not TABLE_NAME.find_mistake("", chr(point))]
    assert "".join(letters).isascii()
    assert len(letters) == 62
