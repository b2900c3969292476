"""A process for the tests: it says again each line; `exit N` ends it, `long` is too long."""

import sys


def main() -> int:
    """Say it again until the input ends; the exit status."""
    for line in sys.stdin.buffer:
        word, _, status = line.decode().strip().partition(" ")
        if word == "exit":
            return int(status)
        sys.stdout.buffer.write(b"x" * 100_000 if word == "long" else line)
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
