"""A login for tests: PINs are cheap to check, and the clock is moved by hand."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from console.line.access.login import LoginResult, PinLogin
from console.line.access.people import Enrolled, PinAge, save_people
from console.line.access.pins import Cost, hash_pin
from console.rules.codes import Duty
from console.service.disk_thread import DiskWriter, InlineDiskWriter

CHEAP = Cost(2, 1, 1)
PIN = "471108"
WRONG = "471109"


def enrol(
    file: Path, *names: str, pin: str = PIN, cost: Cost = CHEAP, since: date | None = None
) -> None:
    """Enrol these people as technicians, instead of those enrolled before."""
    duties = (Duty.TECHNICIAN,)
    save_people(
        file,
        {name: Enrolled(duties, hash_pin(pin, cost), pin_since=since) for name in names},
    )


class LoginBench:
    """A login with its files and a clock moved by hand; `now` is in milliseconds."""

    def __init__(
        self, folder: Path, disk_writer: Callable[[], DiskWriter] = InlineDiskWriter
    ) -> None:
        self.people = folder / "people.toml"
        self.attempts = folder / "wrong-pins.json"
        self.now = 5_000
        self.today = date(2026, 11, 28)
        self.most_days = 0
        self.results: list[LoginResult] = []
        self._turns: list[tuple[int, Callable[[], None]]] = []
        self._disk_writer = disk_writer
        self.login = self.open_login()

    def open_login(self) -> PinLogin:
        """Open the login as after a start."""
        return PinLogin(
            self.people,
            self.attempts,
            self._disk_writer(),
            lambda: self.now,
            self._call_later,
            PinAge(self.most_days, lambda: self.today),
        )

    def restart(self) -> None:
        """Restart after a power cut; the clock begins again."""
        self.now = 1
        self.login = self.open_login()

    def enter(self, name: str, pin: str = PIN) -> LoginResult:
        """Log in and return the result, whether it comes at once or in its turn."""
        before = len(self.results)
        self.login.enter(name, pin, self.results.append)
        for due, work in self._turns:
            self.now = max(self.now, due)
            work()
        self._turns.clear()
        assert len(self.results) == before + 1
        return self.results[-1]

    def _call_later(self, seconds: float, work: Callable[[], None]) -> None:
        self._turns.append((self.now + round(seconds * 1000), work))

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * 1000)
