"""A release imports what draws a PDF from a signed folder of its own, or not at all."""

import sys
from pathlib import Path

import pytest

from console.bordereau.pdf_libraries import find_libraries
from console.release.banco_check import KEY, LIST
from console.texts.language import Words
from systemd.debian.control import REPORT
from systemd.debian.release_signing import ReleaseSigner
from tests.console.release.release_tree import ReleaseTree


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReleaseTree:
    monkeypatch.setattr(sys, "path", sys.path.copy())
    return ReleaseTree(tmp_path / "root", tmp_path / "keys")


def refusal_of(tree: ReleaseTree) -> Words:
    before = sys.path.copy()
    refused = find_libraries(tree.root / REPORT.program, tree.program)
    assert sys.path == before
    assert refused is not None
    return refused


def test_a_checkout_has_them_among_the_others(tree: ReleaseTree) -> None:
    before = sys.path.copy()
    find_libraries(tree.add_libraries())
    assert sys.path == before


def test_as_they_were_signed_they_come_before_debians_own(tree: ReleaseTree) -> None:
    folder, before = tree.add_libraries(), sys.path.copy()
    for _ in range(2):
        find_libraries(folder, tree.program)
        assert sys.path == [str(folder), *before]


def test_without_them_the_package_is_named_in_both_languages(tree: ReleaseTree) -> None:
    words = refusal_of(tree)
    for text in (words.it, words.en):
        assert "sudo apt-get install ./banco-report_*.deb" in text


@pytest.mark.parametrize("what", ["changed", "added", "missing"])
def test_a_difference_is_named_and_nothing_is_imported(what: str, tree: ReleaseTree) -> None:
    module = tree.add_libraries() / "fpdf/__init__.py"
    if what == "changed":
        module.write_bytes(module.read_bytes() + b"\n")
    elif what == "added":
        (module.parent / "extra.py").touch()
    else:
        module.unlink()
    words = refusal_of(tree)
    for text in (words.it, words.en):
        assert f"{what}: fpdf/" in text
        assert "banco-report" in text


def test_they_are_of_the_key_that_signed_the_program(tree: ReleaseTree, tmp_path: Path) -> None:
    """The key beside their own list proves nothing."""
    folder = tree.add_libraries(ReleaseSigner.make(tmp_path / "forger"))
    assert f"not the signature of {tree.program / KEY}" in refusal_of(tree).en
    (folder / LIST).unlink()
    assert LIST in refusal_of(tree).en
