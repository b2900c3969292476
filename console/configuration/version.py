"""Which version of the program runs."""

from importlib.metadata import PackageNotFoundError, version

NOT_INSTALLED = "not installed"


def installed_version() -> str:
    """The installed distribution's; `not installed` where it runs from its sources."""
    try:
        return version("banco")
    except PackageNotFoundError:
        return NOT_INSTALLED
