"""Progress of writes: a bar of tqdm where it is installed, otherwise a line on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeAlias

#: ``True`` for a bar, or a function that gets the number of written documents and that of all, if it is known.
Progress: TypeAlias = "bool | Callable[[int, int | None], None]"


class ProgressBar:
    """Reports the progress of a call."""

    def __init__(self, progress: Progress, total: int | None) -> None:
        self._done = 0
        self._total = total
        self._function = progress if callable(progress) else None
        self._bar: Any = None
        self._is_line = False
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self._is_line = True
            else:
                self._bar = tqdm(total=total, unit="doc")

    def add(self, count: int) -> None:
        self._done += count
        if self._function is not None:
            self._function(self._done, self._total)
        elif self._bar is not None:
            self._bar.update(count)
        elif self._is_line:
            of = f" of {self._total}" if self._total is not None else ""
            print(f"\r{self._done}{of} documents", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._is_line:
            print(file=sys.stderr)
