"""Notes and mails as dictionaries. No program of the comparison but Crabro reads them itself."""

import email
import email.policy
import mailbox
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def notes(directory):
    """Reads Markdown files. Front matter is read with a few lines, not with a parser of YAML."""
    for file in sorted(directory.rglob("*.md")):
        head, text = {}, file.read_text(encoding="utf-8")
        if text.startswith("---\n"):
            matter, text = text[4:].split("\n---\n", 1)
            for line in matter.splitlines():
                if line.startswith("  - "):
                    head.setdefault("tags", []).append(line[4:])
                elif not line.endswith(":"):
                    key, value = line.split(": ", 1)
                    head[key] = re.split(", ?", value[1:-1]) if value.startswith("[") else value
        title = head.get("title") or re.search("^# (.*)", text, re.MULTILINE).group(1)
        path = str(file.relative_to(directory))
        yield {"path": path, "title": title, "date": head.get("date"), "tags": head.get("tags", []), "text": text}


def mails(file):
    """Reads a mailbox with the package of Python."""
    parse = lambda stream: email.message_from_binary_file(stream, policy=email.policy.default)
    for mail in mailbox.mbox(file, factory=parse):
        yield {
            "id": mail["message-id"],
            "sender": mail["from"],
            "subject": mail["subject"],
            "date": parsedate_to_datetime(mail["date"]).astimezone(UTC),
            "text": mail.get_body(("plain",)).get_content(),
            "attachments": [part.get_filename() for part in mail.iter_attachments()],
        }


def price(text):
    return float(text.replace(".", "").replace(",", "."))


def day(text):
    return datetime.strptime(text, "%d.%m.%Y").date()


def vector(text, size=64):
    """A vector without a model: words are counted in places that a hash chooses. It knows no meaning and no typo."""
    import zlib

    cells = [0.0] * size
    for word in re.findall(r"\w+", text.lower()):
        cells[zlib.crc32(word.encode()) % size] += 1.0
    return cells
