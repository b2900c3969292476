"""The names of MicroPython's viper compiler, so that CPython can run what is written for it.

MicroPython looks none of them up: its compiler knows them, and makes machine code of a function
under `@micropython.viper`, with words in registers instead of numbers on the heap. In CPython the
same lines count in plain numbers. The types are in `viper.pyi`, as MicroPython has no `typing`.
"""

ptr8 = bytes
ptr32 = memoryview
uint = int


def viper(function):
    """The function as it is."""
    return function
