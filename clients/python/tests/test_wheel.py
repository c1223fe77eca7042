from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
FILES = ("pyproject.toml", "README.md", "hatch_build.py")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a copy of the package, without what the build leaves behind."""
    copy = tmp_path / "source"
    shutil.copytree(PACKAGE / "crabro", copy / "crabro", ignore=shutil.ignore_patterns("__pycache__", "_server"))
    for name in FILES:
        shutil.copy(PACKAGE / name, copy / name)
    return copy


def wheel(source: Path) -> Path:
    target = source.parent / "wheels"
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*command, "--no-build-isolation", "--wheel-dir", str(target), str(source)], check=True)
    return next(target.glob("*.whl"))


def test_a_wheel_without_the_server_is_for_any_platform(source: Path) -> None:
    built = wheel(source)

    assert built.name == "crabro-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(built) as archive:
        names = archive.namelist()
    assert "crabro/py.typed" in names
    assert not [name for name in names if "_server" in name or name.startswith("tests")]


def test_a_wheel_with_the_server_starts_it(source: Path, tmp_path: Path) -> None:
    program = source / "crabro" / "_server" / "bin" / "crabro"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho it is the server of the wheel; exit 7\n")
    program.chmod(0o755)

    built = wheel(source)

    assert built.name == "crabro-0.1.0-py3-none-linux_x86_64.whl"
    installed = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    subprocess.run([*command, "--target", str(installed), str(built)], check=True)
    code = f"import sys; sys.path.insert(0, {str(installed)!r}); import crabro; crabro.open({str(tmp_path / 'data')!r})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "it is the server of the wheel" in run.stderr
    assert "status 7" in run.stderr


def test_a_wheel_without_its_program_is_not_built(source: Path) -> None:
    (source / "crabro" / "_server").mkdir()

    with pytest.raises(subprocess.CalledProcessError):
        wheel(source)
