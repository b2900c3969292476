"""An apt of its own: real apt-get, with sources, lists and caches in a folder."""

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class PrivateApt:
    """The apt of a table that knows one source, and trusts one key."""

    folder: Path
    source: Path
    key: Path
    suite: str = "bookworm"
    arch: str = "amd64"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run apt-get; both its outputs in stdout."""
        for part in ("etc", "lists/partial", "cache/archives/partial"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        sources = self.folder / "etc/banco.sources"
        sources.write_text(
            f"Types: deb\nURIs: file:{self.source}\nSuites: {self.suite}\nComponents: main\n"
            f"Signed-By: {self.key}\n"
        )
        options = {
            "Dir::Etc::SourceList": sources,
            "Dir::Etc::SourceParts": "/dev/null",
            "Dir::State::Lists": self.folder / "lists",
            "Dir::State::Status": "/dev/null",
            "Dir::Cache": self.folder / "cache",
            "APT::Architecture": self.arch,
            "APT::Architectures": self.arch,
            "APT::Sandbox::User": "root",
        }
        return subprocess.run(
            ["apt-get", *(f"-o{name}={value}" for name, value in options.items()), *words],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )

    def update(self) -> subprocess.CompletedProcess[str]:
        """Read the source; whatever apt would only warn of is an error."""
        return self.run("--error-on=any", "update")
