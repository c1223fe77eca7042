#!/usr/bin/env python3
"""Computes features of three documents as their definitions read.

Usage: feature-values.py > feature-values.txt

Nothing is shared with the program: FeatureValuesTest has the same documents, query and rank
properties, and compares the two. Each line is a document, a feature and its value: a number, or the
cells of a tensor by their labels.
"""
import math
import struct

NOW = 1700000000
UNKNOWN = 1000000
MAX = 1.7976931348623157e308
PLACE = (52.52, 13.405)
QUERY = [1.0, 1.0, 0.0]
IDF = math.log(1 + 0.5 / 1.5)

DOCS = [
    dict(title="a c d b a".split(), tags=["b x".split(), "a b b".split()], labels=["p", "q"],
         tastes={"sweet": 3, "sour": -2}, marks={"x": 10, "y": 30, "z": 60}, sizes=[4, 5, 6], size=7, level=-127, sent=NOW - 1000, times=[NOW - 604800, 5],
         home=[(52.5, 13.4)], homes=[(48.85, 2.35), (52.53, 13.41)],
         parts={"one": [1, 0, 0], "two": [0, 2, 0]}, vector=[1, 2, 3], dotted=[1, 2, 3],
         items=[("n1", 1, 2.5), ("n2", 2, 4.0), ("n1", 1, 3.0)]),
    dict(),
    dict(title=["b"], labels=["q"], level=-128, home=[(-33.86, 151.2)], parts={"three": [3, 3, 3]}, vector=[0, 0, 1],
         dotted=[-4, 0, 1]),
]
# field, words, weight, label, (documents, total), significance
TERMS = [
    ("title", ["a"], 200, "first", (3, 10), None),
    ("tags", ["b"], 100, "second", None, 0.7),
    ("title", ["c", "d"], 100, "first", None, None),
    ("labels", ["q"], 100, "", None, None),
    ("tastes", ["sour"], 100, "", None, None),
    ("marks", ["x"], 100, "", None, None),
    ("marks", ["y"], 50, "", None, None),
    ("marks", ["w"], 100, "", None, None),
]
# A product, a place and three searches for neighbors, of weight 100 each.
OTHERS = 5
ALL = len(TERMS) + OTHERS


def km(a, b):
    (la, lo), (lb, lp) = a, b
    h = (math.sin(math.radians(lb - la) / 2) ** 2
         + math.cos(math.radians(la)) * math.cos(math.radians(lb)) * math.sin(math.radians(lp - lo) / 2) ** 2)
    return 2 * 6371.0088 * math.asin(math.sqrt(h))


def logscale(x, m, s):
    x = min(max(x, 0), m)
    return (math.log(m + s) - math.log(x + s)) / (math.log(m + s) - math.log(s))


def geo(doc, field, out):
    places = doc.get(field, [])
    far = [km(PLACE, p) for p in places]
    best = far.index(min(far)) if far else -1
    micro = far[best] * 1e6 * 180 / (math.pi * 6371.0088) if far else 6.4e9
    out[f"distance({field})"] = out[f"distance(field,{field})"] = micro
    out[f"distance({field}).km"] = far[best] if far else 40000
    out[f"distance({field}).index"] = best
    out[f"distance({field}).latitude"], out[f"distance({field}).longitude"] = places[best] if far else (90, -180)
    m, h = (9013305, 593861.739) if field == "home" else (10000, 1000)
    out[f"closeness({field})"] = max(1 - micro / m, 0)
    out[f"closeness({field}).logscale"] = logscale(micro, m, h * h / (m - 2 * h))
    out[f"great_circle_distance({field}).km"] = out[f"distance({field}).km"]


def z_curve(doc, out):
    """The bits of longitude and latitude in millionths of degrees by turns, those of longitude first."""
    number = math.nan
    for lat, lng in doc.get("home", []):
        number = 0
        for bit in range(32):
            number += (round(lng * 1e6) >> bit & 1) * 4 ** bit + (round(lat * 1e6) >> bit & 1) * 2 * 4 ** bit
        number -= 2 ** 64 if number >= 2 ** 63 else 0
    out["attribute(home_zcurve)"] = float(number)
    out["attribute(homes_zcurve)"] = 0


