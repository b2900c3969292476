"""Certificates of a house: an authority, its servers, its tables."""

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from console.database.addresses import Credentials
from console.simulation.room.postgres_server import UNPRIVILEGED

BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
DAYS = timedelta(days=36_500)


def name_of(common_name: str) -> x509.Name:
    """A name with a CN alone."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


class Authority:
    """Signs certificates into a folder; `root` is its own."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name_of(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.root = folder / f"{name}.crt"
        own = self._builder(self._name, self._key.public_key())
        constraints = x509.BasicConstraints(ca=True, path_length=None)
        signed = own.add_extension(constraints, critical=True).sign(self._key, hashes.SHA256())
        self.root.write_bytes(signed.public_bytes(serialization.Encoding.PEM))

    def sign(self, common_name: str, host: str | None = None) -> tuple[Path, Path, int]:
        """Certificate, key and serial number of a table, or of the server of a host."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = self._builder(name_of(common_name), key.public_key())
        if host is not None:
            names = x509.SubjectAlternativeName([x509.DNSName(host)])
            builder = builder.add_extension(names, critical=False)
        signed = builder.sign(self._key, hashes.SHA256())
        stem = f"{self.root.stem}-{common_name}-{signed.serial_number}"
        certificate, key_file = self._folder / f"{stem}.crt", self._folder / f"{stem}.key"
        certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        key_file.touch(0o600)
        key_file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return certificate, key_file, signed.serial_number

    def credentials(self, common_name: str, root: Path | None = None) -> Credentials:
        """What a table of this name shows, and whom it trusts: this authority, or another."""
        certificate, key, _ = self.sign(common_name)
        return Credentials(str(certificate), str(key), str(root or self.root))

    def revoke(self, serial: int) -> Path:
        """A list of revoked certificates, with this one in it."""
        revoked = (
            x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(BEGIN).build()
        )
        revoked_list = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self._name)
            .last_update(BEGIN)
            .next_update(BEGIN + DAYS)
            .add_revoked_certificate(revoked)
            .sign(self._key, hashes.SHA256())
        )
        file = self._folder / "revoked.crl"
        file.write_bytes(revoked_list.public_bytes(serialization.Encoding.PEM))
        return file

    def _builder(
        self, subject: x509.Name, public_key: ec.EllipticCurvePublicKey
    ) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(public_key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(BEGIN)
            .not_valid_after(BEGIN + DAYS)
        )


def give_to_server(file: Path) -> Path:
    """The file is the server's own, as it wants its key."""
    if os.geteuid() == 0:
        shutil.chown(file, UNPRIVILEGED)
    return file
