#!/usr/bin/env python3
"""Computes what settings of a rank profile make of native scores, as their definitions read.

Usage: rank-settings.py > rank-settings.txt

Nothing is shared with the program: RankSettingsIT deploys the same profiles, feeds the same
documents and compares. Each line is a rank profile, a document, a feature and its value.
"""
import math

DOCS = {
    "1": dict(title="red b c d e f g".split(), body="red red x".split(), labels={"red": 7, "blue": 2}),
    "2": dict(title="b red".split(), body="y x red".split(), labels={"red": -3}),
    "3": dict(title="b".split(), body=["z"], labels={"blue": 1}),
}
# field, word, weight; nothing is counted, so that each has a significance of 1
TERMS = [("title", "red", 200), ("body", "red", 100), ("body", "x", 100), ("labels", "red", 100)]


def expdecay(w, t, size=256):
    return [w * math.exp(-i / t) for i in range(int(size))]


def loggrowth(w, t, s, size=256):
    return [w * math.log(1 + i / s) + t for i in range(int(size))]


def linear(w, t, size=256):
    return [w * i + t for i in range(int(size))]


ABOUT = dict(first=expdecay(8000, 12.5), count=loggrowth(1500, 4000, 19), near=expdecay(500, 3),
             reverse=expdecay(400, 3), weight=linear(1, 0))
IDENTITY = dict(ABOUT, first=expdecay(100, 12.5), near=expdecay(5000, 3), reverse=expdecay(3000, 3))
TAGS = dict(ABOUT, weight=loggrowth(38, 50, 1))
EMPTY = {k: linear(0, 0) for k in ABOUT}


def at(table, i):
    return table[min(i, len(table) - 1)]


class Profile:
    def __init__(self, weights=None, tables=None, parts=(100, 25, 100), normalized=True, imp=0.5, least=6, length=None,
                 pimp=0.5):
        self.weights = dict({"title": 100, "body": 100, "labels": 100}, **(weights or {}))
        self.tables = dict({f: ABOUT for f in self.weights}, **(tables or {}))
        self.parts, self.normalized, self.imp, self.least = parts, normalized, imp, least
        self.length, self.pimp = length, pimp

    def field_match(self, doc):
        num = den = 0
        for f, word, w in TERMS:
            if f == "labels" or not self.weights[f]:
                continue
            t, imp = self.tables[f], self.imp if f == "title" else 0.5
            top = max(t["first"]) * imp + max(t["count"]) * (1 - imp) if self.normalized else 1
            den += w * self.weights[f]
            places = [i for i, x in enumerate(doc[f]) if x == word]
            if places and top:
                length = self.length if self.length and f == "title" else len(doc[f])
                n = max(self.least, length)
                first = at(t["first"], places[0] * (len(t["first"]) - 1) // (n - 1))
                count = at(t["count"], len(places) * (len(t["count"]) - 1) // n)
                num += w * self.weights[f] / top * (imp * first + (1 - imp) * count)
        return num / den if den else num

    def proximity(self, doc):
        if not self.weights["body"]:
            return 0
        t = self.tables["body"]
        one, two = ([i for i, x in enumerate(doc["body"]) if x == w] for w in ("red", "x"))
        forward = min((b - a for a in one for b in two if b > a), default=1000000)
        back = min((a - b for a in one for b in two if a > b), default=1000000)
        top = max(t["near"]) * self.pimp + max(t["reverse"]) * (1 - self.pimp) if self.normalized else 1
        if not top:
            return 0
        # Words that are not there are as far apart as can be: the last entry of a table.
        # One pair: its weight is in what it is divided by, too.
        near = self.pimp * at(t["near"], max(forward - 1, 0)) + (1 - self.pimp) * at(t["reverse"], max(back - 1, 0))
        return near / top

    def attribute_match(self, doc):
        t = self.tables["labels"]["weight"]
        m = doc["labels"].get("red")
        top = max(t) if self.normalized else 1
        return math.copysign(1, m) * at(t, abs(m)) / top if m is not None and top and self.weights["labels"] else 0

    def features(self, doc):
        a, b, c = self.field_match(doc), self.proximity(doc), self.attribute_match(doc)
        x, y, z = self.parts
        whole = (x * a + y * b + z * c) / (x + y + z)
        return dict(nativeFieldMatch=a, nativeProximity=b, nativeAttributeMatch=c, nativeRank=whole)


PROFILES = {
    "plain": Profile(),
    "weighted": Profile({"body": 50, "labels": 400}),
    "weightless": Profile({"body": 0}),
    "filtered": Profile({"title": 0}),
    "identity": Profile(tables={"title": IDENTITY, "body": IDENTITY}),
    "tagged": Profile(tables={"labels": TAGS}),
    "emptied": Profile(tables={"title": EMPTY, "labels": EMPTY}),
    "tables": Profile(tables={
        "title": dict(ABOUT, first=linear(-2, 100, 20)),
        "body": dict(ABOUT, count=expdecay(10, 2), near=linear(-1, 50, 10), reverse=loggrowth(3, 1, 2, 30)),
        "labels": dict(ABOUT, weight=loggrowth(10, 1, 2, 5))}),
    "parts": Profile(parts=(3, 2, 1), imp=0.25, least=2, length=9, pimp=0.75),
    "raw": Profile(parts=(100, 100, 100), normalized=False),
}

for name, profile in PROFILES.items():
    for number, doc in DOCS.items():
        for feature, value in profile.features(doc).items():
            print(f"{name}\t{number}\t{feature}\t{float(value)!r}")
