"""SQLite with FTS5, by the module sqlite3 of Python: nothing to install."""

import csv
import json
import sqlite3

import reading
import tasks

minutes = tasks.Minutes("sqlite")
db = sqlite3.connect(minutes.directory / "home.db")


@minutes.task("import notes")
def import_notes(home):
    db.execute("create table notes (path text primary key, title text, date text, tags text, text text)")
    db.execute("create virtual table notes_words using fts5(path unindexed, title, text)")
    for note in reading.notes(home / "notes"):
        row = (note["path"], note["title"], note["date"], json.dumps(note["tags"]), note["text"])
        db.execute("insert into notes values (?, ?, ?, ?, ?)", row)
        db.execute("insert into notes_words values (?, ?, ?)", (note["path"], note["title"], note["text"]))
    db.commit()
    return db.execute("select count(*) from notes").fetchone()[0]


@minutes.task("import table")
def import_table(home):
    with minutes.met("the table, opened as it is"):
        list(csv.DictReader(open(home / "orders.csv", encoding="utf-8"), delimiter=";"))
    db.execute(
        "create table orders (nummer text primary key, datum text, kunde text, artikel text, menge integer,"
        " preis real, zustand text)"
    )
    with open(home / "orders.csv", encoding="latin-1", newline="") as file:
        for row in csv.DictReader(file, delimiter=";"):
            row["Preis"] = reading.price(row["Preis"])
            row["Datum"] = reading.day(row["Datum"]).isoformat()
            db.execute("insert into orders values (?, ?, ?, ?, ?, ?, ?)", list(row.values()))
    db.commit()
    return db.execute("select count(*) from orders").fetchone()[0]


@minutes.task("import mailbox")
def import_mailbox(home):
    db.execute("create table mails (id text primary key, sender text, subject text, date text, attachments text)")
    db.execute("create virtual table mails_words using fts5(id unindexed, subject, text)")
    for mail in reading.mails(home / "mail.mbox"):
        row = (mail["id"], mail["sender"], mail["subject"], mail["date"].isoformat(), json.dumps(mail["attachments"]))
        db.execute("insert into mails values (?, ?, ?, ?, ?)", row)
        db.execute("insert into mails_words values (?, ?, ?)", (mail["id"], mail["subject"], mail["text"]))
    db.commit()
    return db.execute("select count(*) from mails").fetchone()[0]


@minutes.task("import json")
def import_json(home):
    db.execute("create table tickets (id text primary key, created_at text, ticket text)")
    for ticket in json.loads((home / "tickets.json").read_text(encoding="utf-8")):
        row = (ticket["id"], ticket["created_at"], json.dumps(ticket, ensure_ascii=False))
        db.execute("insert into tickets values (?, datetime(?), ?)", row)
    db.commit()
    return db.execute("select count(*) from tickets").fetchone()[0]


@minutes.task("1 word")
def word(home):
    return [row[0] for row in db.execute("select path from notes_words where notes_words match 'coffee' order by rank")]


@minutes.task("2 typo")
def typo(home):
    return [row[0] for row in db.execute("select path from notes_words where notes_words match 'cofee'")]


@minutes.task("3 typo, long word")
def long_typo(home):
    with minutes.met("the documentation's extension for spelling"):
        db.execute("create virtual table spelling using spellfix1")
    notes = db.execute("select path from notes_words where notes_words match 'archipelgo'").fetchall()
    mails = db.execute("select id from mails_words where mails_words match 'archipelgo'").fetchall()
    return [row[0] for row in notes + mails]


@minutes.task("4 beginning")
def beginning(home):
    return [row[0] for row in db.execute("select path from notes_words where notes_words match 'measurem*'")]


@minutes.task("5 without umlauts")
def umlauts(home):
    notes = db.execute("select path from notes_words where notes_words match 'kasekuchen'").fetchall()
    mails = db.execute("select id from mails_words where mails_words match 'ubergabe'").fetchall()
    return [row[0] for row in notes + mails]


@minutes.task("6 date range")
def dates(home):
    query = "select count(*), sum(preis) from orders where datum >= '2024-05' and datum < '2024-06'"
    return db.execute(query).fetchone()


@minutes.task("7 facets")
def facets(home):
    customers = db.execute("select kunde, count(*), sum(preis) from orders group by kunde").fetchall()
    tags = db.execute("select value, count(*) from notes, json_each(notes.tags) group by value").fetchall()
    return {name: (count, total) for name, count, total in customers}, dict(tags)


@minutes.task("8 parts of objects")
def parts(home):
    valves = db.execute(
        "select distinct tickets.id from tickets, json_each(ticket, '$.items') item"
        " where item.value ->> 'name' = 'valve' and item.value ->> 'price' > 50"
    )
    city = "select id from tickets where ticket ->> '$.customer.address.city' = 'Hamburg'"
    return [row[0] for row in valves], [row[0] for row in db.execute(city)]


@minutes.task("new column")
def new_column(home):
    with open(home / "orders.csv", encoding="latin-1", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    for row in rows:
        row["Preis"], row["Datum"] = reading.price(row["Preis"]), reading.day(row["Datum"]).isoformat()
    with minutes.met("rows with another column"):
        db.execute("insert or replace into orders values (?, ?, ?, ?, ?, ?, ?, ?)", list(rows[0].values()))
    db.execute("alter table orders add column bemerkung text")
    for row in rows:
        db.execute("insert or replace into orders values (?, ?, ?, ?, ?, ?, ?, ?)", list(row.values()))
    db.commit()
    return [row[0] for row in db.execute("select nummer from orders where bemerkung like '%aufgerissen%'")]


@minutes.task("second import")
def again(home):
    with open(home / "orders.csv", encoding="latin-1", newline="") as file:
        numbers = [row["Nummer"] for row in csv.DictReader(file, delimiter=";")]
    db.execute(f"delete from orders where nummer not in ({','.join('?' * len(numbers))})", numbers)
    db.execute("delete from notes")
    db.execute("delete from notes_words")
    for note in reading.notes(home / "notes"):
        row = (note["path"], note["title"], note["date"], json.dumps(note["tags"]), note["text"])
        db.execute("insert into notes values (?, ?, ?, ?, ?)", row)
        db.execute("insert into notes_words values (?, ?, ?)", (note["path"], note["title"], note["text"]))
    db.commit()
    coffee = [row[0] for row in db.execute("select path from notes_words where notes_words match 'coffee'")]
    notes = db.execute("select count(*) from notes").fetchone()[0]
    return notes, coffee, *db.execute("select count(*), sum(preis) from orders").fetchone()


@minutes.task("copy")
def copy(home):
    db.execute("vacuum into ?", (str(home / "copy.db"),))
    other = sqlite3.connect(home / "copy.db")
    return [other.execute(f"select count(*) from {t}").fetchone()[0] for t in ("notes", "orders", "mails", "tickets")]


tasks.main(minutes)
