"""The logo on a sign: a file that is drawn, and does nothing else."""

from pathlib import Path

import pytest
from PIL import Image

from console.configuration.sign_section import MOST_BYTES, find_logo_mistakes, read_logo

PLAIN = '<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/><path id="a" d="M0 0h9v9z"/></svg>'


def test_a_drawing_and_a_picture_are_taken(tmp_path: Path) -> None:
    drawing, picture = tmp_path / "logo.svg", tmp_path / "logo.PNG"
    drawing.write_text(PLAIN, "utf-8")
    Image.new("RGB", (2000, 40)).save(picture)
    assert [*find_logo_mistakes(str(drawing)), *find_logo_mistakes(str(picture))] == []
    assert read_logo(str(drawing)).type == "image/svg+xml"
    assert read_logo(str(picture)).content == picture.read_bytes()
    assert [*find_logo_mistakes("")] == []


@pytest.mark.parametrize(
    ("name", "content", "mistake"),
    [
        ("logo.gif", b"GIF89a", "a logo is an SVG or PNG file"),
        ("logo.svg", b"<html></html>", "is no SVG file"),
        ("logo.png", b"<svg></svg>", "is no PNG file"),
        ("logo.svg", b"<svg><script>1</script></svg>", "has scripts"),
        ("logo.svg", b'<svg onload = "x()"></svg>', "has scripts"),
        ("logo.svg", b'<svg><image href="http://a/b.png"/></svg>', "names another file"),
        ("logo.svg", b"<svg><style>a{fill:url(b.svg#c)}</style></svg>", "names another file"),
        ("logo.svg", PLAIN.encode() + b" " * MOST_BYTES, "is longer than 64 KB"),
    ],
)
def test_a_mistake_says_what_would_be_right(
    tmp_path: Path, name: str, content: bytes, mistake: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    [found] = find_logo_mistakes(str(file))
    assert found.startswith("sign.logo: '")
    assert mistake in found


def test_a_picture_is_no_larger_than_a_screen(tmp_path: Path) -> None:
    Image.new("1", (2001, 9)).save(tmp_path / "logo.png")
    [found] = find_logo_mistakes(str(tmp_path / "logo.png"))
    assert "2001 x 9 pixels; at most 2000 each way" in found


def test_a_file_that_is_not_there_or_relative_is_named(tmp_path: Path) -> None:
    [missing] = find_logo_mistakes(str(tmp_path / "logo.svg"))
    assert "cannot be read: No such file" in missing
    [relative] = find_logo_mistakes("logo.svg")
    assert "such as /etc/banco/logo.svg" in relative
