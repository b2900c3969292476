"""A TPM 2.0 in software, swtpm, as a process; what it keeps is in a folder and outlives power."""

import os
import subprocess
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP

from tests.deadlines import DEADLINE_S


class SoftwareTpm:
    """Switched off at first."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._pid = 0
        self.device = f"swtpm:path={folder}/socket"

    def switch_on(self) -> None:
        """Give it power; it listens when this returns."""
        pid, socket = self._folder / "pid", self._folder / "socket"
        command = ["swtpm", "socket", "--tpm2", "--daemon", "--pid", f"file={pid}"]
        command += ["--tpmstate", f"dir={self._folder}", "--server", f"type=unixio,path={socket}"]
        command += ["--ctrl", f"type=unixio,path={socket}.ctrl"]
        command += ["--flags", "not-need-init,startup-clear"]
        subprocess.run(command, check=True, timeout=DEADLINE_S)
        self._pid = int(pid.read_text())

    def switch_off(self) -> None:
        """Power goes."""
        if self._pid:
            os.kill(self._pid, SIGKILL)
            self._pid = 0

    def hang(self, *, hung: bool) -> None:
        """It answers nothing; or it answers again."""
        os.kill(self._pid, SIGSTOP if hung else SIGCONT)
