"""Names the platform of a wheel that has the server in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: The platform of the Java runtime that bin/package makes. CRABRO_WHEEL_PLATFORM names another one.
PLATFORM = "linux_x86_64"


class ServerHook(BuildHookInterface[Any]):
    """Without ``crabro/_server`` the wheel is for any platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        server = Path(self.root) / "crabro" / "_server"
        if version == "editable" or not server.exists():
            return
        if not os.access(server / "bin" / "crabro", os.X_OK):
            raise FileNotFoundError(f"{server} has no program bin/crabro")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ.get('CRABRO_WHEEL_PLATFORM', PLATFORM)}"
