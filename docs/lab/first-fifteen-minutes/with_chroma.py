"""Chroma in Python. Its own embedder is a download, so vectors are hashes of words here."""

import csv
import json
import shutil
from collections import Counter

import chromadb

import reading
import tasks

minutes = tasks.Minutes("chroma")
db = chromadb.PersistentClient(str(minutes.directory / "chroma"))


class Words(chromadb.EmbeddingFunction):
    """Vectors without a model."""

    def __init__(self):
        pass

    def __call__(self, input):
        return [reading.vector(text) for text in input]


@minutes.task("import notes")
def import_notes(home):
    notes = list(reading.notes(home / "notes"))
    ids, texts = [note["path"] for note in notes], [note["title"] + "\n" + note["text"] for note in notes]
    with minutes.met("documents without an embedder of one's own"):
        db.create_collection("notes").add(ids=ids, documents=texts)
    db.delete_collection("notes")
    collection = db.create_collection("notes", embedding_function=Words())
    with minutes.met("a note without tags"):
        collection.add(ids=ids, documents=texts, metadatas=[{"tags": note["tags"]} for note in notes])
    with minutes.met("a note without a date"):
        collection.add(ids=ids, documents=texts, metadatas=[{"date": note["date"], "tags": None} for note in notes])
    data = [{key: note[key] for key in ("title", "date", "tags") if note[key]} for note in notes]
    collection.add(ids=ids, documents=texts, metadatas=data)
    return collection.count()


@minutes.task("import table")
def import_table(home):
    with minutes.met("the table, opened as it is"):
        list(csv.DictReader(open(home / "orders.csv", encoding="utf-8"), delimiter=";"))
    rows = list(csv.DictReader(open(home / "orders.csv", encoding="latin-1", newline=""), delimiter=";"))
    for row in rows:
        row["Menge"], row["Preis"] = int(row["Menge"]), reading.price(row["Preis"])
        row["Datum"] = reading.day(row["Datum"])
    texts = [row["Kunde"] + " " + row["Artikel"] for row in rows]
    orders = db.create_collection("orders", embedding_function=Words())
    with minutes.met("a date"):
        orders.add(ids=[row["Nummer"] for row in rows], documents=texts, metadatas=rows)
    for row in rows:
        row["Datum"] = int(row["Datum"].strftime("%Y%m%d"))
    orders.add(ids=[row["Nummer"] for row in rows], documents=texts, metadatas=rows)
    return orders.count()


@minutes.task("import mailbox")
def import_mailbox(home):
    mails = list(reading.mails(home / "mail.mbox"))
    collection = db.create_collection("mails", embedding_function=Words())
    data = [{"sender": mail["sender"], "date": mail["date"].timestamp()} for mail in mails]
    for mail, each in zip(mails, data):
        if mail["attachments"]:
            each["attachments"] = mail["attachments"]
    texts = [mail["subject"] + "\n" + mail["text"] for mail in mails]
    collection.add(ids=[mail["id"] for mail in mails], documents=texts, metadatas=data)
    return collection.count()


@minutes.task("import json")
def import_json(home):
    tickets = json.loads((home / "tickets.json").read_text(encoding="utf-8"))
    collection = db.create_collection("tickets", embedding_function=Words())
    ids, texts = [ticket["id"] for ticket in tickets], [ticket["title"] for ticket in tickets]
    with minutes.met("objects in objects"):
        collection.add(ids=ids, documents=texts, metadatas=tickets)
    data = [
        {
            "created_at": ticket["created_at"],
            "city": ticket["customer"]["address"]["city"],
            "items": json.dumps(ticket["items"]),
        }
        for ticket in tickets
    ]
    collection.add(ids=ids, documents=texts, metadatas=data)
    return collection.count()


def with_text(collection, pattern):
    return db.get_collection(collection, embedding_function=Words()).get(where_document={"$regex": pattern})["ids"]


@minutes.task("1 word")
def word(home):
    return with_text("notes", "(?i)coffee")


