"""Tokens and certificates that change under a running process."""

import datetime as dt
import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from zonewright.client.credentials import FileToken, LockedToken, StaticToken, Tls, TlsMaterial
from zonewright.clock import FakeClock


def pem_pair(name):
    """A self-signed certificate and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    start = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + dt.timedelta(days=3650))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return certificate.public_bytes(serialization.Encoding.PEM).decode(), private.decode()


@pytest.fixture(scope="module")
def pair():
    return pem_pair("client")


@pytest.fixture
def clock():
    return FakeClock()


def test_a_static_token_is_what_it_is_and_has_no_repr():
    token = StaticToken("Bearer secret")
    assert token() == "Bearer secret"
    assert "secret" not in repr(token)


def test_a_token_file_is_read_again_after_a_minute(tmp_path, clock):
    file = tmp_path / "token"
    file.write_text("one\n")
    token = FileToken(file, clock.monotonic)
    file.write_text("two\n")
    assert token() == "Bearer one"
    clock.advance(61)
    assert token() == "Bearer two"


@pytest.mark.parametrize("state", ["gone", "empty"])
def test_a_token_file_that_is_being_replaced_is_looked_at_again_later(tmp_path, clock, state):
    file = tmp_path / "token"
    file.write_text("one")
    token = FileToken(file, clock.monotonic)
    file.unlink() if state == "gone" else file.write_text("")
    clock.advance(61)
    assert token() == "Bearer one"
    file.write_text("two")
    clock.advance(61)
    assert token() == "Bearer two"


def test_an_empty_token_file_at_the_start_is_an_error(tmp_path):
    (tmp_path / "token").write_text(" \n")
    with pytest.raises(ValueError, match="is empty"):
        FileToken(tmp_path / "token")


def test_a_hook_is_called_by_one_thread_at_a_time():
    def hook():
        assert token._lock.locked()
        return "Bearer t"

    token = LockedToken(hook)
    assert token() == "Bearer t"


def test_a_context_trusts_only_its_authority(pair):
    context = TlsMaterial(ca_data=pair[0]).context()
    assert len(context.get_ca_certs()) == 1
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


def test_verification_can_be_turned_off():
    context = TlsMaterial(verify=False).context()
    assert context.verify_mode is ssl.CERT_NONE
    assert not context.check_hostname


@pytest.mark.parametrize("certificate_as", ["file", "data"])
@pytest.mark.parametrize("key_as", ["file", "data"])
def test_a_client_certificate_may_be_files_or_data(tmp_path, pair, certificate_as, key_as):
    (tmp_path / "c").write_text(pair[0])
    (tmp_path / "k").write_text(pair[1])
    TlsMaterial(
        ca_data=pair[0],
        cert_file=str(tmp_path / "c") if certificate_as == "file" else None,
        cert_data=pair[0] if certificate_as == "data" else None,
        key_file=str(tmp_path / "k") if key_as == "file" else None,
        key_data=pair[1] if key_as == "data" else None,
    ).context()


def test_secrets_have_no_repr(pair):
    assert "PRIVATE" not in repr(TlsMaterial(cert_data=pair[0], key_data=pair[1]))


def rotating(tmp_path, clock):
    certificate, key = pem_pair("first")
    (tmp_path / "c").write_text(certificate)
    (tmp_path / "k").write_text(key)
    material = TlsMaterial(ca_data=certificate, cert_file=str(tmp_path / "c"), key_file=str(tmp_path / "k"))
    return Tls(material, clock.monotonic)


def write(tmp_path, name, text):
    """As kubelet and cert-manager do: another file under the same name."""
    (tmp_path / "new").write_text(text)
    (tmp_path / "new").replace(tmp_path / name)


def test_rotated_files_make_a_new_context_after_a_minute(tmp_path, clock):
    tls = rotating(tmp_path, clock)
    first = tls.context()
    certificate, key = pem_pair("second")
    write(tmp_path, "c", certificate)
    write(tmp_path, "k", key)
    assert (tls.context(), tls.generation) == (first, 0)
    clock.advance(61)
    assert tls.refresh() == 1
    assert tls.context() is not first


def test_files_that_stay_keep_the_context(tmp_path, clock):
    tls = rotating(tmp_path, clock)
    first = tls.context()
    clock.advance(61)
    assert tls.context() is first


def test_between_the_two_writes_of_a_rotation_the_old_pair_stays(tmp_path, clock):
    tls = rotating(tmp_path, clock)
    first = tls.context()
    certificate, key = pem_pair("second")
    write(tmp_path, "c", certificate)
    clock.advance(61)
    assert (tls.context(), tls.generation) == (first, 0)
    write(tmp_path, "k", key)
    clock.advance(61)
    assert tls.refresh() == 1


def test_a_missing_file_keeps_the_context(tmp_path, clock):
    tls = rotating(tmp_path, clock)
    (tmp_path / "c").unlink()
    clock.advance(61)
    assert tls.refresh() == 0
