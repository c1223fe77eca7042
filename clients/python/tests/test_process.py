from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import crabro
from crabro import _process

#: The time in which a process must have done something, in seconds.
PATIENCE = 60.0

OPEN = """
import crabro, sys, time
db = crabro.open(sys.argv[1], settings={"warmUp": "0s"}, heap_mib=512)
db.collection("notes").upsert([{"id": "1", "title": "boat"}])
print(db._server.pid, flush=True)
"""


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_documents_survive_the_end_of_the_process(tmp_path: Path) -> None:
    first = python(OPEN, str(tmp_path))
    output, errors = first.communicate(timeout=PATIENCE)
    assert first.returncode == 0, errors
    assert not is_alive(int(output))

    with crabro.open(tmp_path, settings={"warmUp": "0s"}, heap_mib=512) as db:
        assert db.path == tmp_path
        assert db.collection("notes").search("boat").ids == ["1"]
        assert (tmp_path / "python").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "python" / "access").stat().st_mode & 0o777 == 0o600
        assert db.token is not None
        assert db.token not in (tmp_path / "python" / "access").read_text()
        for token in (None, "wrong"):
            with crabro.connect(db.url, token, config_url=db.config_url) as other:
                notes = other.collection("notes")
                with pytest.raises(crabro.AccessError, match="token"):
                    notes.count()


def test_the_server_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    killed = python(OPEN + "time.sleep(1000)", str(tmp_path))
    assert killed.stdout is not None
    server = int(killed.stdout.readline())
    # The second process finds the directory in use, then free again.
    with pytest.raises(crabro.DatabaseInUseError, match=f"process {killed.pid} ") as failure:
        crabro.open(tmp_path)
    assert "crabro.connect" in str(failure.value)

    killed.send_signal(signal.SIGKILL)
    killed.communicate()

    with crabro.open(tmp_path, settings={"warmUp": "0s"}, heap_mib=512) as db:
        assert not is_alive(server)
        assert db.collection("notes").count() == 1


def test_a_copy_of_the_process_holds_no_server(tmp_path: Path) -> None:
    code = OPEN + (
        "import os\n"
        "if os.fork() == 0:\n"
        "    sys.stdout.close(); os.close(1); os.close(2); time.sleep(1000)\n"
        "print(os.getpid(), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    # The copy waits in a session of its own, which the test ends.
    first = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        output, _ = first.communicate(timeout=PATIENCE)
        server = int(output.split()[0])
        wait_until(lambda: not is_alive(server))
    finally:
        os.killpg(first.pid, signal.SIGKILL)


def test_shares_a_server_in_one_process(db: crabro.Database, name: str) -> None:
    assert db.path is not None
    second = crabro.open(db.path)
    assert second.url == db.url
    second.close()
    second.close()

    db.collection(name).add([{"n": 1}])
    with pytest.raises(crabro.ConnectionLostError, match="is closed"):
        second.collections()


def test_says_that_another_server_has_the_directory(tmp_path: Path) -> None:
    launcher = str(_process.launcher())
    other = subprocess.Popen(
        [launcher, "serve", "--data", str(tmp_path), "--port", "0", "--config-port", "0", "--set", "warmUp=0s"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "CRABRO_HEAP_MIB": "256"},
    )
    try:
        assert other.stdout is not None
        assert "is up" in other.stdout.readline()
        with pytest.raises(crabro.DatabaseInUseError, match="another server"):
            crabro.open(tmp_path, heap_mib=256)
    finally:
        other.terminate()
        other.communicate()


def test_says_how_to_get_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRABRO_HOME", str(tmp_path))
    with pytest.raises(crabro.ServerStartError, match="has no bin/crabro"):
        crabro.open(tmp_path / "data")
    monkeypatch.delenv("CRABRO_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(crabro.ServerStartError, match="set CRABRO_HOME"):
        crabro.open(tmp_path / "data")


def test_finds_the_server_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "crabro"
    program.write_text("#!/bin/sh\necho it fails; echo because >&2; exit 3\n")
    program.chmod(0o700)
    monkeypatch.delenv("CRABRO_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    with pytest.raises(crabro.ServerStartError, match="status 3") as failure:
        crabro.open(tmp_path / "data")
    assert "it fails\nbecause" in str(failure.value)


def test_rejects_a_wrong_setting(tmp_path: Path) -> None:
    with pytest.raises(crabro.ServerStartError, match="warmUpp"):
        crabro.open(tmp_path, settings={"warmUpp": "0s"}, heap_mib=256)


def test_a_damaged_lock_names_no_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("[" * 100_000)
    with path.open("r+") as lock:
        assert _process._holder(lock) == (None, "")


@pytest.mark.parametrize(
    ("url", "message"),
    [("127.0.0.1:8080", "is no address"), ("ftp://a", "is no address"), ("http://u:p@a", "no user and password")],
)
def test_rejects_wrong_addresses(url: str, message: str) -> None:
    with pytest.raises(crabro.CrabroError, match=message):
        crabro.connect(url)


def test_says_that_no_server_answers() -> None:
    with crabro.connect("http://127.0.0.1:1") as db, pytest.raises(crabro.ConnectionLostError, match="did not answer"):
        db.collections()
