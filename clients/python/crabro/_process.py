"""The server of :func:`crabro.open`: a process of its own, for as long as this process has the database open.

The standard input of the server is a pipe that this process holds. The server stops when the pipe ends, also if this
process is killed. A lock of the file ``python/lock`` in the directory says which process has it open. The server
inherits the lock, so the directory is free again only after the server has ended.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from ._http import Place
from .errors import DatabaseInUseError, ServerStartError

if sys.platform != "win32":
    import fcntl

#: The time limit of a start, in seconds.
START_TIMEOUT = 120.0

#: The time that a server has to force its data and to end, in seconds. The server ends requests within 10 s.
STOP_TIMEOUT = 30.0

#: Settings that :func:`crabro.open` can replace. A script waits for the server, so it is ready before it is warm. It
#: goes on warming up while nothing is asked.
SETTINGS = {"warmUp": "10ms"}

#: The lines of a failed start that the exception has.
SHOWN_LINES = 20

_READY = re.compile(r"is up: search and documents (\S+), config (\S+), data ")
_HINT = (
    "install the wheel that has the server, or set CRABRO_HOME to the directory of Crabro, or put crabro on the PATH"
)


def launcher() -> Path:
    """Return the program that starts the server.

    :raises ServerStartError: if there is none
    """
    inside = Path(__file__).parent / "_server" / "bin" / "crabro"
    if inside.is_file():
        return inside
    home = os.environ.get("CRABRO_HOME")
    if home:
        program = Path(home).expanduser() / "bin" / "crabro"
        if not program.is_file():
            raise ServerStartError(f"CRABRO_HOME is {home!r}, which has no bin/crabro", hint=_HINT)
        return program
    found = shutil.which("crabro")
    if found is None:
        raise ServerStartError("this package was installed without the server, and no other one was found", hint=_HINT)
    return Path(found)


class ServerProcess:
    """A server that this process has started, with the number of its users in this process."""

    def __init__(self, path: Path, process: subprocess.Popen[str], place: Place, lock: IO[str]) -> None:
        self.path = path
        self.place = place
        self.users = 1
        self._process = process
        self._lock = lock
        self._owner = os.getpid()

    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        """Stop the server, and wait until its data is on the disk."""
        if self._owner != os.getpid():
            # A copy of the process that started it.
            return
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._lock.close()

    def forget_in_copy(self) -> None:
        """Close the pipe in a process that fork() made, so that the pipe ends with the first process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._lock.close()


_running: dict[Path, ServerProcess] = {}
_guard = threading.Lock()


def start(path: Path, settings: Mapping[str, str], heap_mib: int | None) -> ServerProcess:
    """Return the server of a directory. If this process has it open already, it is the same one."""
    directory = Path(os.path.abspath(path.expanduser()))
    with _guard:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        directory = directory.resolve()
        present = _running.get(directory)
        if present is not None and present.is_running():
            present.users += 1
            return present
        started = _start(directory, settings, heap_mib)
        _running[directory] = started
        return started


def release(server: ServerProcess) -> None:
    """End the use of a server. The last user in this process stops it."""
    with _guard:
        server.users -= 1
        if server.users > 0:
            return
        if _running.get(server.path) is server:
            del _running[server.path]
    server.stop()


def _stop_all() -> None:
    with _guard:
        servers = list(_running.values())
        _running.clear()
    for server in servers:
        server.stop()


def _after_fork() -> None:
    global _guard
    _guard = threading.Lock()
    for server in _running.values():
        server.forget_in_copy()
    _running.clear()


atexit.register(_stop_all)
if sys.platform != "win32":
    os.register_at_fork(after_in_child=_after_fork)


def _start(directory: Path, settings: Mapping[str, str], heap_mib: int | None) -> ServerProcess:
    program = launcher()
    own = directory / "python"
    own.mkdir(mode=0o700, exist_ok=True)
    lock = _locked(own / "lock", directory)
    try:
        token = secrets.token_urlsafe(32)
        access = own / "access"
        _write_private(access, _access(token))
        process = _launched(program, directory, access, own / "server.err", settings, heap_mib, lock)
        try:
            url, config_url = _addresses(process, own / "server.err", directory)
            _describe(lock, url)
        except BaseException:
            process.kill()
            process.wait()
            if process.stdin is not None:
                process.stdin.close()
            raise
    except BaseException:
        lock.close()
        raise
    return ServerProcess(directory, process, Place(url, config_url, token), lock)


