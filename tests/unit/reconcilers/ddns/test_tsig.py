"""Our signatures against dnspython's, in both directions, and what a wrong one does."""

import base64
import time

import dns.message
import dns.rdatatype as rt
import dns.tsig
import dns.tsigkeyring
import pytest

from reconcilers.ddns import TsigFailed, TsigKey, parse_zone
from reconcilers.ddns.errors import MalformedReply
from reconcilers.ddns.tsig import ALGORITHMS, InvalidTsigKey, Signature, Verifier, sign
from reconcilers.ddns.wire import QUERY, Reply, assemble

ZONE = parse_zone("example.org")
SECRET = base64.b64encode(b"s" * 32).decode()
KEY = TsigKey.of("update-key", "hmac-sha256", SECRET)
NOW = 1_700_000_000


def ring(algorithm="hmac-sha256", secret=SECRET):
    return {dns.name.from_text("update-key"): dns.tsig.Key("update-key", secret, algorithm)}


@pytest.fixture(autouse=True)
def _frozen(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: NOW)


def exchange(algorithm="hmac-sha256"):
    key = TsigKey.of("Update-Key", algorithm, SECRET)
    wire, mac = sign(assemble(9, QUERY, ZONE, rt.SOA), key, NOW)
    question = dns.message.from_wire(wire, keyring=ring(algorithm))
    return key, mac, question


def check(key, mac, wire, now=NOW):
    reply = Reply.parse(wire)
    Verifier(key, mac, now).check(reply.message, reply.signature(), doing="test")


@pytest.mark.parametrize("algorithm", sorted(set(ALGORITHMS) - {"hmac-md5.sig-alg.reg.int"}))
def test_each_algorithm_both_ways(algorithm):
    key, mac, question = exchange(algorithm)
    assert question.had_tsig
    assert len(mac) == key.digest_size
    check(key, mac, dns.message.make_response(question).to_wire())


def test_signing_adds_what_it_says():
    message = assemble(9, QUERY, ZONE, rt.SOA)
    assert len(sign(message, KEY, NOW)[0]) == len(message) + KEY.overhead


@pytest.mark.parametrize("where", [2, 14, -1])
def test_a_changed_reply_is_not_accepted(where):
    key, mac, question = exchange()
    wire = bytearray(dns.message.make_response(question).to_wire())
    # The last byte is the "other length" of the TSIG record; the one before the MAC's end belongs to the MAC.
    position = where if where > 0 else len(wire) - 10
    wire[position] ^= 1
    with pytest.raises(TsigFailed) as failed:
        check(key, mac, bytes(wire))
    assert failed.value.reason == "TsigVerificationFailed"
    assert failed.value.ambiguous, "the server may have done what was asked"


def test_an_unsigned_reply_is_not_accepted():
    key, mac, _ = exchange()
    bare = dns.message.make_response(dns.message.make_query("example.org", "SOA")).to_wire()
    with pytest.raises(TsigFailed, match="not signed"):
        check(key, mac, bare)


def test_a_reply_from_another_time_is_not_accepted():
    key, mac, question = exchange()
    with pytest.raises(TsigFailed, match="clocks"):
        check(key, mac, dns.message.make_response(question).to_wire(), now=NOW + 301)


def test_a_reply_to_another_question_is_not_accepted():
    key, _, question = exchange()
    with pytest.raises(TsigFailed, match="wrong"):
        check(key, b"x" * 32, dns.message.make_response(question).to_wire())


@pytest.mark.parametrize(
    ("error", "word"),
    [(dns.rcode.BADKEY, "BADKEY"), (dns.rcode.BADSIG, "BADSIG"), (dns.rcode.BADTIME, "BADTIME"), (23, "error 23")],
)
def test_the_servers_complaint_is_told_by_name(error, word):
    signature = Signature(0, b"\0" * 8, b"", 9, int(error))
    with pytest.raises(TsigFailed, match=word) as failed:
        signature.raise_for_error("update")
    assert not failed.value.ambiguous, "it did nothing"
    assert SECRET not in str(failed.value)


def stream(messages):
    """A transfer's messages as a server signs them: each signature covers what came since the last one."""
    key, mac, question = exchange()
    context, wires = None, []
    for _ in range(messages):
        reply = dns.message.make_response(question)
        wires.append(reply.to_wire(multi=True, tsig_ctx=context))
        context = reply.tsig_ctx
    return key, mac, wires


def test_a_chain_of_messages_is_one_signature():
    key, mac, wires = stream(3)
    verifier = Verifier(key, mac, NOW)
    for wire in wires:
        reply = Reply.parse(wire)
        verifier.check(reply.message, reply.signature(), doing="transfer")
    verifier.finish("transfer")


def test_a_chain_with_a_message_left_out_is_not_accepted():
    key, mac, wires = stream(3)
    verifier = Verifier(key, mac, NOW)
    first, last = Reply.parse(wires[0]), Reply.parse(wires[2])
    verifier.check(first.message, first.signature(), doing="transfer")
    with pytest.raises(TsigFailed, match="wrong"):
        verifier.check(last.message, last.signature(), doing="transfer")


def test_a_chain_must_end_signed_and_be_signed_now_and_then():
    key, mac, wires = stream(1)
    verifier = Verifier(key, mac, NOW)
    reply = Reply.parse(wires[0])
    verifier.check(reply.message, reply.signature(), doing="transfer")
    verifier.check(b"bare", None, doing="transfer")
    with pytest.raises(TsigFailed, match="end"):
        verifier.finish("transfer")
    for _ in range(98):
        verifier.check(b"bare", None, doing="transfer")
    with pytest.raises(TsigFailed, match="too many"):
        verifier.check(b"bare", None, doing="transfer")


@pytest.mark.parametrize(
    ("algorithm", "secret", "complaint"),
    [("hmac-sha3", SECRET, "algorithm"), ("hmac-sha256", "not base64!", "base64"), ("hmac-sha256", "", "empty")],
)
def test_a_key_that_cannot_work_is_refused_without_any_of_it(algorithm, secret, complaint):
    with pytest.raises(InvalidTsigKey, match=complaint) as refused:
        TsigKey.of("update-key", algorithm, secret)
    for part in ("update-key", "hmac-sha3,", secret or "-"):
        assert part not in str(refused.value) or part == "-"


@pytest.mark.parametrize("name", ["a..hunter2", "hunter2" * 20, "", ".", "@", "hunter2\\"])
def test_a_name_that_no_key_can_have_is_not_repeated(name):
    with pytest.raises(InvalidTsigKey, match="the name of the TSIG key") as refused:
        TsigKey.of(name, "hmac-sha256", SECRET)
    assert "hunter2" not in str(refused.value)


def test_a_key_shows_nothing_of_itself():
    for shown in (repr(KEY), str(KEY), f"{KEY}"):
        assert shown == "TsigKey()"


def test_old_md5_keys_have_a_long_name():
    assert TsigKey.of("k", "HMAC-MD5", SECRET).algorithm == "hmac-md5.sig-alg.reg.int"


def test_a_cut_off_signature_is_malformed():
    with pytest.raises(MalformedReply):
        Signature.parse(0, b"\x04hmac")
