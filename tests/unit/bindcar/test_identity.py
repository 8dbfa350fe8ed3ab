"""The server id: made once, kept, and never a reason not to start."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bindcar.identity import FILE, server_id


def test_it_is_made_once_and_stays(tmp_path: Path) -> None:
    first = server_id(tmp_path)
    assert len(first) == 32
    assert server_id(tmp_path) == first
    assert [path.name for path in tmp_path.iterdir()] == [FILE], "nothing else is left behind"


def test_two_directories_are_two_servers(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert server_id(tmp_path) != server_id(tmp_path / "other")


def test_processes_that_start_at_the_same_moment_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: server_id(tmp_path), range(32)))
    assert found == {server_id(tmp_path)}
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_where_none_can_be_made_there_is_none_and_the_log_says_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "bindcar"):
        assert server_id(tmp_path / "missing") == ""
    assert "No such file or directory; make the directory writable" in caplog.text


@pytest.mark.parametrize("content", [b"", b"no id", b"\xff" * 32, b"A" * 32, b"a" * 33])
def test_a_damaged_one_is_not_replaced_by_another(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).write_bytes(content)
    with caplog.at_level(logging.WARNING, "bindcar"):
        assert server_id(tmp_path) == ""
    assert f"{FILE} holds something else; remove the file" in caplog.text
    assert (tmp_path / FILE).read_bytes() == content