def path(doc, field, out):
    points = [(13.0e6, 52.0e6), (13.0e6, 53.0e6), (14.0e6, 53.0e6)]
    best = (6.4e9, 1, 0)
    whole = sum(math.dist(a, b) for a, b in zip(points, points[1:]))
    for lat, lng in doc.get(field, []):
        x, y, gone = lng * 1e6, lat * 1e6, 0
        for (ax, ay), (bx, by) in zip(points, points[1:]):
            dx, dy = bx - ax, by - ay
            t = min(1, max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
            px, py = ax + t * dx, ay + t * dy
            away = math.dist((x, y), (px, py))
            if away < best[0]:
                best = (away, (gone + t * math.hypot(dx, dy)) / whole, dy * (x - px) - dx * (y - py))
            gone += math.hypot(dx, dy)
    out[f"distanceToPath({field}).distance"], out[f"distanceToPath({field}).traveled"] = best[:2]
    out[f"distanceToPath({field}).product"] = best[2]


def nearest(doc, out):
    parts = {k: math.dist(QUERY, v) for k, v in doc.get("parts", {}).items()}
    least = min(parts.values()) if parts else None
    close = 1 / (1 + least) if parts else 0
    for name in ("closeness(parts)", "closeness(field,parts)", "closeness(label,near)", "rawScore(parts)", "itemRawScore(near)"):
        out[name] = close
    for name in ("distance(parts)", "distance(field,parts)", "distance(label,near)"):
        out[name] = least if parts else MAX
    closest = {k: 1 for k in [min(parts, key=parts.get)]} if parts else {}
    out["closest(parts)"] = out["closest(parts,near)"] = closest
    out["closest(parts,elsewhere)"] = {}
    vector = doc.get("vector")
    flat = math.dist(QUERY, vector) if vector else None
    out["closeness(field,vector)"] = out["rawScore(vector)"] = out["itemRawScore(flat)"] = 1 / (1 + flat) if vector else 0
    out["distance(field,vector)"] = flat if vector else MAX
    dotted = doc.get("dotted")
    dot = sum(a * b for a, b in zip(QUERY, dotted)) if dotted else None
    out["closeness(field,dotted)"] = dot if dotted else -MAX
    out["distance(field,dotted)"] = -dot if dotted else MAX
    out["closeness(label,nobody)"], out["distance(label,nobody)"] = 0, MAX
    out["itemRawScore(nobody)"] = 0
    tastes = doc.get("tastes", {})
    wanted = {"sweet": 2, "bitter": 5}
    out["rawScore(tastes)"] = out["itemRawScore(wand)"] = sum(tastes.get(k, 0) * w for k, w in wanted.items())


def hits(doc, field, phrase):
    value = doc.get(field, [])
    elements = value if value and isinstance(value[0], list) else [value]
    return [(e, p) for e, ws in enumerate(elements) for p in range(len(ws) - len(phrase) + 1) if ws[p:p + len(phrase)] == phrase]


def info(doc, field, kind, filtered, out):
    terms = [t for t in TERMS if t[0] == field]
    found = [(e, p) for t in terms for e, p in hits(doc, field, t[1])]
    value = doc.get(field, [])
    length = sum(len(e) for e in value) if value and isinstance(value[0], list) else len(value)
    name = f"fieldInfo({field})"
    out[name] = out[name + ".type"] = kind
    out[name + ".filter"] = filtered
    out[name + ".search"] = 1 if terms else 0
    out[name + ".hit"] = 1 if found else 0
    text = kind == 1
    out[name + ".len"] = (length if text else 1) if found else UNKNOWN
    out[name + ".first"] = min(p for _, p in found) if found and text else UNKNOWN
    out[name + ".last"] = max(p for _, p in found) if found and text else UNKNOWN
    out[name + ".cnt"] = len(found)


def idf(term):
    if term[4]:
        n, total = term[4]
        return math.log(1 + (total - n + 0.5) / (n + 0.5))
    return term[5] if term[5] is not None else IDF


def bm25(doc, field, label=None):
    value = doc.get(field, [])
    length = sum(len(e) for e in value) if value and isinstance(value[0], list) else len(value)
    total = 0
    for t in TERMS:
        if t[0] == field and label in (None, t[3]):
            n = len(hits(doc, field, t[1]))
            total += idf(t) * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * length / 100)) if n else 0
    return total


def elementwise(doc, field, k1, b, average):
    cells = {}
    for t in TERMS:
        if t[0] == field:
            for e, element in enumerate(doc.get(field, [])):
                n = len(hits({field: [element]}, field, t[1]))
                if n:
                    score = idf(t) * n * (k1 + 1) / (n + k1 * (1 - b + b * len(element) / average))
                    cells[str(e)] = cells.get(str(e), 0) + score
    return cells


