"""Measures another program for the scoreboard.

    python scoreboard.py PROGRAM FORM DATA WORK CLIENTS SECONDS

FORM is vectors, mails or events. DATA is a directory that the scoreboard wrote, with the queries and
the results of Crabro in queries.tsv. WORK is an empty directory for the files of the program.

The script loads the data, compares all results with those of Crabro, and then measures each task
with CLIENTS processes for SECONDS. It prints lines of tab-separated words:

    measured TASK RATE UNIT P50_MS P99_MS CPU_MS ANONYMOUS_BYTES DISK_BYTES_PER_DOCUMENT
    missing TASK REASON
"""
import json
import multiprocessing
import os
import sys
import time

DIMENSIONS = 384
LEAST_RECALL = 0.95
ACTOR, WORD = "Cyan4973", "quickwit"


def rows(data, name):
    with open(os.path.join(data, name), encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


# ---- vectors: the ten nearest of a group by cosine distance


class Vectors:
    """users.tsv: group, count; vectors.f32 in this order; queries.tsv: task, group, query, ids."""

    def __init__(self, data):
        import numpy

        self.users = [(group, int(count)) for group, count in rows(data, "users.tsv")]
        self.vectors = numpy.memmap(os.path.join(data, "vectors.f32"), numpy.float32, "r").reshape(-1, DIMENSIONS)
        queries = numpy.fromfile(os.path.join(data, "queries.f32"), numpy.float32).reshape(-1, DIMENSIONS)
        self.queries = [(task, (group, queries[int(number)]), ids.split()) for task, group, number, ids in rows(data, "queries.tsv")]
        self.documents = len(self.vectors)

    def batches(self):
        at = 0
        for number, (group, count) in enumerate(self.users):
            yield number, group, self.vectors[at : at + count]
            at += count

    def number(self, group):
        return [name for name, _ in self.users].index(group)

    @staticmethod
    def differs(found, expected):
        # Crabro stores bfloat16, the others floats of 32 or 16 bits.
        return len(set(map(str, found)) & set(expected)) < LEAST_RECALL * len(expected) - 1

    unit = "queries/s"


class SqliteVectors:
    def load(self, data, work):
        c = self.connect(work)
        c.execute("begin")
        c.execute("create table docs(user integer, id integer, v blob, primary key(user, id)) without rowid")
        for user, _, vectors in data.batches():
            c.executemany("insert into docs values(?, ?, ?)", ((user, i, v.tobytes()) for i, v in enumerate(vectors)))
        c.execute("commit")
        c.execute("vacuum")
        c.close()

    def connect(self, work):
        # The sqlite3 of some Python builds cannot load extensions.
        import apsw
        import sqlite_vec

        c = apsw.Connection(os.path.join(work, "docs.db"))
        c.enable_load_extension(True)
        c.load_extension(sqlite_vec.loadable_path())
        return c

    def open(self, data, work):
        self.c, self.data = self.connect(work), data
        self.c.execute("pragma mmap_size=20000000000")

    def query(self, query):
        sql = "select id from docs where user=? order by vec_distance_cosine(v, ?) limit 10"
        return [x[0] for x in self.c.execute(sql, (self.data.number(query[0]), query[1].tobytes()))]


class DuckVectors:
    def load(self, data, work):
        import duckdb
        import pyarrow

        c = duckdb.connect(os.path.join(work, "docs.duckdb"))
        c.execute("create table docs(usr integer, id integer, v float[%d])" % DIMENSIONS)
        for user, _, vectors in data.batches():
            cells = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(vectors.reshape(-1)), DIMENSIONS)
            t = pyarrow.table({"u": [user] * len(vectors), "i": list(range(len(vectors))), "v": cells})
            c.register("t", t)
            c.execute("insert into docs select * from t")
            c.unregister("t")
        c.execute("checkpoint")
        c.close()

    def open(self, data, work):
        import duckdb

        self.c, self.data = duckdb.connect(os.path.join(work, "docs.duckdb"), read_only=True), data
        self.c.execute("set threads=1")

    def query(self, query):
        sql = "select id from docs where usr=? order by array_cosine_distance(v, ?::float[%d]) limit 10" % DIMENSIONS
        return [x[0] for x in self.c.execute(sql, (self.data.number(query[0]), query[1].tolist())).fetchall()]


