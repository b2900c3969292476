"""Which counterparts must know a table's ledger before it is archived."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from console.configuration.file import ConfigurationErrors
from console.configuration.sections import Configuration
from console.office.export.questions import ExportRefused
from console.office.table_of_ledger import OtherTable, configuration_of
from console.service.table_key import head_signer_of
from jackpot.trust.seal import hold_against, read_seal


class ArchivedTable(Struct, frozen=True):
    """The ledger's folder, its second copy and seal, and the configuration that names them."""

    folder: Path
    mirror: Path | None
    seal: Path | None
    configuration: Configuration | None

    def hold_against_counterparts(self) -> dict[str, int]:
        """Check that the ledger has what seal and witness outside know; up to which record that is.

        Raises LedgerCorrupt, LedgerUnavailable, CounterpartLost.
        """
        known = {}
        seal = read_seal(self.seal) if self.seal is not None else None
        if seal is not None:
            own = self.configuration
            hold_against(seal, self.folder, own.table if own is not None else seal.table)
            known[f"the seal {self.seal} is of"] = seal.seq
        seen = self._ask_witness_outside()
        if seen is not None:
            known["the witness outside knows this ledger up to"] = seen
        return known

    def _ask_witness_outside(self) -> int | None:
        configuration = self.configuration
        signer = head_signer_of(configuration)
        if configuration is None or configuration.witness is None or signer is None:
            return None
        from console.witness.outside import make_outside_witness

        table = configuration.table
        witness = make_outside_witness(configuration.witness, signer, self.folder, table)
        try:
            return witness.compare().at
        finally:
            witness.close()


def check_kept(known: Mapping[str, int], last: int) -> None:
    """Check that what each of them knows comes after `last`, or is it. Raises ExportRefused."""
    for what, seq in known.items():
        if seq < last:
            raise ExportRefused(
                f"{what} record {seq}, before the last one to be archived, {last}: start the "
                "service with it once, so that it knows the later ones"
            )


def find_table(
    folder: Path, file: Path | None, mirror: Path | None, seal: Path | None
) -> ArchivedTable:
    """The table whose ledger is in this folder; `file`: its configuration, else this machine's.

    `mirror` and `seal`: where the configuration names none. Raises ExportRefused.
    """
    configuration = _configuration(folder, file)
    if configuration is not None:
        mirror = _the_tables_own("--mirror", mirror, configuration.ledger.mirror)
        seal = _the_tables_own("--seal", seal, configuration.ledger.seal)
    return ArchivedTable(folder, mirror, seal, configuration)


def _configuration(folder: Path, file: Path | None) -> Configuration | None:
    try:
        return configuration_of(folder, file)
    except (ConfigurationErrors, OtherTable) as error:
        raise ExportRefused(str(error)) from error


def _the_tables_own(option: str, given: Path | None, named: str | None) -> Path | None:
    """What the configuration names, if it names one. Raises ExportRefused for another one."""
    if named is None:
        return given
    own = Path(named)
    if given is not None and given.resolve() != own.resolve():
        raise ExportRefused(f"{option} {given}: the table's own is {own}; leave the option out")
    return own
