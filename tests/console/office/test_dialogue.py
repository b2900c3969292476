"""The dialogue of a command with whoever gives it, over a pipe."""

import asyncio
import io
from pathlib import Path

import pytest

from console.line.client import LineClient
from console.office.dialogue import LocalDialogue
from console.texts.language import Language


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    ("typed", "confirmed"),
    [
        *(("y", True), ("Yes", True), ("s", True), ("SI", True), ("sì", True), ("si'", True)),
        *(("n", False), ("", False), ("yess", False)),
    ],
)
def test_what_confirms_in_either_language(
    typed: str,
    confirmed: bool,
    language: Language,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{typed}\n"))
    dialogue = LocalDialogue(LineClient(tmp_path / "line"), language)
    assert asyncio.run(dialogue.confirm("Declare it?")) is confirmed
