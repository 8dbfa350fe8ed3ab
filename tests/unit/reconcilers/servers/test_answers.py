"""What bindcar answers: how it is read by many threads."""

import subprocess
import sys

import msgspec

from reconcilers.servers import answers
from tests.support import ROOT

RACE = """
import sys, threading
from reconcilers.servers.answers import DECODERS, ZoneFields, parse
sys.setswitchinterval(1e-6)
barrier = threading.Barrier(16)
def first():
    barrier.wait()
    parse(b'{"name": "example.org", "owner": {"cluster": "c", "uid": "u"}, "config": {"ttl": 60}}', ZoneFields)
threads = [threading.Thread(target=first) for _ in range(16)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


def test_every_struct_is_worked_out_before_threads_use_it():
    structs = [each for each in vars(answers).values() if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    parts = {answers.OwnerFields, answers.ZoneSettings}  # of others
    assert set(structs) - parts == set(answers.DECODERS)


def test_threads_that_read_their_first_answers_at_once_do_not_crash():
    """Of ten processes, each with sixteen threads, more than one used to end with a segmentation fault."""
    runs = [subprocess.run([sys.executable, "-c", RACE], cwd=ROOT, check=False) for _ in range(10)]
    assert [run.returncode for run in runs] == [0] * 10
