"""The version of the program."""

from importlib.metadata import PackageNotFoundError, version

NOT_INSTALLED = "not installed"


def find_version() -> str:
    """The installed version; `not installed` where it runs from its sources."""
    try:
        return version("banco")
    except PackageNotFoundError:
        return NOT_INSTALLED
