"""The command `banco`, from its first line: a signal that comes while it is imported is held."""

import sys

from console.service.supervision.stop_signals import hold_signals


def main() -> int:
    """Run the command of `sys.argv`; its exit status (docs/reference/exit-status.md)."""
    hold_signals()
    from console.command_line.main import main as run_command

    return run_command()


if __name__ == "__main__":
    sys.exit(main())