class LanceVectors:
    threads = True

    def load(self, data, work):
        import lancedb
        import numpy
        import pyarrow

        table = None
        for user, _, vectors in data.batches():
            cells = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(vectors.astype(numpy.float16).reshape(-1)), DIMENSIONS)
            t = pyarrow.table({"usr": [user] * len(vectors), "id": list(range(len(vectors))), "vector": cells})
            if table is None:
                table = lancedb.connect(work).create_table("docs", t)
            else:
                table.add(t)
        table.create_scalar_index("usr")
        table.optimize()

    def open(self, data, work):
        import lancedb

        self.t, self.data = lancedb.connect(work).open_table("docs"), data

    def query(self, query):
        t = self.t.search(query[1]).distance_type("cosine").where("usr = %d" % self.data.number(query[0]), prefilter=True)
        return t.bypass_vector_index().limit(10).select(["id"]).to_arrow().column("id").to_pylist()


class ChVectors:
    threads = True

    def load(self, data, work):
        self.open(data, work)
        self.s.query("create database if not exists b engine=Atomic")
        self.s.query("create table b.docs(usr UInt32, id UInt32, v Array(BFloat16) CODEC(NONE)) engine=MergeTree order by (usr, id) settings index_granularity=256, min_bytes_for_wide_part=0")
        import pyarrow

        path = os.path.join(work, "in.arrow")
        for user, _, vectors in data.batches():
            cells = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(vectors.reshape(-1)), DIMENSIONS).cast(pyarrow.list_(pyarrow.float32()))
            t = pyarrow.table({"usr": [user] * len(vectors), "id": list(range(len(vectors))), "v": cells})
            with pyarrow.OSFile(path, "wb") as file, pyarrow.ipc.new_file(file, t.schema) as writer:
                writer.write_table(t)
            self.s.query("insert into b.docs select usr, id, v from file('%s', 'Arrow', 'usr UInt32, id UInt32, v Array(Float32)')" % path)
        os.remove(path)
        self.s.query("optimize table b.docs final")

    def open(self, data, work):
        from chdb import session

        if getattr(self, "s", None) is None:
            self.s, self.data = session.Session(os.path.join(work, "ch")), data

    def query(self, query):
        v = ",".join(map(str, query[1].tolist()))
        sql = "select id from b.docs where usr=%d order by cosineDistance(v, cast([%s] as Array(BFloat16))) limit 10 settings max_threads=1"
        return [int(x) for x in str(self.s.query(sql % (self.data.number(query[0]), v), "CSV")).split()]


# ---- mails: a word and a date in the mails of a user


class Mails:
    """mails.tsv: user, id, date, body; queries.tsv: task, user, word, date, how many match."""

    def __init__(self, data):
        self.path = data
        self.queries = [(task, (user, word, int(date)), int(count)) for task, user, word, date, count in rows(data, "queries.tsv")]
        self.documents = sum(1 for _ in self.mails())

    def mails(self):
        for user, id, date, body in rows(self.path, "mails.tsv"):
            yield user, id, int(date), body

    @staticmethod
    def differs(found, expected):
        return found[0] != expected

    unit = "queries/s"


class SqliteMails:
    def load(self, data, work):
        import sqlite3

        c = sqlite3.connect(os.path.join(work, "mails.db"))
        c.execute("create table meta(rid integer primary key, user text, id text, date integer)")
        c.execute("create virtual table fts using fts5(usertok, body)")
        for rid, (user, id, date, body) in enumerate(data.mails()):
            c.execute("insert into meta values(?, ?, ?, ?)", (rid, user, id, date))
            c.execute("insert into fts(rowid, usertok, body) values(?, ?, ?)", (rid, user, body))
        c.execute("create index meta_user_date on meta(user, date)")
        c.execute("insert into fts(fts) values('optimize')")
        c.commit()
        c.close()

    def open(self, data, work):
        import sqlite3

        self.c = sqlite3.connect(os.path.join(work, "mails.db"))
        self.c.execute("pragma mmap_size=20000000000")

    def query(self, query):
        user, word, date = query
        match = 'usertok:"%s" AND body:"%s"' % (user, word)
        of = "from fts join meta m on m.rid=fts.rowid where fts match ? and m.user=? and m.date>=?"
        count = self.c.execute("select count(*) " + of, (match, user, date)).fetchone()[0]
        found = self.c.execute("select m.id %s order by bm25(fts, 0.0, 1.0) limit 10" % of, (match, user, date)).fetchall()
        return count, [x[0] for x in found]


