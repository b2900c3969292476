"""The worked examples of the pages in docs/reference/ that describe our wire protocol."""

import ast
import re
from pathlib import Path
from typing import Any, cast

from firmware_bridge.board_session.protocol import Body, Hello, Identity, Image, State, Want

DOCS = Path(__file__).parents[3] / "docs" / "reference"
BLOCK = re.compile(r"^```example\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"(?:# .*\n)*(\w+)\((.*)\)\npayload  (.*)\nframe    (.*)\n")

Example = tuple[str, str, str, str]
"""The message's name, its fields, its payload and its frame."""


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def examples(text: str) -> list[Example]:
    blocks = "".join(BLOCK.findall(text))
    assert not EXAMPLE.sub("", blocks), "an example is not written as the others are"
    return EXAMPLE.findall(blocks)


def read_fields(name: str, fields: str) -> dict[str, Any]:
    """The values of `name=0x1F, other=(1, 2)`."""
    call = cast(ast.Call, ast.parse(f"{name}({fields})", mode="eval").body)
    return {word.arg or "": ast.literal_eval(word.value) for word in call.keywords}


def payload_of(name: str, fields: str, want: type[Body], state: type[Body]) -> bytes:
    """The bytes of that message; fields that are not of its head are of its body."""
    values = read_fields(name, fields)
    if name == "Hello":
        return Hello(**values).to_bytes()
    if name == "Identity":
        return Identity(**values).to_bytes()
    if name == "Image":
        return Image(**values).to_bytes()
    if name == "Want":
        return Want(values.pop("number"), want(**values).to_bytes()).to_bytes()
    head = {key: values.pop(key) for key in tuple(values) if key in State.__struct_fields__}
    return State(**head, body=state(**values).to_bytes()).to_bytes()
