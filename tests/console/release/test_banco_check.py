"""`banco-check`, run as a file of its own with the key of the stick, against real signatures."""

import os
import shutil
from pathlib import Path

import pytest

from console.release.banco_check import KEY, LIST, SIGNATURE, ListUnusable, parse_list
from systemd.debian.release_list import PROGRAM, write_release_list
from systemd.debian.release_signing import ReleaseSigner
from tests.console.release.release_tree import COMMAND, FILES, ReleaseTree


@pytest.fixture
def tree(tmp_path: Path) -> ReleaseTree:
    return ReleaseTree(tmp_path / "root", tmp_path / "keys")


def test_a_release_as_it_was_signed_passes_and_is_named(tree: ReleaseTree) -> None:
    status, text = tree.check()
    assert status == 0, text
    assert "release  1.2.3\n" in text
    assert f"key      {tree.signer.fingerprint}\n" in text
    assert "board    slot-rail " in text
    assert text.endswith("9 files, 0 differ\n")


@pytest.mark.parametrize("kind", FILES)
def test_one_changed_byte_is_found(kind: str, tree: ReleaseTree) -> None:
    tree.change_byte(FILES[kind])
    status, text = tree.check()
    assert status == 1
    assert f"changed: {_place(FILES[kind])}\n" in text
    assert text.endswith(", 1 differ\n")


@pytest.mark.parametrize("kind", FILES)
def test_a_missing_file_is_found(kind: str, tree: ReleaseTree) -> None:
    (tree.root / FILES[kind]).unlink()
    assert f"missing: {_place(FILES[kind])}\n" in tree.check()[1]


@pytest.mark.parametrize("kind", FILES)
def test_a_link_to_the_same_bytes_is_no_file(kind: str, tree: ReleaseTree) -> None:
    file = tree.root / FILES[kind]
    elsewhere = tree.root / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    status, text = tree.check()
    assert status == 1
    assert f"unreadable: {_place(FILES[kind])}: " in text


@pytest.mark.parametrize("name", ["console/extra.py", "sitecustomize.py", "msgspec/__init__.py"])
def test_an_added_file_is_found(name: str, tree: ReleaseTree) -> None:
    added = tree.program / name
    added.parent.mkdir(exist_ok=True)
    added.write_text("import os\n", "utf-8")
    assert f"added: {name}\n" in tree.check()[1]


def test_an_added_link_or_folder_of_links_is_found(tree: ReleaseTree) -> None:
    (tree.program / "console/extra.py").symlink_to("/dev/null")
    (tree.program / "devices").symlink_to(tree.program / "console")
    text = tree.check()[1]
    assert "added: console/extra.py\n" in text
    assert "added: devices\n" in text


def test_a_file_and_its_line_in_the_list_changed_together_are_found(tree: ReleaseTree) -> None:
    tree.change_byte(FILES["the program"])
    before = (tree.program / SIGNATURE).read_bytes()
    write_release_list(tree.root, "1.2.3", tree.signer)
    (tree.program / SIGNATURE).write_bytes(before)
    status, text = tree.check()
    assert status == 2
    assert "this is not the signature of" in text


def test_a_list_that_another_key_signed_is_found(tree: ReleaseTree, tmp_path: Path) -> None:
    """Everything on the table is right by the key beside the list: the stick has the true one."""
    tree.change_byte(FILES["the program"])
    forger = ReleaseSigner.make(tmp_path / "forger")
    write_release_list(tree.root, "1.2.3", forger)
    status, text = tree.check()
    assert status == 2
    assert "this is not the signature of" in text
    assert tree.check(f"--key={tree.program / KEY}")[0] == 0


def test_the_list_of_an_older_release_does_not_fit(tree: ReleaseTree, tmp_path: Path) -> None:
    older = ReleaseTree(tmp_path / "older", tmp_path / "keys", "1.2.2")
    for name in (LIST, SIGNATURE):
        shutil.copy(older.program / name, tree.program / name)
    status, text = tree.check()
    assert status == 1
    assert f"changed: {_place(FILES['the program'])}\n" in text


def test_a_whole_older_release_is_another_digest(tree: ReleaseTree, tmp_path: Path) -> None:
    digest = tree.check()[1].split("digest   ")[1].split("\n")[0]
    assert tree.check(f"--digest={digest}")[0] == 0
    older = ReleaseTree(tmp_path / "older", tmp_path / "keys", "1.2.2")
    status, text = older.check(f"--digest={digest}")
    assert status == 1
    assert "another release: 1.2.2, " in text


@pytest.mark.parametrize("name", [LIST, SIGNATURE])
def test_without_list_or_signature_nothing_passes(name: str, tree: ReleaseTree) -> None:
    (tree.program / name).unlink()
    status, text = tree.check()
    assert status == 2
    assert name in text


def test_a_link_into_the_program_must_lead_there(tree: ReleaseTree) -> None:
    command = tree.root / COMMAND
    led_to = os.path.normpath(command.parent / command.readlink())
    assert led_to == str(tree.root / "usr/lib/banco/current/system/banco")
    command.unlink()
    assert f"missing: /{COMMAND}\n" in tree.check()[1]
    command.symlink_to(tree.program / "system/banco")
    assert f"changed: /{COMMAND}\n" in tree.check()[1]
    command.unlink()
    shutil.copy(tree.program / "system/banco", command)
    assert f"no link: /{COMMAND}\n" in tree.check()[1]


def test_what_draws_a_pdf_is_checked_where_it_is_installed(tree: ReleaseTree) -> None:
    folder = tree.add_libraries()
    status, text = tree.check()
    assert (status, text.count(" 0 differ\n")) == (0, 2), text
    assert f"folder   {folder}\n" in text
    (folder / "fpdf/extra.py").touch()
    status, text = tree.check()
    assert status == 1
    assert text.endswith("added: fpdf/extra.py\n1 files, 1 differ\n")
    (folder / LIST).unlink()
    assert tree.check()[0] == 2


def test_libraries_that_another_key_signed_are_found(tree: ReleaseTree, tmp_path: Path) -> None:
    tree.add_libraries(ReleaseSigner.make(tmp_path / "forger"))
    status, text = tree.check()
    assert status == 2
    assert "this is not the signature of" in text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "banco release 2\nversion: 1\n",
        "banco release 1\nversion: 1\n0123  console/run.py\n",
        f"banco release 1\nversion: 1\n{'0' * 64}  ../etc/passwd\n",
        f"banco release 1\nversion: 1\n{'0' * 64}  a\n{'1' * 64}  a\n",
        f"banco release 1\nversion: 1\n{'0' * 64}  a",
        "banco release 1\nversion: 1\nlink: /usr/bin/banco\n",
    ],
)
def test_a_malformed_list_is_refused(text: str) -> None:
    with pytest.raises(ListUnusable):
        parse_list(text)


def _place(name: str) -> str:
    """As the list names it: below the program's folder, or from the root."""
    return name.removeprefix(f"{PROGRAM}/") if name.startswith(PROGRAM) else f"/{name}"