class TantivyMails:
    def load(self, data, work):
        import tantivy as t

        b = t.SchemaBuilder()
        b.add_text_field("user", tokenizer_name="raw", index_option="basic")
        b.add_integer_field("date", fast=True, indexed=True)
        b.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
        b.add_text_field("body")
        writer = t.Index(b.build(), path=work).writer(heap_size=300_000_000, num_threads=2)
        for user, id, date, body in data.mails():
            d = t.Document()
            d.add_text("user", user)
            d.add_integer("date", date)
            d.add_text("id", id)
            d.add_text("body", body)
            writer.add_document(d)
        writer.commit()
        writer.wait_merging_threads()

    def open(self, data, work):
        import tantivy as t

        self.t, self.index = t, t.Index.open(work)
        self.s = self.index.searcher()

    def query(self, query):
        user, word, date = query
        t, schema = self.t, self.index.schema
        Q, must = t.Query, t.Occur.Must
        q = Q.boolean_query(
            [
                (must, Q.term_query(schema, "body", word)),
                (must, Q.const_score_query(Q.term_query(schema, "user", user, index_option="basic"), 0.0)),
                (must, Q.const_score_query(Q.range_query(schema, "date", t.FieldType.Integer, lower_bound=date), 0.0)),
            ]
        )
        found = self.s.search(q, limit=10, count=True)
        return found.count, [self.s.doc(address).to_dict()["id"][0] for _, address in found.hits]


# ---- events: the newest of an actor, counts by day, repositories with most events


class Events:
    """events.jsonl: the lines that Crabro was fed; queries.tsv: task, name, ids or counts."""

    def __init__(self, data):
        self.path = os.path.join(data, "events.jsonl")
        self.queries = [(task, name, result) for task, name, result in rows(data, "queries.tsv")]
        with open(self.path, encoding="utf-8") as file:
            self.documents = sum(1 for _ in file)

    def events(self):
        with open(self.path, encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)["fields"]

    @staticmethod
    def differs(found, expected):
        if found and isinstance(found[0], int):
            found = sorted(found, reverse=True)
        return " ".join(map(str, found)) != expected

    unit = "queries/s"


TEXTS = ["description", "comment_body", "issue_body"]


class DuckEvents:
    def load(self, data, work):
        import duckdb

        c = duckdb.connect(os.path.join(work, "events.duckdb"))
        c.execute(
            """create table ev as select f.id id, f.type as type, to_timestamp(f.created_at) created_at, f.login login, f.repo repo,
            f.description description, f.comment_body comment_body, f.issue_body issue_body, f.json json
            from (select fields f from read_json('%s', format='newline_delimited', columns={put: 'varchar', fields:
            'struct(id varchar, "type" varchar, created_at bigint, login varchar, repo varchar, description varchar, comment_body varchar, issue_body varchar, json varchar)'}))"""
            % data.path
        )
        c.execute("checkpoint")
        c.close()

    def open(self, data, work):
        import duckdb

        self.c = duckdb.connect(os.path.join(work, "events.duckdb"), read_only=True)
        self.c.execute("set timezone='UTC'")

    def query(self, name):
        hero = "login='%s'" % ACTOR
        if name == "Q1":
            return [x[0] for x in self.c.execute("select id from ev where %s order by created_at desc limit 10" % hero).fetchall()]
        if name in ("Q2", "Q3b"):
            where = "true" if name == "Q2" else hero
            sql = "select created_at::date d, count(*) from ev where %s group by d" % where
        else:
            where = "type='WatchEvent'" if name == "Q3" else " or ".join("regexp_matches(%s, '\\b%s\\b')" % (t, WORD) for t in TEXTS)
            sql = "select repo, count(*) n from ev where %s group by repo order by n desc limit 20" % where
        return [x[1] for x in self.c.execute(sql).fetchall()]


