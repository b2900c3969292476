"""The version of the program, and the package it came in: the one place where they are written.

pyproject.toml takes it from here. To ask what is installed would cost each start a search of its
folders and the parsing of a description.
"""

VERSION = "0.1.0"

BUILD = ""
"""The package that the program came in, 0.1.0~826.g73c6e32+deb12: its recipe writes it here. Empty
where no package was installed."""


def name_program() -> str:
    """0.1.0 (0.1.0~826.g73c6e32+deb12)"""
    return f"{VERSION} ({BUILD})" if BUILD else VERSION
