"""LanceDB in Python, with its indexes of words. Nothing of the tasks needs vectors, so none are stored."""

import csv
import json
import shutil
from collections import Counter

import lancedb
from lancedb.index import FTS
from lancedb.query import MatchQuery

import reading
import tasks

minutes = tasks.Minutes("lancedb")
db = lancedb.connect(minutes.directory / "lance")


@minutes.task("import notes")
def import_notes(home):
    notes = db.create_table("notes", data=list(reading.notes(home / "notes")))
    return notes.count_rows()


@minutes.task("import table")
def import_table(home):
    with minutes.met("the table, opened as it is"):
        list(csv.DictReader(open(home / "orders.csv", encoding="utf-8"), delimiter=";"))
    rows = list(csv.DictReader(open(home / "orders.csv", encoding="latin-1", newline=""), delimiter=";"))
    for row in rows:
        row["Menge"], row["Preis"] = int(row["Menge"]), reading.price(row["Preis"])
        row["Datum"] = reading.day(row["Datum"])
    return db.create_table("orders", data=rows).count_rows()


@minutes.task("import mailbox")
def import_mailbox(home):
    return db.create_table("mails", data=list(reading.mails(home / "mail.mbox"))).count_rows()


@minutes.task("import json")
def import_json(home):
    tickets = json.loads((home / "tickets.json").read_text(encoding="utf-8"))
    return db.create_table("tickets", data=tickets).count_rows()


@minutes.task("1 word")
def word(home):
    notes = db.open_table("notes")
    with minutes.met("a search of words"):
        notes.search("coffee").to_list()
    with minutes.met("an index of two columns"):
        notes.create_fts_index(["title", "text"])
    notes.create_index("title", config=FTS())
    notes.create_index("text", config=FTS())
    with minutes.met("the result as a table"):
        notes.search("coffee", query_type="fts").to_pandas()
    return [row["path"] for row in notes.search("coffee", query_type="fts").to_list()]


@minutes.task("2 typo")
def typo(home):
    query = MatchQuery("cofee", "title", fuzziness=1) | MatchQuery("cofee", "text", fuzziness=1)
    return [row["path"] for row in db.open_table("notes").search(query).to_list()]


@minutes.task("3 typo, long word")
def long_typo(home):
    mails = db.open_table("mails")
    mails.create_index("subject", config=FTS())
    mails.create_index("text", config=FTS())
    query = MatchQuery("archipelgo", "title", fuzziness=1) | MatchQuery("archipelgo", "text", fuzziness=1)
    notes = [row["path"] for row in db.open_table("notes").search(query).to_list()]
    query = MatchQuery("archipelgo", "subject", fuzziness=1) | MatchQuery("archipelgo", "text", fuzziness=1)
    return notes + [row["id"] for row in mails.search(query).to_list()]


@minutes.task("4 beginning")
def beginning(home):
    condition = r"regexp_like(title || ' ' || text, '(?i)\bmeasurem')"
    return [row["path"] for row in db.open_table("notes").search().where(condition).to_list()]


@minutes.task("5 without umlauts")
def umlauts(home):
    notes = db.open_table("notes").search("kasekuchen", query_type="fts").to_list()
    mails = db.open_table("mails").search("ubergabe", query_type="fts").to_list()
    return [row["path"] for row in notes] + [row["id"] for row in mails]


@minutes.task("6 date range")
def dates(home):
    orders = db.open_table("orders")
    with minutes.met("a date as text"):
        orders.count_rows("Datum >= '2024-05-01' and Datum < '2024-06-01'")
    may = orders.search().where("Datum >= date '2024-05-01' and Datum < date '2024-06-01'").to_list()
    return len(may), sum(row["Preis"] for row in may)


@minutes.task("7 facets")
def facets(home):
    orders = db.open_table("orders").to_arrow()
    groups = orders.group_by("Kunde").aggregate([("Preis", "count"), ("Preis", "sum")]).to_pylist()
    tags = Counter(tag for note in db.open_table("notes").to_arrow()["tags"].to_pylist() for tag in note)
    return {row["Kunde"]: (row["Preis_count"], row["Preis_sum"]) for row in groups}, dict(tags)


@minutes.task("8 parts of objects")
def parts(home):
    tickets = db.open_table("tickets")
    with minutes.met("a condition for parts of a list"):
        tickets.search().where("items.name = 'valve' and items.price > 50").to_list()
    valves = [
        row["id"]
        for row in tickets.to_arrow().to_pylist()
        if any(item["name"] == "valve" and item["price"] > 50 for item in row["items"])
    ]
    return valves, [row["id"] for row in tickets.search().where("customer.address.city = 'Hamburg'").to_list()]


@minutes.task("new column")
def new_column(home):
    rows = list(csv.DictReader(open(home / "orders.csv", encoding="latin-1", newline=""), delimiter=";"))
    for row in rows:
        row["Menge"], row["Preis"] = int(row["Menge"]), reading.price(row["Preis"])
        row["Datum"] = reading.day(row["Datum"])
    orders = db.open_table("orders")
    merge = orders.merge_insert("Nummer").when_matched_update_all().when_not_matched_insert_all()
    with minutes.met("rows with another column"):
        merge.when_not_matched_by_source_delete().execute(rows)
    orders.add_columns({"Bemerkung": "cast(null as string)"})
    merge.when_not_matched_by_source_delete().execute(rows)
    return [row["Nummer"] for row in orders.search().where("Bemerkung like '%aufgerissen%'").to_list()]


@minutes.task("second import")
def again(home):
    notes = db.open_table("notes")
    merge = notes.merge_insert("path").when_matched_update_all().when_not_matched_insert_all()
    merge.when_not_matched_by_source_delete().execute(list(reading.notes(home / "notes")))
    coffee = [row["path"] for row in notes.search("coffee", query_type="fts").to_list()]
    prices = db.open_table("orders").to_arrow()["Preis"].to_pylist()
    return notes.count_rows(), coffee, len(prices), sum(prices)


@minutes.task("copy")
def copy(home):
    shutil.copytree(minutes.directory / "lance", home / "copy")
    other = lancedb.connect(home / "copy")
    return [other.open_table(name).count_rows() for name in ("notes", "orders", "mails", "tickets")]


tasks.main(minutes)