class TantivyEvents:
    def load(self, data, work):
        import datetime
        import tantivy as t

        b = t.SchemaBuilder()
        for field in ("id", "type", "login", "repo"):
            b.add_text_field(field, stored=True, fast=True, tokenizer_name="raw", index_option="basic")
        b.add_date_field("created_at", fast=True, indexed=True)
        for field in TEXTS:
            b.add_text_field(field, stored=True)
        b.add_bytes_field("json", stored=True)
        writer = t.Index(b.build(), path=work).writer(heap_size=300_000_000, num_threads=2)
        for event in data.events():
            d = t.Document()
            for field, value in event.items():
                if field == "created_at":
                    d.add_date(field, datetime.datetime.fromtimestamp(value, datetime.timezone.utc))
                elif field == "json":
                    d.add_bytes(field, value.encode())
                else:
                    d.add_text(field, value)
            writer.add_document(d)
        writer.commit()
        writer.wait_merging_threads()

    def open(self, data, work):
        import tantivy as t

        self.t, self.index = t, t.Index.open(work)
        self.s = self.index.searcher()

    def query(self, name):
        t, schema = self.t, self.index.schema
        hero = t.Query.term_query(schema, "login", ACTOR, index_option="basic")
        if name == "Q1":
            hits = self.s.search(hero, limit=10, order_by_field="created_at", order=t.Order.Desc).hits
            return [self.s.doc(address).to_dict()["id"][0] for _, address in hits]
        if name in ("Q2", "Q3b"):
            q = t.Query.all_query() if name == "Q2" else hero
            form = {"date_histogram": {"field": "created_at", "fixed_interval": "1d"}}
        else:
            q = (
                t.Query.term_query(schema, "type", "WatchEvent", index_option="basic")
                if name == "Q3"
                else t.Query.boolean_query([(t.Occur.Should, t.Query.term_query(schema, f, WORD)) for f in TEXTS])
            )
            form = {"terms": {"field": "repo", "size": 20, "segment_size": 100000, "order": {"_count": "desc"}}}
        return [x["doc_count"] for x in self.s.aggregate(q, {"g": form})["g"]["buckets"] if x["doc_count"]]


