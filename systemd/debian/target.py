"""The systems that a package is built for."""

from dataclasses import dataclass

OLDEST_GLIBC_MINOR = 17
"""manylinux2014: wheels for an older C library are of Pythons before ours."""


@dataclass(frozen=True)
class Suite:
    """A release of Debian."""

    name: str
    release: int
    """12: bookworm."""

    python: tuple[int, int]
    glibc_minor: int
    """36: it has glibc 2.36, and runs what was built for an older one."""


@dataclass(frozen=True)
class PackageTarget:
    """A suite on an architecture."""

    suite: Suite
    arch: str
    """As Debian calls it."""

    machine: str
    """As the kernel and the wheels call it."""

    @property
    def triplet(self) -> str:
        """What its compiler's programs and its folders of libraries are called by."""
        return f"{self.machine}-linux-gnu"

    @property
    def python(self) -> str:
        """3.11"""
        return ".".join(map(str, self.suite.python))

    @property
    def python_tag(self) -> str:
        """cp311"""
        return "cp" + "".join(map(str, self.suite.python))

    @property
    def extension_suffix(self) -> str:
        """What the file of a compiled module ends with."""
        return f".cpython-{self.python_tag.removeprefix('cp')}-{self.triplet}.so"

    @property
    def platforms(self) -> list[str]:
        """The platforms of the wheels that it can use, newest first."""
        minors = range(self.suite.glibc_minor, OLDEST_GLIBC_MINOR - 1, -1)
        return [
            *(f"manylinux_2_{minor}_{self.machine}" for minor in minors),
            f"manylinux2014_{self.machine}",
        ]


SUITES = {
    suite.name: suite
    for suite in (
        Suite("bookworm", 12, (3, 11), 36),
        Suite("trixie", 13, (3, 13), 41),
    )
}
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
TARGETS = [
    PackageTarget(suite, arch, machine)
    for suite in SUITES.values()
    for arch, machine in MACHINES.items()
]
