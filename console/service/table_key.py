"""The table's own key, as its configuration names it (decision 0013).

Everything of it is imported where it is used: a table without a key does without.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from console.configuration.sections import Configuration, KeySection, KeyStoreKind
from jackpot.failures import KeyUnusable

if TYPE_CHECKING:
    from jackpot.trust.head_signer import HeadSigner
    from jackpot.trust.key_stores.store import KeyStore
    from jackpot.trust.seal_signing import SealSigning


def head_signer_of(configuration: Configuration | None) -> "HeadSigner | None":
    """What signs for a table; None without a key. Nothing is opened yet."""
    if configuration is None or configuration.key is None:
        return None
    from jackpot.trust.head_signer import HeadSigner

    return HeadSigner(configuration.table, partial(open_key_store, configuration.key))


def seal_signing_of(signer: "HeadSigner", seal: Path) -> "SealSigning":
    """What signs the seal in this file, and each night."""
    from jackpot.trust.seal_signing import SealSigning
    from jackpot.trust.signed_nights import SignedNights, nights_file

    return SealSigning(signer, SignedNights(nights_file(seal)))


def open_key_store(section: KeySection) -> "KeyStore":
    """Open the store. Raises KeyUnusable."""
    folder = Path(section.folder)
    try:
        if section.store is KeyStoreKind.FILE:
            from jackpot.trust.key_stores.file import FileStore

            return FileStore(folder)
        from jackpot.trust.key_stores.tpm import TpmStore

        return TpmStore(folder, section.device)
    except ModuleNotFoundError as error:
        raise KeyUnusable(
            f"the table's key needs the library cryptography, which is not installed ({error}): "
            "see docs/how-to/audit.md"
        ) from error