class ChEvents:
    threads = True

    def load(self, data, work):
        self.open(data, work)
        self.s.query("create database if not exists b engine=Atomic")
        columns = "id String, type LowCardinality(String), created_at UInt32, login String, repo String, description String, comment_body String, issue_body String, json String"
        self.s.query("create table b.ev (%s) engine=MergeTree order by created_at" % columns)
        path = os.path.join(work, "in.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for event in data.events():
                file.write(json.dumps(event) + "\n")
        self.s.query("insert into b.ev select * from file('%s', 'JSONEachRow', '%s')" % (path, columns))
        os.remove(path)
        self.s.query("optimize table b.ev final")

    def open(self, data, work):
        from chdb import session

        if getattr(self, "s", None) is None:
            self.s = session.Session(os.path.join(work, "ch"))

    def query(self, name):
        hero = "login='%s'" % ACTOR
        if name == "Q1":
            return str(self.s.query("select id from b.ev where %s order by created_at desc limit 10" % hero, "TSV")).split()
        if name in ("Q2", "Q3b"):
            sql = "select count() from b.ev where %s group by toDate(toDateTime(created_at, 'UTC'))" % ("1" if name == "Q2" else hero)
        else:
            where = "type='WatchEvent'" if name == "Q3" else " or ".join("hasToken(%s, '%s')" % (t, WORD) for t in TEXTS)
            sql = "select count() n from b.ev where %s group by repo order by n desc limit 20" % where
        return [int(x) for x in str(self.s.query(sql, "TSV")).split()]


FORMS = {"vectors": Vectors, "mails": Mails, "events": Events}
PROGRAMS = {
    ("vectors", "sqlite"): SqliteVectors,
    ("vectors", "duckdb"): DuckVectors,
    ("vectors", "lancedb"): LanceVectors,
    ("vectors", "chdb"): ChVectors,
    ("mails", "sqlite"): SqliteMails,
    ("mails", "tantivy"): TantivyMails,
    ("events", "duckdb"): DuckEvents,
    ("events", "tantivy"): TantivyEvents,
    ("events", "chdb"): ChEvents,
}


# ---- measuring


def anonymous_bytes():
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            return sum(1024 * int(line.split()[1]) for line in file if line.startswith("RssAnon:"))
    except OSError:
        return 0


def client(program, queries, seconds, first):
    """Sends one query after another; returns times in ms, processor seconds and memory."""
    times, end, cpu = [], time.perf_counter() + seconds, time.process_time()
    i = first
    while not times or time.perf_counter() < end:
        begin = time.perf_counter()
        program.query(queries[i % len(queries)])
        times.append(1000 * (time.perf_counter() - begin))
        i += 1
    return times, time.process_time() - cpu, anonymous_bytes()


def in_process(make, data, work, queries, seconds, first, results):
    program = make()
    program.open(data, work)
    client(program, queries, seconds / 4, first)
    results.put(client(program, queries, seconds, first))


def in_threads(program, queries, clients, seconds):
    import threading

    results = []
    cpu = time.process_time()
    all = [threading.Thread(target=lambda i=i: results.append(client(program, queries, seconds, i))) for i in range(clients)]
    for each in all:
        each.start()
    for each in all:
        each.join()
    cpu = time.process_time() - cpu
    return [(times, cpu / clients, memory / clients) for times, _, memory in results]


def in_processes(make, data, work, queries, clients, seconds):
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    all = [context.Process(target=in_process, args=(make, data, work, queries, seconds, i, results)) for i in range(clients)]
    for each in all:
        each.start()
    found = [results.get(timeout=60 + 4 * seconds) for _ in all]
    for each in all:
        each.join()
    return found


def percentile(times, percent):
    times = sorted(times)
    return times[min(len(times) - 1, len(times) * percent // 100)]


def disk_bytes(work):
    return sum(os.stat(os.path.join(folder, file)).st_size for folder, _, files in os.walk(work) for file in files)


def line(*words):
    print("\t".join(str(word).replace("\t", " ").replace("\n", " ") for word in words), flush=True)


def main():
    name, form, path, work, clients, seconds = sys.argv[1:]
    clients, seconds = int(clients), float(seconds)
    make = PROGRAMS.get((form, name))
    if make is None:
        line("missing", form, "perf/peers has no script for it")
        return
    data = FORMS[form](path)
    program = make()
    work = os.path.join(work, "files")
    os.makedirs(work)
    begin = time.perf_counter()
    program.load(data, work)
    loaded = time.perf_counter() - begin
    size = disk_bytes(work) / data.documents
    line("measured", "loading %s, until queries can begin" % form, data.documents / loaded, "documents/s", "-", "-", "-", "-", size)
    program.open(data, work)
    for task in dict.fromkeys(each[0] for each in data.queries):
        mine = [(query, expected) for of, query, expected in data.queries if of == task]
        wrong = [query for query, expected in mine if data.differs(program.query(query), expected)]
        if wrong:
            line("missing", task, "%d of %d results differ" % (len(wrong), len(mine)))
            continue
        queries = [query for query, _ in mine]
        # Events are asked by one client, as Crabro is.
        count = 1 if form == "events" else clients
        if getattr(program, "threads", False):
            client(program, queries, seconds / 4, 0)
            found = in_threads(program, queries, count, seconds)
        else:
            found = in_processes(make, data, work, queries, count, seconds)
        times = [ms for each, _, _ in found for ms in each]
        rate = sum(len(each) / (sum(each) / 1000) for each, _, _ in found)
        cpu = 1000 * sum(seconds for _, seconds, _ in found) / len(times)
        memory = sum(memory for _, _, memory in found)
        line("measured", task, rate, data.unit, percentile(times, 50), percentile(times, 99), cpu, memory, size)


if __name__ == "__main__":
    main()
