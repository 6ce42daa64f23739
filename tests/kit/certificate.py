"""Certificates that nobody else trusts."""

from __future__ import annotations

import datetime
import ssl
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

FROM, UNTIL = datetime.datetime(2020, 1, 1), datetime.datetime(2099, 1, 1)


def write(
    folder: Path, *names: str, key_too: bool = True, twice: bool = False
) -> tuple[Path, Path]:
    """A certificate of its own authority, for 127.0.0.1 and these names. `twice`: one of its
    extensions is there twice, as in none that is in order."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "companion")])
    alternatives = [x509.DNSName(each) for each in names]
    here = x509.IPAddress(ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(FROM)
        .not_valid_after(UNTIL)
        .add_extension(x509.SubjectAlternativeName([*alternatives, here]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    )
    if twice:
        made._extensions.append(made._extensions[-1])  # the library itself refuses to
    certificate, private = folder / "cert.pem", folder / "key.pem"
    certificate.write_bytes(
        made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    )
    if key_too:
        private.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
    return certificate, private


def trusting(certificate: Path, kind: type[ssl.SSLContext] = ssl.SSLContext) -> ssl.SSLContext:
    context = kind(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(str(certificate))
    return context
