"""`python -m tests.house.long_files`: names the files of the product that are longer than most.

It only warns: a file holds one subject, as long as that takes.
"""

from tests.house.sources import place, product

LONG = 600
"""Lines."""


def main() -> None:
    """Print a line for each such file."""
    for path in product():
        lines = len(path.read_text("utf-8").splitlines())
        if lines > LONG:
            print(f"{place(path)}: {lines} lines: does it hold one subject?")


if __name__ == "__main__":
    main()
