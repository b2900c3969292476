"""`banco key make`, `show`, `sign`: the table's own key, as its configuration names it."""

import asyncio
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from console.configuration.file import load_configuration
from console.configuration.places import line_of
from console.configuration.sections import Configuration, KeySection, KeyStoreKind
from console.line.client import LineClient, Unreachable
from console.line.requests import AnyAnswer, Done, No, NoCode, SignHead
from console.service.supervision.process_end import describe_failure
from jackpot.failures import Failure, Unavailable

DONE, UNUSABLE = 0, 2

TITLES: Mapping[KeyStoreKind, str] = {
    KeyStoreKind.TPM: "a TPM 2.0",
    KeyStoreKind.FILE: "a file, without a TPM: whoever reads it can sign as the table",
}


def have_head_signed(configuration: Configuration) -> str:
    """Have the table of this configuration sign; what it answers. Raises Unavailable.

    A table that has signed within the last minute does not sign again: that is enough.
    """
    try:
        answer = asyncio.run(_ask(line_of(configuration)))
    except Unreachable as error:
        raise Unavailable(f"the table cannot sign its newest record: {error}") from error
    if isinstance(answer, Done):
        head = answer.decisions[0]
        return f"the table has signed record {head['seq']}, with counter {head['counter']}"
    if isinstance(answer, No) and answer.code == NoCode.WAIT:
        return "the table has signed a record within the last minute"
    raise Unavailable(f"the table has not signed its newest record: {answer}")


async def _ask(socket: Path) -> AnyAnswer:
    client = LineClient(socket)
    try:
        return await client.ask(SignHead())
    finally:
        client.close()


def make_key(file: Path) -> int:
    """Make the table's own key, once; the exit status."""
    return _work_on_key(file, _make)


def show_key(file: Path) -> int:
    """Print where the table's key is; the exit status."""
    return _work_on_key(file, _show)


def sign_newest_record(file: Path) -> int:
    """Have the running table sign its newest record; the exit status."""
    return _work_on_key(file, _sign)


def _work_on_key(file: Path, work: Callable[[Configuration, KeySection], list[str]]) -> int:
    try:
        configuration = load_configuration(file)
        if configuration.key is None:
            print(f"{file}: it has no section [key]", file=sys.stderr)
            return UNUSABLE
        for line in work(configuration, configuration.key):
            print(line)
    except (Failure, OSError) as error:
        print(describe_failure(error), file=sys.stderr)
        return UNUSABLE
    return DONE


def _make(_: Configuration, section: KeySection) -> list[str]:
    from jackpot.trust.key_stores.file import KEY, make_file_store
    from jackpot.trust.key_stores.tpm import make_tpm_store
    from jackpot.trust.signing import public_file

    folder = Path(section.folder)
    if section.store is KeyStoreKind.FILE:
        public = make_file_store(folder)
    else:
        public = make_tpm_store(folder, section.device)
    return [
        f"the key is in {TITLES[section.store]}",
        f"public key  {public_file(folder / KEY)}: for everybody who checks",
        f"fingerprint {public.fingerprint}",
    ]


def _show(_: Configuration, section: KeySection) -> list[str]:
    from console.service.table_key import open_key_store

    store = open_key_store(section)
    return [
        f"the key is in {TITLES[section.store]}",
        f"fingerprint {store.public.fingerprint}",
        f"counter     {store.read_counter()}",
    ]


def _sign(configuration: Configuration, _: KeySection) -> list[str]:
    return [have_head_signed(configuration)]
