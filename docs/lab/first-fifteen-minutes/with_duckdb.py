"""DuckDB in Python. Its extension for full-text search is a download: words are a table here."""

import duckdb

import reading
import tasks

minutes = tasks.Minutes("duckdb")
db = duckdb.connect(minutes.directory / "home.db")


@minutes.task("import notes")
def import_notes(home):
    db.execute("create table notes (path text primary key, title text, date date, tags text[], text text)")
    db.executemany("insert into notes values ($path, $title, $date, $tags, $text)", list(reading.notes(home / "notes")))
    with minutes.met("fetchone, as in examples of older versions"):
        db.sql("select count(*) from notes").fetchone()
    return db.sql("select count(*) from notes").fetchall()[0][0]


@minutes.task("import table")
def import_table(home):
    with minutes.met("the table, read as it is"):
        db.sql(f"create table orders as from '{home}/orders.csv'")
    db.sql(f"create table orders as from read_csv('{home}/orders.csv', encoding='latin-1')")
    with minutes.met("prices with a point and a comma are texts"):
        db.sql("select sum(Preis) from orders")
    db.sql(
        f"create or replace table orders as from read_csv('{home}/orders.csv', encoding='latin-1',"
        " decimal_separator=',', thousands='.')"
    )
    return db.sql("select count(*) from orders").fetchall()[0][0]


@minutes.task("import mailbox")
def import_mailbox(home):
    db.execute(
        "create table mails (id text primary key, sender text, subject text, date timestamptz, text text,"
        " attachments text[])"
    )
    rows = list(reading.mails(home / "mail.mbox"))
    db.executemany("insert into mails values ($id, $sender, $subject, $date, $text, $attachments)", rows)
    return db.sql("select count(*) from mails").fetchall()[0][0]


@minutes.task("import json")
def import_json(home):
    db.sql(f"create table tickets as from '{home}/tickets.json'")
    return db.sql("select count(*) from tickets").fetchall()[0][0]


@minutes.task("1 word")
def word(home):
    with minutes.met("the extension for full-text search"):
        db.sql("install fts")
    db.sql(
        "create view words as select path as id, unnest(regexp_split_to_array(lower(strip_accents("
        "title || ' ' || text)), '[^a-z0-9]+')) as word from notes union all select id, unnest("
        "regexp_split_to_array(lower(strip_accents(subject || ' ' || text)), '[^a-z0-9]+')) from mails"
    )
    query = "select distinct id from words where word = 'coffee' and id like '%.md'"
    return [row[0] for row in db.sql(query).fetchall()]


@minutes.task("2 typo")
def typo(home):
    query = "select distinct id from words where levenshtein(word, 'cofee') <= 1 and id like '%.md'"
    return [row[0] for row in db.sql(query).fetchall()]


@minutes.task("3 typo, long word")
def long_typo(home):
    query = "select distinct id from words where levenshtein(word, 'archipelgo') <= 2"
    return [row[0] for row in db.sql(query).fetchall()]


@minutes.task("4 beginning")
def beginning(home):
    return [row[0] for row in db.sql("select distinct id from words where word like 'measurem%'").fetchall()]


@minutes.task("5 without umlauts")
def umlauts(home):
    query = "select distinct id from words where word in ('kasekuchen', 'ubergabe')"
    return [row[0] for row in db.sql(query).fetchall()]


@minutes.task("6 date range")
def dates(home):
    with minutes.met("a month as a date"):
        db.sql("select count(*) from orders where Datum >= '2024-05' and Datum < '2024-06'").fetchall()
    query = "select count(*), sum(Preis) from orders where Datum >= '2024-05-01' and Datum < '2024-06-01'"
    return db.sql(query).fetchall()[0]


@minutes.task("7 facets")
def facets(home):
    customers = db.sql("select Kunde, count(*), sum(Preis) from orders group by all").fetchall()
    tags = db.sql("select tag, count(*) from (select unnest(tags) as tag from notes) group by all").fetchall()
    return {name: (count, total) for name, count, total in customers}, dict(tags)


@minutes.task("8 parts of objects")
def parts(home):
    valves = db.sql(
        "select id from tickets where len(list_filter(items, lambda x: x.name = 'valve' and x.price > 50)) > 0"
    )
    city = db.sql("select id from tickets where customer.address.city = 'Hamburg'")
    return [row[0] for row in valves.fetchall()], [row[0] for row in city.fetchall()]


@minutes.task("new column")
def new_column(home):
    with minutes.met("rows with another column"):
        db.sql(
            f"insert into orders from read_csv('{home}/orders.csv', encoding='latin-1', decimal_separator=',',"
            " thousands='.')"
        )
    db.sql(
        f"create or replace table orders as from read_csv('{home}/orders.csv', encoding='latin-1',"
        " decimal_separator=',', thousands='.')"
    )
    return [row[0] for row in db.sql("select Nummer from orders where Bemerkung like '%aufgerissen%'").fetchall()]


@minutes.task("second import")
def again(home):
    db.sql("delete from notes")
    db.executemany("insert into notes values ($path, $title, $date, $tags, $text)", list(reading.notes(home / "notes")))
    coffee = db.sql("select distinct id from words where word = 'coffee' and id like '%.md'").fetchall()
    notes = db.sql("select count(*) from notes").fetchall()[0][0]
    return notes, [row[0] for row in coffee], *db.sql("select count(*), sum(Preis) from orders").fetchall()[0]


@minutes.task("copy")
def copy(home):
    db.sql(f"export database '{home}/copy'")
    other = duckdb.connect()
    other.sql(f"import database '{home}/copy'")
    return [other.sql(f"select count(*) from {t}").fetchall()[0][0] for t in ("notes", "orders", "mails", "tickets")]


tasks.main(minutes)