def _access(token: str) -> str:
    digest = hashlib.sha256(token.encode()).hexdigest()
    return f"# Written at each start by the Python package crabro.\n[python]\npermissions = all\ntoken = {digest}\n"


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def _locked(path: Path, directory: Path) -> IO[str]:
    """Return the locked file that says which process has the directory open."""
    if sys.platform == "win32":
        raise ServerStartError("the server does not run on Windows", hint="use crabro.connect with a server elsewhere")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    lock = os.fdopen(descriptor, "r+", encoding="utf-8")
    give_up = time.monotonic() + STOP_TIMEOUT
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            pid, url = _holder(lock)
            # The server of a process that has ended needs a moment to stop.
            if (pid is None or _is_alive(pid)) or time.monotonic() > give_up:
                lock.close()
                where = f", its server is {url}" if url else ""
                raise DatabaseInUseError(
                    f"the process {pid or '(unknown)'} has this directory open{where}",
                    place=str(directory),
                    hint="close it there, or use its server: crabro.connect(db.url, db.token, config_url=…)",
                ) from None
            time.sleep(0.1)
    _describe(lock, "")
    return lock


def _describe(lock: IO[str], url: str) -> None:
    lock.seek(0)
    lock.truncate()
    json.dump({"pid": os.getpid(), "url": url}, lock)
    lock.flush()


def _holder(lock: IO[str]) -> tuple[int | None, str]:
    lock.seek(0)
    try:
        held = json.loads(lock.read(10_000))
        return int(held["pid"]), str(held["url"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None, ""


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _launched(
    program: Path,
    directory: Path,
    access: Path,
    errors: Path,
    settings: Mapping[str, str],
    heap_mib: int | None,
    lock: IO[str],
) -> subprocess.Popen[str]:
    command = [str(program), "serve", "--data", str(directory), "--port", "0", "--config-port", "0"]
    command += ["--access", str(access), "--stop-with-input"]
    for name, value in {**SETTINGS, **settings}.items():
        command += ["--set", f"{name}={value}"]
    environment = dict(os.environ)
    if heap_mib is not None:
        environment["CRABRO_HEAP_MIB"] = str(int(heap_mib))
    try:
        with errors.open("w") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                text=True,
                encoding="utf-8",
                errors="replace",
                pass_fds=(lock.fileno(),),
                # An interrupt of the terminal or of a notebook is for this process alone.
                start_new_session=True,
            )
    except OSError as e:
        raise ServerStartError(f"the server cannot be started: {e}", place=str(program)) from e


def _addresses(process: subprocess.Popen[str], errors: Path, directory: Path) -> tuple[str, str]:
    """Read what the server prints until it is up, and return its addresses."""
    output = process.stdout
    assert output is not None
    lines: list[str] = []
    # A server that does not start ends after this time, and so does its output.
    timer = threading.Timer(START_TIMEOUT, process.kill)
    timer.daemon = True
    timer.start()
    try:
        for line in output:
            match = _READY.search(line)
            if match:
                threading.Thread(target=_drain, args=(output,), name="crabro-output", daemon=True).start()
                return match.group(1), match.group(2)
            lines.append(line.rstrip())
    finally:
        timer.cancel()
    status = process.wait()
    output.close()
    written = errors.read_text(encoding="utf-8", errors="replace").splitlines()
    shown = "\n".join((lines + written)[-SHOWN_LINES:])
    if "is in use by another process" in shown:
        raise DatabaseInUseError(
            "another server has this directory open",
            place=str(directory),
            hint="stop it, or use it: crabro.connect(url, token)",
        )
    raise ServerStartError(f"the server ended with status {status} before it was up:\n{shown}", place=str(directory))


def _drain(output: IO[str]) -> None:
    # The server never waits for a full pipe.
    with contextlib.suppress(ValueError, OSError), output:
        for _ in output:
            pass