@minutes.task("2 typo")
def typo(home):
    return db.get_collection("notes", embedding_function=Words()).query(query_texts=["cofee"], n_results=5)["ids"][0]


@minutes.task("3 typo, long word")
def long_typo(home):
    return with_text("notes", "(?i)archipelgo") + with_text("mails", "(?i)archipelgo")


@minutes.task("4 beginning")
def beginning(home):
    return with_text("notes", r"(?i)\bmeasurem")


@minutes.task("5 without umlauts")
def umlauts(home):
    return with_text("notes", "(?i)kasekuchen") + with_text("mails", "(?i)ubergabe")


@minutes.task("6 date range")
def dates(home):
    orders = db.get_collection("orders", embedding_function=Words())
    with minutes.met("a range of dates as text"):
        orders.get(where={"Datum": {"$gte": "2024-05"}})
    with minutes.met("two bounds of one value"):
        orders.get(where={"Datum": {"$gte": 20240501, "$lt": 20240601}})
    may = orders.get(where={"$and": [{"Datum": {"$gte": 20240501}}, {"Datum": {"$lt": 20240601}}]})["metadatas"]
    return len(may), sum(row["Preis"] for row in may)


@minutes.task("7 facets")
def facets(home):
    customers = {}
    for row in db.get_collection("orders", embedding_function=Words()).get()["metadatas"]:
        count, total = customers.get(row["Kunde"], (0, 0))
        customers[row["Kunde"]] = (count + 1, total + row["Preis"])
    notes = db.get_collection("notes", embedding_function=Words()).get()["metadatas"]
    return customers, dict(Counter(tag for note in notes for tag in note.get("tags") or []))


@minutes.task("8 parts of objects")
def parts(home):
    tickets = db.get_collection("tickets", embedding_function=Words())
    everything = tickets.get()
    valves = [
        key
        for key, data in zip(everything["ids"], everything["metadatas"])
        if any(item["name"] == "valve" and item["price"] > 50 for item in json.loads(data["items"]))
    ]
    return valves, tickets.get(where={"city": "Hamburg"})["ids"]


@minutes.task("new column")
def new_column(home):
    rows = list(csv.DictReader(open(home / "orders.csv", encoding="latin-1", newline=""), delimiter=";"))
    for row in rows:
        row["Menge"], row["Preis"] = int(row["Menge"]), reading.price(row["Preis"])
        row["Datum"] = int(reading.day(row["Datum"]).strftime("%Y%m%d"))
    orders = db.get_collection("orders", embedding_function=Words())
    numbers = [row["Nummer"] for row in rows]
    orders.upsert(ids=numbers, documents=[row["Kunde"] + " " + row["Artikel"] for row in rows], metadatas=rows)
    orders.delete(ids=[each for each in orders.get()["ids"] if each not in numbers])
    return orders.get(where={"Bemerkung": {"$ne": ""}})["ids"]


@minutes.task("second import")
def again(home):
    notes = list(reading.notes(home / "notes"))
    paths = [note["path"] for note in notes]
    collection = db.get_collection("notes", embedding_function=Words())
    data = [{key: note[key] for key in ("title", "date", "tags") if note[key]} for note in notes]
    texts = [note["title"] + "\n" + note["text"] for note in notes]
    collection.upsert(ids=paths, documents=texts, metadatas=data)
    collection.delete(ids=[each for each in collection.get()["ids"] if each not in paths])
    prices = [row["Preis"] for row in db.get_collection("orders", embedding_function=Words()).get()["metadatas"]]
    return collection.count(), with_text("notes", "(?i)coffee"), len(prices), sum(prices)


@minutes.task("copy")
def copy(home):
    shutil.copytree(minutes.directory / "chroma", home / "copy")
    other = chromadb.PersistentClient(str(home / "copy"))
    return [other.get_collection(name).count() for name in ("notes", "orders", "mails", "tickets")]


tasks.main(minutes)
