#!/usr/bin/env python3
"""Computes features of terms in texts and attributes, as their definitions read, for random mails.

Usage: term-features.py > term-features.txt

Nothing is shared with the program: TermFeaturesTest compares the two. The output is the same each
time.
"""
import math
import random

CLOSENESS = [.01, .02, .03, .04, .06, .08, .12, .17, .24, .33, 1,
             .71, .50, .35, .25, .18, .13, .09, .06, .04, .03]
FAR = 1000000


def words(text):
    return text.split()


def find(phrase, elements):
    """Places (element, position) where the words of a phrase follow one another."""
    return [(e, p) for e, ws in enumerate(elements) for p in range(len(ws) - len(phrase) + 1)
            if ws[p:p + len(phrase)] == phrase]


def elements_of(mail, field):
    value = mail.get(field)
    if value is None:
        return []
    return [words(t) for t in value] if isinstance(value, list) else [words(value)]


def significance(term, mails):
    if "frequency" in term:
        freq, count = term["frequency"]
    elif "significance" in term:
        return term["significance"]
    elif term["field"] in ("title", "tags"):
        freq = sum(1 for m in mails if find(words(term["text"]), elements_of(m, term["field"])))
        count = len(mails)
    elif term["field"] == "labels":
        freq, count = sum(1 for m in mails if term["text"] in m.get("labels", [])), len(mails)
    else:
        freq, count = 0, 1
    f = min(max(freq * 1e6 / count, 1), 1e6)
    return 0.5 + 0.5 * (math.log(1e6) - math.log(f)) / math.log(1e6)


def connectedness(here, before):
    if "connect" in here and here["connect"][0] == before["id"]:
        return here["connect"][1]
    if "connect" in before and before["connect"][0] == here["id"]:
        return before["connect"][1]
    return 0.1


def table(kind, w, t, s=1):
    f = {"exp": lambda i: w * math.exp(-i / t), "log": lambda i: w * math.log(1 + i / s) + t,
         "lin": lambda i: w * i + t}[kind]
    return [f(i) for i in range(256)]


FIRST = table("exp", 8000, 12.5)
COUNT = table("log", 1500, 4000, 19)
NEAR = table("exp", 500, 3)
REVERSE = table("exp", 400, 3)
WEIGHT = table("lin", 1, 0)


def at(values, i):
    return values[min(i, len(values) - 1)]


class Query:
    def __init__(self, terms, mails):
        self.terms = terms
        self.sig = [significance(t, mails) for t in terms]
        self.w = [t["weight"] for t in terms]
        self.conn = [.1] + [connectedness(*pair) for pair in zip(terms[1:], terms)]

    def of(self, field):
        return [i for i, t in enumerate(self.terms) if t["field"] == field]

    def hits(self, i, mail):
        return find(words(self.terms[i]["text"]), elements_of(mail, self.terms[i]["field"]))

    def matches(self, i, mail):
        """The match weight of a term in an attribute, or None."""
        term = self.terms[i]
        value = mail.get(term["field"])
        if value is None:
            return None
        if isinstance(value, list):
            count = sum(1 for v in value if v == term["text"])
            return count or None
        return 1 if str(value) == term["text"] else None


