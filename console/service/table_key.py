"""The table's own key, as its configuration names it (decision 0020).

The store's library is imported where a store is opened: a table without a key does without it.
"""

from functools import partial
from pathlib import Path

from console.configuration.sections import Configuration, KeySection, KeyStoreKind
from jackpot.head_signer import HeadSigner
from jackpot.key_stores.store import KeyStore, KeyStoreLost


def head_signer_of(configuration: Configuration | None) -> HeadSigner | None:
    """What signs for a table; None without a key. Nothing is opened yet."""
    if configuration is None or configuration.key is None:
        return None
    return HeadSigner(configuration.table, partial(open_key_store, configuration.key))


def open_key_store(section: KeySection) -> KeyStore:
    """Open the store. Raises KeyStoreLost."""
    folder = Path(section.folder)
    try:
        if section.store is KeyStoreKind.FILE:
            from jackpot.key_stores.file import FileStore

            return FileStore(folder)
        from jackpot.key_stores.tpm import TpmStore

        return TpmStore(folder, section.device)
    except ModuleNotFoundError as error:
        raise KeyStoreLost(
            f"the table's key needs the library cryptography, which is not installed ({error}): "
            "see docs/audit.md"
        ) from error
