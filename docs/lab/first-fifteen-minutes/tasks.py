"""The tasks of the first fifteen minutes, what is right, and the count of lines and errors.

A script of a program has one function for each task. What is in it is what a user types: its lines are counted, with
those of the functions of reading.py that it calls. What it returns is compared with EXPECTED. An exception that a task
catches with `met` is an error that a user meets when the first thing that comes to mind, or the first line of the
documentation, is tried.
"""

import contextlib
import inspect
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import reading

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[2] / "samples" / "home"

CUSTOMERS = {
    "Bäckerei Groß": (3, 1361.5),
    "Café Müller": (5, 2019.3),
    "Hotel Nordsee": (3, 2942.65),
    "Jürgen Weiß": (3, 140.65),
}
TAGS = {
    "coffee": 2,
    "garden": 2,
    "kitchen": 3,
    "paperwork": 1,
    "recipe": 2,
    "repair": 3,
    "sailing": 2,
    "travel": 3,
}
COFFEE = ["coffee", "espresso", "archipelago", "packing", "shopping"]

# In this order. Notes are named by their file, mails by the beginning of their id.
EXPECTED = {
    "import notes": 12,
    "import table": 14,
    "import mailbox": 3,
    "import json": 5,
    "1 word": COFFEE,
    "2 typo": COFFEE,
    "3 typo, long word": ["archipelago", "packing", "boat-2"],
    "4 beginning": ["pavilion"],
    "5 without umlauts": ["kaesekuchen", "uebergabe-1"],
    "6 date range": (8, 3251.0),
    "7 facets": (CUSTOMERS, TAGS),
    "8 parts of objects": (["T-1"], ["T-2", "T-3", "T-4"]),
    "new column": ["A-1010"],
    "second import": (11, ["archipelago", "coffee", "espresso", "shopping"], 14, 6426.5),
    "copy": (11, 14, 3, 5),
}


class Minutes:
    """One session of one program, in a directory of its own with a copy of the data."""

    def __init__(self, name):
        self.name = name
        self.directory = Path(tempfile.mkdtemp(prefix=f"minutes-{name}-"))
        self.home = self.directory / "home"
        shutil.copytree(SAMPLES, self.home)
        self.errors = []
        self.lines = {}
        self.seconds = {}
        self.wrong = {}
        self.functions = {}
        self.used = set()
        self.begin = time.monotonic()
        self.first_hit = None

    def task(self, name):
        assert name in EXPECTED, name

        def keep(function):
            self.functions[name] = function
            return function

        return keep

    @contextlib.contextmanager
    def met(self, what):
        """Records the error of its block. A block without one is a mistake of the script."""
        try:
            yield
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            self.errors.append((what, re.sub(r"\s+", " ", text)[:300]))
            return
        raise AssertionError(f"no error: {what}")

    def later(self):
        """What happens to the files before the second import."""
        subprocess.run(["bash", HERE / "later.sh", self.home], check=True)

    def run(self):
        for name, expected in EXPECTED.items():
            function = self.functions[name]
            self.lines[name] = typed(function, self.used)
            if name == "new column":
                self.later()
            begin = time.monotonic()
            try:
                result = plain(function(self.home))
            except NotPossible as no:
                result = f"not possible: {no}"
            self.seconds[name] = time.monotonic() - begin
            if name == "1 word":
                self.first_hit = time.monotonic() - self.begin
            if result != plain(expected):
                self.wrong[name] = result
        print(json.dumps(self.report(), ensure_ascii=False, indent=2))
        shutil.rmtree(self.directory)
        return self

    def report(self):
        return {
            "program": self.name,
            "lines": sum(self.lines.values()) + others(Path(sys.argv[0])),
            "lines by task": self.lines,
            "errors": self.errors,
            "import seconds": round(sum(s for n, s in self.seconds.items() if n.startswith("import")), 3),
            "first hit seconds": round(self.first_hit, 3),
            "all seconds": round(time.monotonic() - self.begin, 3),
            "right": len(EXPECTED) - len(self.wrong),
            "wrong": self.wrong,
        }


class NotPossible(Exception):
    """A task that the documentation of a program has no way for."""


def plain(value):
    """Returns a value with lists sorted and numbers rounded, so that values can be compared."""
    match value:
        case dict():
            return {str(k): plain(v) for k, v in value.items()}
        case list() if all(isinstance(each, str) for each in value):
            return sorted(name(each) for each in value)
        case list() | tuple():
            return [plain(each) for each in value]
        case float():
            return round(value, 2)
    return value


def name(given):
    """Returns the short name of a note or a mail."""
    return re.sub(r"@.*|\.md$", "", given.strip("<>").rpartition("/")[2])


def typed(function, used):
    """Counts lines of code: of a function without its first lines, and of what it is the first to use of reading.py."""
    source = inspect.getsource(function)
    count = lines(source) - 2
    for each in set(re.findall(r"\breading\.(\w+)", source)) - used:
        used.add(each)
        count += lines(inspect.getsource(getattr(reading, each)))
    return count


def others(script):
    """Counts the lines of a script outside of its tasks, without those for this comparison."""
    source = script.read_text(encoding="utf-8")
    without = re.sub(r"^@minutes\.task.*\ndef .*\n(?:(?:    .*)?\n)*", "", source, flags=re.MULTILINE)
    return lines(re.sub(r"^(minutes = |import tasks|tasks\.main|import reading).*", "", without, flags=re.MULTILINE))


def lines(source):
    without = re.sub(r'""".*?"""', "", source, flags=re.DOTALL)
    code = [line.strip() for line in without.splitlines()]
    return sum(1 for line in code if line and not line.startswith(("#", "with minutes.met")))


def main(minutes):
    minutes.run()
    sys.stdout.flush()