def texts(doc, out):
    for field in ("title", "tags"):
        out[f"bm25({field})"] = bm25(doc, field)
        by_label = {label: bm25(doc, field, label) for label in ("first", "second")}
        out[f"bm25_for_labels({field})"] = {k: v for k, v in by_label.items() if v}
        out[f"averageFieldLength({field})"] = 100
    out["bm25(title,label:first)"] = bm25(doc, "title", "first")
    out["bm25(title,label:second)"] = bm25(doc, "title", "second")
    out["elementwise(bm25(tags),e)"] = elementwise(doc, "tags", 1.2, 0.75, 100)
    out["elementwise(bm25(tags),e,float)"] = elementwise(doc, "tags", 2, 0.5, 3)
    out["queryTermDocumentFrequency(title)"] = {"0": 3, "2": 0}
    out["queryTermDocumentFrequency(tags)"] = {"1": 0}
    out["num_docs_indexed"] = 1
    out["queryTermCount"] = ALL
    for term in (0, ALL - 1, ALL):
        out[f"termInfo({term}).queryidx"] = term if term < ALL else -1
    weight = sum(t[2] for t in TERMS if t[0] == "labels" and t[1][0] in doc.get("labels", []))
    out["nativeDotProduct(labels)"] = weight


def significance(term):
    if term[4]:
        f = min(max(term[4][0] * 1e6 / term[4][1], 1), 1e6)
        return 0.5 + 0.5 * (math.log(1e6) - math.log(f)) / math.log(1e6)
    return term[5] if term[5] is not None else 1


def attribute_match(doc, out):
    marks = doc.get("marks", {})
    terms = [t for t in TERMS if t[0] == "marks"]
    found = [t for t in terms if t[1][0] in marks]
    keys = [marks[t[1][0]] for t in found]
    attributes = [t for t in TERMS if t[0] not in ("title", "tags")]
    count = len(attributes) + OTHERS
    weights = sum(t[2] for t in attributes) + 100 * OTHERS
    qc = len(found) / len(terms)
    total = sum(keys)
    fc = 0 if total <= 0 else min(1, total / sum(marks.values()))
    name = "attributeMatch(marks)"
    out[name] = out[name + ".completeness"] = qc * (1 - 0.05 + 0.05 * fc)
    out[name + ".queryCompleteness"], out[name + ".fieldCompleteness"] = qc, fc
    out[name + ".matches"], out[name + ".totalWeight"] = len(found), total
    out[name + ".averageWeight"] = total / len(found) if found else 0
    out[name + ".maxWeight"] = max(keys, default=0)
    out[name + ".normalizedWeight"] = min(1, total / (256 * count))
    out[name + ".normalizedWeightedWeight"] = min(1, sum(k * t[2] for k, t in zip(keys, found)) / (256 * weights))
    weight = sum(t[2] for t in found) / (sum(t[2] for t in TERMS) + 100 * OTHERS)
    sig = sum(significance(t) for t in found) / (sum(significance(t) for t in TERMS) + OTHERS)
    out[name + ".weight"], out[name + ".significance"] = weight, sig
    out[name + ".importance"] = (weight + sig) / 2


def places_of_terms(doc, out):
    a, phrase = hits(doc, "title", ["a"]), hits(doc, "title", ["c", "d"])
    forward = min(((q - p, p) for _, p in a for _, q in phrase if q > p), default=(UNKNOWN, UNKNOWN))
    reverse = min(((q - p - 1, p) for _, p in phrase for _, q in a if q > p), default=(UNKNOWN, UNKNOWN))
    name = "termDistance(title,0,2)"
    out[name + ".forward"], out[name + ".forwardTermPosition"] = forward
    out[name + ".reverse"], out[name + ".reverseTermPosition"] = reverse
    out["fieldTermMatch(title,0).exactness"] = 1 if a else 0


