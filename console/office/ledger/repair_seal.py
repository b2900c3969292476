"""The seal at a repair: read, held against the table's key, begun anew."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from console.configuration.file import ConfigurationErrors
from console.configuration.sections import Configuration
from console.office.table_of_ledger import OtherTable, configuration_of
from console.service.table_key import seal_signing_of
from jackpot.failures import LedgerCorrupt
from jackpot.ledger.journal import Head
from jackpot.ledger.two_slots import TwoSlots
from jackpot.trust.repair import NoRepair
from jackpot.trust.seal import Seal, SealDamaged, read_seal, set_aside
from jackpot.trust.witness import Noted, WitnessLost

if TYPE_CHECKING:
    from jackpot.trust.head_signer import HeadSigner


def table_of(folder: Path, file: Path | None) -> Configuration | None:
    """The configuration of the table whose ledger is in this folder. Raises NoRepair."""
    try:
        return configuration_of(folder, file)
    except (ConfigurationErrors, OtherTable) as error:
        raise NoRepair(str(error)) from error


def show_seal(path: Path) -> Seal | None:
    """Read the seal, and print what it says."""
    try:
        seal = read_seal(path)
    except SealDamaged as error:
        print(f"seal    {error}: it says nothing")
        return None
    if seal is None:
        print(f"seal    {path}: there is none")
    else:
        print(f"seal    {path}: record {seal.seq} of table {seal.table}, {seal.wall}")
    return seal


def is_believed(seal: Seal, path: Path, signer: "HeadSigner | None") -> bool:
    """Whether the table will believe this seal; prints why not, or that nobody can tell."""
    if signer is None:
        if seal.is_signed:
            print(f"{'':8}its signature is not checked: --config FILE names the table's key")
        return True
    try:
        seal_signing_of(signer, path).check(seal)
    except LedgerCorrupt as error:
        print(f"{'':8}NOT BELIEVED: {error}")
        return False
    except WitnessLost as error:
        print(f"{'':8}{error}")
    return True


def seal_anew(path: Path, seal: Seal, signer: "HeadSigner | None") -> None:
    """Begin the seal anew with this record. Raises NoRepair, OSError."""
    if path.exists():
        set_aside(path)
    if signer is None:
        TwoSlots(path).make(asdict(seal))
        return
    from jackpot.trust.key_stores.store import KeyStoreLost

    try:
        head = signer.sign_ahead(Noted(Head(seal.seq, seal.hash), seal.wall))
        TwoSlots(path).make(asdict(head))
        signer.raise_counter()
    except KeyStoreLost as error:
        raise NoRepair(f"the new seal cannot be signed: {error}") from error