def native_field_match(q, mail, fields):
    num = den = 0
    for field in fields:
        length = max(6, sum(len(e) for e in elements_of(mail, field)))
        most = (max(FIRST) + max(COUNT)) / 2
        for i in q.of(field):
            den += q.sig[i] * q.w[i] * 100
            hits = q.hits(i, mail)
            if hits:
                boost = .5 * at(FIRST, hits[0][1] * 255 // (length - 1)) + .5 * at(COUNT, len(hits) * 255 // length)
                num += q.sig[i] * q.w[i] * 100 / most * boost
    return num / den if den else num


def distance(q, a, b, mail):
    """From the end of a to b behind it, in one element, and where a stands then."""
    n = len(words(q.terms[a]["text"]))
    best = min([(pb - (pa + n - 1), pa) for ea, pa in q.hits(a, mail) for eb, pb in q.hits(b, mail)
                if ea == eb and pa < pb], key=lambda d: d[0], default=(FAR, FAR))
    return best


def native_proximity(q, mail, fields):
    num = den = 0
    for field in fields:
        ts = q.of(field)
        # With the term before it in this field.
        conns = [connectedness(q.terms[i], q.terms[before]) for before, i in zip(ts, ts[1:])]
        pairs = most = 0
        for x, i in enumerate(ts):
            for y in range(x + 1, min(len(ts), x + 4)):
                j = ts[y]
                conn = min([1] + conns[x:y]) / (y - x)
                weight = (q.sig[i] * q.w[i] + q.sig[j] * q.w[j]) * conn
                most += weight
                fwd, rev = distance(q, i, j, mail)[0], distance(q, j, i, mail)[0]
                pairs += weight * (.5 * at(NEAR, max(fwd - 1, 0)) + .5 * at(REVERSE, max(rev - 1, 0))) \
                    / (.5 * max(NEAR) + .5 * max(REVERSE))
        if most:
            num += 100 * pairs / most
            den += 100
    return num / den if den else 0


def native_attribute_match(q, mail, fields):
    num = den = 0
    for field in fields:
        for i in q.of(field):
            den += 100 * q.w[i]
            m = q.matches(i, mail)
            if m is not None:
                num += 100 * q.w[i] * at(WEIGHT, m) / max(WEIGHT)
    return num / den if den else 0


def attribute_match(q, mail, field):
    ts = q.of(field)
    hit = [i for i in ts if q.matches(i, mail) is not None]
    qc = len(hit) / len(ts) if ts else 0
    value = mail.get(field)
    size = 0 if value is None else len(value) if isinstance(value, list) else 1
    fc = min(1, len(hit) / size) if size else 0
    weight = sum(q.w[i] for i in hit) / sum(q.w)
    sig = sum(q.sig[i] for i in hit) / sum(q.sig)
    return {"": qc * (1 - .05 + .05 * fc), ".queryCompleteness": qc, ".fieldCompleteness": fc, ".weight": weight,
            ".significance": sig, ".importance": (weight + sig) / 2, ".matches": len(hit)}


def close(d):
    return 0 if d > 8 else 1 - ((d - 1) / 8) ** 2


def walk(q, mail, field, element):
    """The terms of one element in the order of the text: proximity, order, coverages; or None."""
    events = sorted((p, k, i) for k, i in enumerate(q.of(field)) for e, p in q.hits(i, mail) if e == element)
    used, last, prox, order, weight, matched = set(), None, 0, 0, 0, 0
    for p, k, i in events:
        if k in used or (last is not None and p <= last[0]):
            continue
        if last is not None:
            prox += close(p - last[0])
            order += k > last[1]
        used.add(k)
        last = (p, k)
        weight += q.w[i]
        matched += 1
    if not matched:
        return None
    length = max(len(elements_of(mail, field)[element]), matched)
    if matched < 2:
        prox, order = close(length), 1
    else:
        prox, order = prox / (matched - 1), order / (matched - 1)
    return prox, order, weight / sum(q.w[i] for i in q.of(field)), matched / length


def text_similarity(q, mail, field):
    found = walk(q, mail, field, 0) if elements_of(mail, field) else None
    p, o, c, f = found or (0, 0, 0, 0)
    return {"": .35 * p + .15 * o + .3 * c + .2 * f, ".proximity": p, ".order": o, ".queryCoverage": c,
            ".fieldCoverage": f}


def element_similarity(q, mail, field):
    found = [walk(q, mail, field, e) for e in range(len(elements_of(mail, field)))]
    return max([.35 * p + .15 * o + .3 * c + .2 * f for p, o, c, f in filter(None, found)], default=0)


def element_completeness(q, mail, field):
    best = {"": 0, ".fieldCompleteness": 0, ".queryCompleteness": 0, ".elementWeight": 0}
    for e, ws in enumerate(elements_of(mail, field)):
        hit = [i for i in q.of(field) if any(x == e for x, _ in q.hits(i, mail))]
        if not hit:
            continue
        fc = min(len(ws), len(hit)) / len(ws)
        qc = sum(q.w[i] for i in hit) / sum(q.w[i] for i in q.of(field))
        if fc * .5 + qc * .5 > best[""]:
            best = {"": fc * .5 + qc * .5, ".fieldCompleteness": fc, ".queryCompleteness": qc, ".elementWeight": 1}
    return best


# Field match, with ways through the field as plain lists of what happened along them.

def order_from(z, n):
    """The places of a field of n words in the order in which they are looked at from z."""
    right, left = min(10, n - z), min(10, z)
    return list(range(z, z + right)) + list(range(z - 1, z - left - 1, -1)) \
        + list(range(z + right, n)) + list(range(z - left - 1, -1, -1))


def measure(way, conns):
    """Adds up a way: a list of ("segment"|"next", term, place) in the order of the query."""
    m = dict(segments=0, pairs=0, prox=0.0, plain=0.0, out=0, gaps=0, gap=0, starts=[], runs=[])
    before = None
    for kind, i, j in way:
        if kind == "segment":
            m["segments"] += 1
            m["starts"].append(j)
            m["runs"].append([j])
        else:
            bi, bj = before
            d = j - bj - 1
            d = d + 1 if d < 0 else d
            c = conns[i]
            m["plain"] += CLOSENESS[d + 10]
            m["prox"] += CLOSENESS[d + 10] ** (c / .1) * max(.1, c)
            m["pairs"] += 1
            if j == bj + 1 and i == bi + 1:
                m["runs"][-1].append(j)
            else:
                m["gaps"] += 1
                m["gap"] += j - bj - 1 if j > bj else bj - j
                m["out"] += j <= bj
                m["runs"].append([j])
        before = (i, j)
    m["absolute"] = m["prox"] / m["pairs"] if m["pairs"] else .1
    m["score"] = m["absolute"] / m["segments"] ** 2 if m["segments"] else 0
    return m


def best_way(places, conns, n):
    count = len(places)
    starts = {0: dict(way=[], at=0, term=0, explored=0, open=True)}
    tries, s = 0, 0
    while s < count:
        start = starts.get(s)
        if start is None or not start["open"]:
            s += 1
            continue
        if start["explored"] > 0:
            tries += 1
            if tries > 1000:
                s += 1
                continue
        way, explored, at_, first, target, done = list(start["way"]), start["explored"], start["at"], True, count, False
        for i in range(start["term"], count):
            seen = order_from(at_, n)
            d = next((k for k in range(explored, n) if seen[k] in places[i]), None)
            if d is None:
                if first and explored > 0:
                    done = True
                    break
                if first:
                    start["term"] += 1
                explored = 0
                continue
            j = seen[d]
            if first:
                start["explored"] = d + 1
                way.append(("segment", i, j))
                first = False
            elif abs(j - at_) >= 10:
                target = i
                break
            else:
                way.append(("next", i, j))
            at_, explored = j, 1
        if done:
            start["open"] = False
            continue
        if target not in starts:
            starts[target] = dict(way=way, at=at_, term=target, explored=0, open=True)
        elif measure(way, conns)["score"] > measure(starts[target]["way"], conns)["score"]:
            starts[target].update(way=way, at=at_)
        if first:
            start["open"] = False
    return starts[max(starts)]["way"]


def field_match(q, mail, field):
    names = ["", ".completeness", ".queryCompleteness", ".fieldCompleteness", ".orderness", ".relatedness",
             ".proximity", ".absoluteProximity", ".unweightedProximity", ".earliness", ".longestSequenceRatio",
             ".segmentProximity", ".occurrence", ".absoluteOccurrence", ".weightedOccurrence",
             ".weightedAbsoluteOccurrence", ".significantOccurrence", ".weight", ".significance", ".importance",
             ".segments", ".matches", ".outOfOrder", ".gaps", ".gapLength", ".longestSequence", ".head", ".tail",
             ".segmentDistance"]
    text = [w for e in elements_of(mail, field) for w in e]
    n = len(text)
    split = []
    for i in q.of(field):
        phrase = words(q.terms[i]["text"])
        hits = q.hits(i, mail)
        for k, word in enumerate(phrase):
            split.append(dict(i=i, at={p + k for _, p in hits},
                              conn=q.conn[i] if k == 0 else .1))
    if n == 0 or not any(t["at"] for t in split):
        return {name: 0 for name in names}
    conns = [t["conn"] for t in split]
    way = best_way([t["at"] for t in split], conns, n)
    m = measure(way, conns)
    size = [len(words(t["text"])) if t["field"] == field else 1 for t in q.terms]
    weight = sum(q.w[split[i]["i"]] for _, i, _ in way) / sum(w * s for w, s in zip(q.w, size))
    sig = sum(q.sig[split[i]["i"]] for _, i, _ in way) / sum(w * s for w, s in zip(q.sig, size))
    matches = min(len(way), n)
    qc, fc = matches / len(split), matches / n
    completeness = qc * .95 + .05 * fc
    mean = sum(max(.1, c) for c in conns[1:]) / (len(conns) - 1) if len(conns) > 1 else .1
    proximity = m["absolute"] / mean
    related = 1 if matches == 1 else 1 - (m["segments"] - 1) / (matches - 1)
    head, last = min(r[0] for r in m["runs"]), max(r[-1] for r in m["runs"])
    early = 1 if n == 1 else 1 - head / (max(6, n) - 1)
    starts = sorted(m["starts"])
    apart = sum(b - a + 1 for a, b in zip(starts, starts[1:]))
    segprox = 1 - apart / n
    # Of terms with the same first place only one counts.
    unique = {min(t["at"]): t for t in reversed(split) if t["at"]}.values()
    occ = [min(100, len(t["at"])) for t in unique]
    uw, us = [q.w[t["i"]] for t in unique], [q.sig[t["i"]] for t in unique]
    occurrence = sum(occ) / min(n, 100 * len(occ))
    score = (.9 * (1 - .9 + .9 * related) * proximity * completeness ** 2
             + .05 * early + .05 * segprox + .05 * occurrence) / 1.05
    longest = max(len(r) for r in m["runs"])
    return dict(zip(names, [
        score, completeness, qc, fc, 1 - m["out"] / m["pairs"] if m["pairs"] else 1, related, proximity, m["absolute"],
        m["plain"] / m["pairs"] if m["pairs"] else 1, early, longest / matches, segprox, occurrence,
        sum(occ) / (100 * len(occ)), sum(o * w for o, w in zip(occ, uw)) / sum(min(n, 100) * w for w in uw),
        sum(o * w / 100 for o, w in zip(occ, uw)) / sum(uw),
        sum(o * s for o, s in zip(occ, us)) / sum(min(n, 100) * s for s in us),
        weight, sig, (weight + sig) / 2, m["segments"], matches, m["out"], m["gaps"], m["gap"], longest, head,
        n - 1 - last, apart]))


TEXTS, ATTRIBUTES = ["title", "tags"], ["labels", "size"]


def natives(q, mail):
    out = {}
    asked = sorted({t["field"] for t in q.terms})
    searched = [f for f in TEXTS if f in asked]
    valued = [f for f in ATTRIBUTES if f in asked]
    nfm, np, nam = (native_field_match(q, mail, searched), native_proximity(q, mail, searched),
                    native_attribute_match(q, mail, valued))
    out["nativeFieldMatch"], out["nativeProximity"], out["nativeAttributeMatch"] = nfm, np, nam
    out["nativeRank"] = (100 * nfm + 25 * np + 100 * nam) / 225
    out["nativeRank(title)"] = (100 * native_field_match(q, mail, ["title"]) + 25 * native_proximity(q, mail, ["title"])) / 225
    out["nativeRank(labels)"] = 100 * native_attribute_match(q, mail, ["labels"]) / 225
    return out


def features(q, mail):
    out = natives(q, mail)
    out["queryTermCount"] = len(q.terms)
    for n in range(4):
        known = n < len(q.terms)
        out[f"term({n}).weight"] = q.w[n] if known else 0
        out[f"term({n}).significance"] = q.sig[n] if known else 0
        out[f"term({n}).connectedness"] = q.conn[n] if known else 0
    for field in TEXTS:
        ts = q.of(field)
        found = [i for i in ts if q.hits(i, mail)]
        length = sum(len(e) for e in elements_of(mail, field))
        out[f"fieldLength({field})"] = length if found else FAR
        out[f"matchCount({field})"] = len(found)
        out[f"matches({field})"] = 1 if found else 0
        for n in range(3):
            hits = q.hits(n, mail) if n in ts else []
            out[f"matches({field},{n})"] = 1 if hits else 0
            out[f"fieldTermMatch({field},{n}).firstPosition"] = hits[0][1] if hits else FAR
            out[f"fieldTermMatch({field},{n}).lastPosition"] = hits[-1][1] if hits else FAR
            out[f"fieldTermMatch({field},{n}).occurrences"] = len(hits)
            out[f"fieldTermMatch({field},{n}).weight"] = len(hits)
        if 0 in ts and 1 in ts:
            out[f"termDistance({field},0,1).forward"] = distance(q, 0, 1, mail)[0]
            out[f"termDistance({field},0,1).reverse"] = distance(q, 1, 0, mail)[0]
        for name, value in element_completeness(q, mail, field).items():
            out[f"elementCompleteness({field}){name}"] = value
        out[f"elementSimilarity({field})"] = element_similarity(q, mail, field)
    for name, value in text_similarity(q, mail, "title").items():
        out[f"textSimilarity(title){name}"] = value
    for name, value in field_match(q, mail, "title").items():
        out[f"fieldMatch(title){name}"] = value
    for field in ATTRIBUTES:
        ts = q.of(field)
        found = [i for i in ts if q.matches(i, mail) is not None]
        out[f"matchCount({field})"] = len(found)
        for name, value in attribute_match(q, mail, field).items():
            out[f"attributeMatch({field}){name}"] = value
    return out


def text(r, most):
    return " ".join(r.choice("abcdefghijklmnopqrstuvwxyz"[:r.choice([3, 6, 12])]) for _ in range(r.randint(1, most)))


def main():
    r = random.Random(2026)
    for _ in range(60):
        mails = []
        for _ in range(r.randint(1, 4)):
            mail = {"title": text(r, r.choice([5, 12, 60])), "tags": [text(r, 6) for _ in range(r.randint(0, 4))],
                    "labels": [r.choice("abc") for _ in range(r.randint(0, 3))], "size": r.randint(0, 2)}
            if not mail["tags"]:
                del mail["tags"]
            if not mail["labels"]:
                del mail["labels"]
            mails.append(mail)
        terms = []
        for n in range(r.randint(1, 5)):
            field = r.choice(["title", "title", "title", "tags", "tags", "labels", "size"])
            term = {"field": field, "weight": r.choice([100, 100, 100, 50, 200]), "id": n + 1,
                    "text": text(r, r.choice([1, 1, 1, 2, 3])) if field in ("title", "tags")
                    else r.choice("abc") if field == "labels" else str(r.randint(0, 2))}
            if r.random() < .1:
                term["significance"] = r.choice([.1, .5, 1])
            elif r.random() < .1:
                term["frequency"] = [r.randint(1, 50), 100]
            if n and r.random() < .3:
                term["connect"] = [n, r.choice([.2, .5, 1])]
            terms.append(term)
        show(Query(terms, mails), mails)
    given()


def given():
    """Cases that chance does not make, or seldom."""
    mails = [{"title": title, "tags": ["c b"], "size": 1} for title in ("b a x", "a b a", "x a b a a")]
    a = {"field": "title", "weight": 100, "id": 1, "text": "a"}
    for terms in ([a, {**a, "id": 2, "text": "b a"}], [{**a, "text": "b a"}, {**a, "id": 2, "weight": 50}],
                  [a, {**a, "id": 2}, {**a, "id": 3, "field": "tags", "text": "b a"}]):
        show(Query(terms, mails), mails)
    # In the title it is the first and not the second that stands before the third.
    mails = [{"title": "a b c a b", "size": 1}]
    b, c = {**a, "text": "b", "id": 4}, {**a, "text": "c", "id": 3}
    for connected in ({}, {"connect": [2, 1]}, {"connect": [1, 1]}):
        show(Query([a, {**a, "id": 2, "field": "tags", "text": "c"}, {**c, **connected}, b], mails), mails)
    # What is not wanted weighs more, less, and as much; for one field, and for one of two.
    mails = [{"title": title, "tags": ["c b", "b"], "labels": ["a", "b"], "size": 1}
             for title in ("a b c a b", "c b", "a x")]
    for first, second in ((-100, -50), (-100, 50), (100, -50), (100, -100)):
        pair = [{**a, "weight": first, "significance": .5}, {**b, "id": 2, "weight": second, "significance": .5}]
        others = [{**each, "id": 3 + i, "field": field, "text": text} for i, (each, field, text) in enumerate(
            [(pair[0], "tags", "b"), (pair[1], "tags", "c"), (pair[0], "labels", "a"), (pair[1], "labels", "c")])]
        show(Query(pair, mails), mails, natives)
        show(Query(pair + others, mails), mails, natives)
        show(Query([pair[0]] + [{**each, "weight": 30} for each in others], mails), mails, natives)


def show(q, mails, of=features):
    """Writes lines: the terms, then each mail, and its features behind it."""
    print("query")
    for t in q.terms:
        said = [t["significance"]] if "significance" in t else []
        print("term", t["field"], t["weight"], t["id"], said[0] if said else "-",
              "{}/{}".format(*t["frequency"]) if "frequency" in t else "-",
              "{}/{}".format(*t["connect"]) if "connect" in t else "-", t["text"], sep="\t")
    for mail in mails:
        print("mail", mail["title"], "|".join(mail.get("tags", [])), "|".join(mail.get("labels", [])), mail["size"],
              sep="\t")
        print("features", *(f"{name}={value:.12g}" for name, value in of(q, mail).items()), sep="\t")


main()
