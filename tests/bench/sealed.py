"""A ledger's second copy and seal for the benchmarks; the seal as it was, or signed."""

from pathlib import Path

from console.service.counterparts import Counterparts
from jackpot.trust.counterpart import Counterpart
from jackpot.trust.head_signer import HeadSigner
from jackpot.trust.key_stores.file import FileStore, make_file_store
from jackpot.trust.seal_file import SealFile
from jackpot.trust.seal_signing import SealSigning
from jackpot.trust.second_copy import SecondCopy
from jackpot.trust.signed_nights import SignedNights, nights_file


def counterparts_in(folder: Path, *, signed: bool) -> Counterparts:
    """Both in this folder, which has nothing yet; `signed`: with a key in a file."""
    seal, key, copy = folder / "seal", folder / "key", folder / "copy"
    copy.mkdir()
    if signed:
        make_file_store(key)

    def counterparts(ledger: Path) -> tuple[Counterpart, ...]:
        signing = None
        if signed:
            signer = HeadSigner("bench", lambda: FileStore(key))
            signing = SealSigning(signer, SignedNights(nights_file(seal)))
        return SecondCopy(ledger, copy), SealFile(seal, ledger, "bench", signing=signing)

    return counterparts
