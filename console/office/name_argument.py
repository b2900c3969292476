"""A name as an argument of the commands for the house's databases."""

from argparse import ArgumentTypeError
from collections.abc import Callable

from console.configuration.names import NameForm, NameUnusable


def name_of(form: NameForm) -> Callable[[str], str]:
    """Read a name of this form as an argument; what it returns raises ArgumentTypeError."""

    def read(text: str) -> str:
        try:
            return form.read(text)
        except NameUnusable as error:
            raise ArgumentTypeError(str(error)) from error

    return read