def elements(doc, out):
    out["tensorFromLabels(attribute(labels))"] = {k: 1 for k in doc.get("labels", [])}
    out["tensorFromLabels(attribute(sizes),s)"] = {str(k): 1 for k in doc.get("sizes", [])}
    out["tensorFromLabels(query(list),x)"] = {"u": 1, "v": 1}
    out["tensorFromLabels(query(unsaid),x)"] = {}
    out["tensorFromWeightedSet(attribute(tastes))"] = doc.get("tastes", {})
    out["tensorFromWeightedSet(query(weights),x)"] = {"u": 2, "v": -0.5}
    out["tensorFromLabelsWithOffset(attribute(labels),l,o)"] = {f"{k},{i}": 1 for i, k in enumerate(doc.get("labels", []))}
    out["tensorFromLabelsWithOffset(attribute(labels),z,o)"] = {f"{i},{k}": 1 for i, k in enumerate(doc.get("labels", []))}
    # Dimensions lie in the order of their names.
    out["tensorFromStructs(attribute(items),name,kind,price,float)"] = {f"{k},{n}": p for n, k, p in doc.get("items", [])}
    out["tensorFromStructs(attribute(items),name,price,double)"] = {n: p for n, k, p in doc.get("items", [])}
    out["dotProduct(tastes,want)"] = sum(doc.get("tastes", {}).get(k, 0) * w for k, w in {"sweet": 2, "sour": 1}.items())
    out["dotProduct(sizes,qv)"] = sum(a * b for a, b in zip(QUERY, doc.get("sizes", [])))
    out["dotProduct(tastes,qm)"] = sum(doc.get("tastes", {}).get(k, 0) * w for k, w in {"sweet": 4, "salt": 7}.items())


def values(doc, out):
    size, sizes, tastes = doc.get("size"), doc.get("sizes", []), doc.get("tastes", {})
    out["attribute(size)"] = size if size is not None else math.nan
    level = doc.get("level", -128)
    out["attribute(level)"] = level if level > -128 else math.nan  # The smallest byte is none.
    out["attribute(size).count"] = 1
    out["attribute(sizes)"], out["attribute(sizes).count"] = 0, len(sizes)
    out["attribute(sizes,1)"] = sizes[1] if sizes else 0
    out["attribute(tastes,sour).weight"] = tastes.get("sour", 0)
    out["attribute(tastes,sour).contains"] = 1 if "sour" in tastes else 0
    age = max(0, NOW - doc["sent"]) if "sent" in doc else 1e10
    out["age(sent)"], out["freshness(sent)"] = age, max(1 - age / 7776000, 0)
    h = 604800
    out["freshness(sent).logscale"] = logscale(age, 7776000, h * h / (7776000 - 2 * h))
    first = NOW - doc["times"][0] if "times" in doc else 1e10
    out["age(times)"], out["freshness(times)"] = first, max(1 - first / 7776000, 0)
    out["now"], out["value(2.5)"] = NOW, 2.5


def mixed(n):
    n = (n + 0x9e3779b97f4a7c15) % 2 ** 64
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9 % 2 ** 64
    n = (n ^ (n >> 27)) * 0x94d049bb133111eb % 2 ** 64
    return n ^ (n >> 31)


def hashed(text):
    h = 0
    for c in text:
        h = mixed((h + ord(c)) % 2 ** 64)
    return h


def chance(own, seed, tag, shift=0):
    bits = struct.unpack("<Q", struct.pack("<d", seed))[0]
    return (mixed((own + mixed((bits + hashed(tag) + shift) % 2 ** 64)) % 2 ** 64) >> 11) * 2 ** -53


def normal(own, seed, tag, mean, deviation):
    return mean + deviation * math.sqrt(-2 * math.log(1 - chance(own, seed, tag))) * math.cos(2 * math.pi * chance(own, seed, tag, 1))


def chances(number, out):
    written, name = number + 1, hashed(f"id:t:mail::m{number}")
    out["random"], out["random(t)"] = chance(written, 7, ""), chance(written, NOW, "t")
    out["random.match"], out["random(t).match"] = chance(name, 1024, ""), chance(name, 1024, "t")
    out["randomNormal(1,2)"] = normal(written, NOW, "", 1, 2)
    out["randomNormal(-1,0.5,t)"] = normal(written, 5, "t", -1, 0.5)
    out["randomNormalStable(0,3)"] = normal(name, 1024, "", 0, 3)


def text(value):
    if isinstance(value, dict):
        return "{" + " ".join(f"{k}={float(v)!r}" for k, v in sorted(value.items())) + "}"
    return "NaN" if math.isnan(value) else repr(float(value))


for number, doc in enumerate(DOCS):
    out = {}
    geo(doc, "home", out)
    geo(doc, "homes", out)
    z_curve(doc, out)
    path(doc, "home", out)
    nearest(doc, out)
    info(doc, "title", 1, 0, out)
    info(doc, "tags", 1, 0, out)
    info(doc, "labels", 2, 0, out)
    texts(doc, out)
    attribute_match(doc, out)
    places_of_terms(doc, out)
    elements(doc, out)
    values(doc, out)
    chances(number, out)
    for name, value in out.items():
        print(f"m{number}\t{name}\t{text(value)}")
