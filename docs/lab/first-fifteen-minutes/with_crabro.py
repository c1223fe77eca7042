"""Crabro in Python. The command line of Crabro does the same in session.sh, and reads notes and mails itself."""

import csv
import json
import shutil

import crabro

import reading
import tasks

minutes = tasks.Minutes("crabro")
db = crabro.open(minutes.directory / "data")


@minutes.task("import notes")
def import_notes(home):
    notes = db.collection("notes", fields={"tags": "text[]", "date": "date"})
    notes.add({**note, "id": note["path"]} for note in reading.notes(home / "notes"))
    return notes.count()


@minutes.task("import table")
def import_table(home):
    with minutes.met("the table, opened as it is"):
        list(csv.DictReader(open(home / "orders.csv", encoding="utf-8"), delimiter=";"))
    rows = list(csv.DictReader(open(home / "orders.csv", encoding="latin-1", newline=""), delimiter=";"))
    for row in rows:
        row["Menge"], row["Preis"] = int(row["Menge"]), reading.price(row["Preis"])
        row["Datum"] = reading.day(row["Datum"])
    orders = db.collection("orders")
    orders.add(rows, ids=[row["Nummer"] for row in rows])
    return orders.count()


@minutes.task("import mailbox")
def import_mailbox(home):
    mails = db.collection("mails")
    mails.add(reading.mails(home / "mail.mbox"))
    return mails.count()


@minutes.task("import json")
def import_json(home):
    tickets = db.collection("tickets")
    tickets.add(json.loads((home / "tickets.json").read_text(encoding="utf-8")))
    return tickets.count()


@minutes.task("1 word")
def word(home):
    return db.collection("notes").search("coffee").ids


@minutes.task("2 typo")
def typo(home):
    return db.collection("notes").search("cofee").ids


@minutes.task("3 typo, long word")
def long_typo(home):
    return [hit.id for name in ("notes", "mails") for hit in db.collection(name).search("archipelgo")]


@minutes.task("4 beginning")
def beginning(home):
    return db.collection("notes").search("measurem").ids


@minutes.task("5 without umlauts")
def umlauts(home):
    return db.collection("notes").search("kasekuchen").ids + db.collection("mails").search("ubergabe").ids


@minutes.task("6 date range")
def dates(home):
    may = db.collection("orders").search(where={"Datum": "2024-05"}, limit=100)
    return may.total, sum(hit["Preis"] for hit in may)


@minutes.task("7 facets")
def facets(home):
    orders = db.collection("orders").search(limit=100, facets=["Kunde"])
    sums = {name: sum(hit["Preis"] for hit in orders if hit["Kunde"] == name) for name in orders.facets["Kunde"]}
    tags = db.collection("notes").search(facets=["tags"]).facets["tags"]
    return {name: (count, sums[name]) for name, count in orders.facets["Kunde"].items()}, tags


@minutes.task("8 parts of objects")
def parts(home):
    tickets = db.collection("tickets")
    valves = [
        ticket.id
        for ticket in tickets
        if any(item["name"] == "valve" and item["price"] > 50 for item in ticket.get("items") or [])
    ]
    return valves, tickets.search(where={"customer.address.city": "Hamburg"}).ids


@minutes.task("new column")
def new_column(home):
    rows = list(csv.DictReader(open(home / "orders.csv", encoding="latin-1", newline=""), delimiter=";"))
    for row in rows:
        row["Menge"], row["Preis"] = int(row["Menge"]), reading.price(row["Preis"])
        row["Datum"] = reading.day(row["Datum"])
    orders = db.collection("orders")
    numbers = [row["Nummer"] for row in rows]
    orders.upsert(rows, ids=numbers)
    orders.delete(where={"id": {"not in": numbers}})
    return orders.search("aufgerissen").ids


@minutes.task("second import")
def again(home):
    rows = [{**note, "id": note["path"]} for note in reading.notes(home / "notes")]
    notes = db.collection("notes")
    notes.upsert(rows)
    notes.delete(where={"id": {"not in": [row["id"] for row in rows]}})
    prices = [order["Preis"] for order in db.collection("orders")]
    return notes.count(), notes.search("coffee").ids, len(prices), sum(prices)


@minutes.task("copy")
def copy(home):
    db.close()
    shutil.copytree(minutes.directory / "data", home / "copy")
    with crabro.open(home / "copy") as other:
        return [other.collection(name).count() for name in ("notes", "orders", "mails", "tickets")]


tasks.main(minutes)
