#!/usr/bin/env python3
"""Measures how a library builds an index of neighbors and searches it.

    neighbors.py LIBRARY DIRECTORY [--threads 1] [--trees 0] [--arroy PROGRAM]

LIBRARY is hnswlib, annoy or arroy. DIRECTORY has the files of vectors.py. The index is written
there, and deleted at the end. The result is one line of JSON: seconds and peak memory of the
build, bytes of the index, and for each setting of the search the share of the ten exact neighbors
that were found, with the median and the 99th percentile of the time of a query on one thread.
"""

import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import time

import numpy as np

NEIGHBORS = 10
SEED = 42
LINKS = 16
EXPLORED_IN_BUILD = 200
EXPLORED = [10, 30, 60, 110, 210, 410, 810]
NODES = [-1, 100, 300, 1_000, 3_000, 10_000, 30_000]
ROWS_AT_ONCE = 8_000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", choices=["hnswlib", "annoy", "arroy"])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1, help="of the build")
    parser.add_argument("--trees", type=int, default=0, help="0: as many as the library chooses")
    parser.add_argument("--arroy", help="the program that cargo has built")
    settings = parser.parse_args()
    described = json.loads((settings.directory / "vectors.json").read_text())
    index = settings.directory / f"index-{settings.library}"
    remove(index)
    try:
        if settings.library == "arroy":
            result = arroy(settings, described, index)
        else:
            result = in_process(settings, described, index)
    finally:
        remove(index)
    print(json.dumps({"library": settings.library, "threads": settings.threads, **result}))


def remove(index):
    if index.is_dir():
        shutil.rmtree(index)
    index.unlink(missing_ok=True)


def arroy(settings, described, index):
    if not settings.arroy:
        raise SystemExit("--arroy is missing: the program that cargo has built")
    command = [settings.arroy, settings.directory, described["count"], described["cells"]]
    command += [settings.threads, settings.trees, index]
    done = subprocess.run(map(str, command), check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def in_process(settings, described, index):
    count, cells = described["count"], described["cells"]
    directory = settings.directory
    base = np.memmap(directory / "base.f32", dtype=np.float32, mode="r", shape=(count, cells))
    queries = np.fromfile(directory / "queries.f32", dtype=np.float32).reshape(-1, cells)
    exact = np.fromfile(directory / "neighbors.i32", dtype=np.int32).reshape(-1, NEIGHBORS)
    build = {"hnswlib": hnswlib_index, "annoy": annoy_index}[settings.library]
    begin = time.perf_counter()
    search, name, values = build(base, settings, index)
    seconds = time.perf_counter() - begin
    return {
        "build_s": round(seconds, 2),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "index_bytes": index.stat().st_size,
        "search": [
            {name: value, **searched(search, value, queries, exact)} for value in values
        ],
    }


def hnswlib_index(base, settings, path):
    import hnswlib

    count, cells = base.shape
    index = hnswlib.Index("l2", cells)
    index.init_index(count, M=LINKS, ef_construction=EXPLORED_IN_BUILD, random_seed=SEED)
    index.set_num_threads(settings.threads)
    for first in range(0, count, ROWS_AT_ONCE):
        rows = np.arange(first, min(count, first + ROWS_AT_ONCE))
        index.add_items(np.ascontiguousarray(base[rows]), rows)
    index.save_index(str(path))
    index.set_num_threads(1)

    def search(query, explored):
        index.set_ef(explored)
        return index.knn_query(query, NEIGHBORS)[0][0]

    return search, "explored", EXPLORED


def annoy_index(base, settings, path):
    from annoy import AnnoyIndex

    count, cells = base.shape
    index = AnnoyIndex(cells, "euclidean")
    index.set_seed(SEED)
    index.on_disk_build(str(path))
    for row in range(count):
        index.add_item(row, base[row])
    index.build(settings.trees or -1, n_jobs=settings.threads)

    def search(query, nodes):
        return index.get_nns_by_vector(query, NEIGHBORS, nodes)

    return search, "nodes", NODES


def searched(search, value, queries, exact):
    for _ in range(2):  # the first pass warms up
        times = []
        found = 0
        for query, neighbors in zip(queries, exact):
            begin = time.perf_counter()
            rows = search(query, value)
            times.append(1_000 * (time.perf_counter() - begin))
            found += len(set(map(int, rows)) & set(map(int, neighbors)))
    times.sort()
    return {
        "recall": round(found / exact.size, 4),
        "p50_ms": round(times[len(times) // 2], 4),
        "p99_ms": round(times[len(times) * 99 // 100], 4),
    }


if __name__ == "__main__":
    main()
