"""What the rig saw, step by step: as it happens, as JSON, and as a table."""

import sys
import time
from pathlib import Path

import msgspec
from msgspec import Struct, field


class Step(Struct, frozen=True):
    """One thing that had to be so."""

    night: str
    part: str
    step: str
    fine: bool
    saw: str
    at_s: float
    """Since the rig's start."""
    took_s: float
    """Since the step before it in the same part."""


class Report(Struct):
    """All steps of a run, and its figures."""

    machine: str
    seed: int
    firmware: str
    widened: list[str] = field(default_factory=list)
    """What the rig changed in the installed system, and why."""
    steps: list[Step] = field(default_factory=list)
    figures: dict[str, float | str] = field(default_factory=dict)
    load_average: float = 0.0
    processor_s: float = 0.0
    """The processors' time that the machines and the boards have cost."""
    took_s: float = 0.0

    @property
    def wrong(self) -> list[Step]:
        """The steps that were not as they should be."""
        return [step for step in self.steps if not step.fine]

    def write(self, folder: Path) -> None:
        """report.json and report.md."""
        folder.mkdir(parents=True, exist_ok=True)
        pretty = msgspec.json.format(msgspec.json.encode(self), indent=1)
        (folder / "report.json").write_bytes(pretty + b"\n")
        (folder / "report.md").write_text(self._as_table(), "utf-8")

    def _as_table(self) -> str:
        lines = [
            f"# {self.machine}, seed {self.seed}",
            "",
            f"Boards: {self.firmware}. {len(self.steps)} steps, {len(self.wrong)} wrong, "
            f"{self.took_s:.0f} s, load average {self.load_average:.1f}, "
            f"{self.processor_s:.0f} s of the processors' time.",
            "",
            *(f"Changed by the rig: {what}" for what in self.widened),
            "",
            "| night | part | step | | saw | s |",
            "|---|---|---|---|---|---|",
            *(
                f"| {one.night} | {one.part} | {one.step} | {'' if one.fine else 'WRONG'} "
                f"| {one.saw.replace('|', '/')} | {one.took_s:.1f} |"
                for one in self.steps
            ),
            "",
            "| figure | |",
            "|---|---|",
            *(f"| {name} | {value} |" for name, value in sorted(self.figures.items())),
            "",
        ]
        return "\n".join(lines)


class RigReport:
    """One part's way to the report, on one night's machine."""

    def __init__(self, report: Report, night: str, part: str, begun: float) -> None:
        self._report, self._part, self._begun = report, part, begun
        self._night = night
        self._last = time.monotonic()

    def hold(self, step: str, fine: bool, saw: object = "") -> None:
        """Put on record whether it was so, and what was seen."""
        now = time.monotonic()
        text = " ".join(str(saw).split())
        self._report.steps.append(
            Step(
                self._night,
                self._part,
                step,
                fine,
                text,
                round(now - self._begun, 1),
                round(now - self._last, 2),
            )
        )
        self._last = now
        mark = "ok   " if fine else "WRONG"
        line = f"{now - self._begun:6.1f} {mark} {self._night}, {self._part}: {step}"
        print(f"{line}  [{text[:160]}]" if text else line, file=sys.stderr, flush=True)

    def note(self, figure: str, value: float | str) -> None:
        """A figure measured."""
        self._report.figures[f"{self._night}, {self._part}: {figure}"] = (
            round(value, 2) if isinstance(value, float) else value
        )
