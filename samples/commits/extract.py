#!/usr/bin/env python3
"""Takes the sample's feed from a larger file of commits of public repositories.

Usage: extract.py activity.jsonl.gz feed.jsonl.gz

Which documents: all of the groups named below, less those with more than 20 paths or 2,000
characters of body, and those with an e-mail address in them. The output is the same for the same
input.
"""
import gzip
import json
import re
import sys

# One person with thousands of commits, some with hundreds, many with a few.
GROUPS = {"u12"} | {f"u{n}" for n in range(60, 70)} | {f"u{n}" for n in range(300, 700)}

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.\w")


def main(source, target):
    kept = 0
    groups = set()
    with gzip.open(source, "rt", encoding="utf-8") as lines, open(target, "wb") as raw:
        with gzip.GzipFile("", "wb", 9, raw, 0) as out:
            for line in lines:
                document = json.loads(line)
                group = document["put"].split(":g=")[1].split(":")[0]
                fields = document["fields"]
                short = len(fields["files"]) <= 20 and len(fields["body"]) <= 2000
                if group in GROUPS and short and not ADDRESS.search(fields["subject"] + fields["body"]):
                    out.write((json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n").encode())
                    kept += 1
                    groups.add(group)
    print(f"{kept} documents of {len(groups)} groups")


main(sys.argv[1], sys.argv[2])
