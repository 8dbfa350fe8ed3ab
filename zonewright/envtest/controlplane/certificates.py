"""The certificates and keys of one control plane, made in memory in a few milliseconds with elliptic-curve keys.

They are worth nothing outside their run directory: each start makes a new authority.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFETIME = dt.timedelta(days=30)
SKEW = dt.timedelta(hours=1)  # clocks that lag a little must still accept a certificate of this second


@dataclass(frozen=True, slots=True)
class Authority:
    """A certificate authority of our own."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @classmethod
    def create(cls, name: str = "envtest-ca") -> Authority:
        """Make a new one."""
        key = new_key()
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = _builder(subject, subject, key).add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True
        )
        usage = x509.KeyUsage(
            digital_signature=True,
            key_cert_sign=True,
            crl_sign=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            encipher_only=False,
            decipher_only=False,
        )
        return cls(builder.add_extension(usage, critical=True).sign(key, hashes.SHA256()), key)

    def issue_server(self, names: Sequence[str], addresses: Sequence[str]) -> tuple[bytes, bytes]:
        """Return certificate and key, in PEM, of a server that is known by these names and addresses."""
        key = new_key()
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
        alternatives: list[x509.GeneralName] = [x509.DNSName(name) for name in names]
        alternatives += [x509.IPAddress(ipaddress.ip_address(address)) for address in addresses]
        certificate = (
            _builder(subject, self.certificate.subject, key)
            .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(self.key, hashes.SHA256())
        )
        return certificate.public_bytes(serialization.Encoding.PEM), private_pem(key)

    def pem(self) -> bytes:
        """Return the authority's certificate, which clients are given to trust."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - SKEW)
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def new_key() -> ec.EllipticCurvePrivateKey:
    """Make a key; P-256 takes well under a millisecond where RSA takes a tenth of a second."""
    return ec.generate_private_key(ec.SECP256R1())


def private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a private key in PEM; in PKCS #8 the API server would not find the public half of it."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )


def write_credentials(directory: Path, names: Sequence[str], addresses: Sequence[str]) -> None:
    """Write ca.crt, apiserver.crt, apiserver.key and service-account.key into a directory, for its owner only."""
    authority = Authority.create()
    certificate, key = authority.issue_server(names, addresses)
    files = {
        "ca.crt": authority.pem(),
        "apiserver.crt": certificate,
        "apiserver.key": key,
        "service-account.key": private_pem(new_key()),
    }
    for name, content in files.items():
        path = directory / name
        path.touch(mode=0o600)
        path.write_bytes(content)
