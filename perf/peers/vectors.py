#!/usr/bin/env python3
"""Writes clustered vectors of length 1, queries, and the ten exact neighbors of each query.

    vectors.py DIRECTORY [--count 96000] [--cells 768] [--queries 500] [--seed 5]

The files are base.f32 and queries.f32 (float32, little-endian, row after row), neighbors.i32
(ten numbers of rows per query, the nearest first), and vectors.json with the four settings.
Equal settings and an equal version of numpy give equal files.
"""

import argparse
import json
import pathlib

import numpy as np

NEIGHBORS = 10
LATENT = 48  # the dimensions in which vectors differ, apart from noise
CLUSTERS = 300
ROWS_AT_ONCE = 8_000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=96_000)
    parser.add_argument("--cells", type=int, default=768)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--seed", type=int, default=5)
    settings = parser.parse_args()
    directory = settings.directory
    directory.mkdir(parents=True, exist_ok=True)

    random = np.random.default_rng(settings.seed)
    spread = random.standard_normal((LATENT, settings.cells), dtype=np.float32)
    centers = 1.2 * random.standard_normal((CLUSTERS, LATENT), dtype=np.float32)

    def vectors(count):
        made = np.empty((count, settings.cells), dtype=np.float32)
        for first in range(0, count, ROWS_AT_ONCE):
            rows = min(ROWS_AT_ONCE, count - first)
            latent = centers[random.integers(CLUSTERS, size=rows)]
            latent = latent + random.standard_normal((rows, LATENT), dtype=np.float32)
            noise = random.standard_normal((rows, settings.cells), dtype=np.float32)
            some = latent @ spread + 0.6 * noise
            made[first : first + rows] = some / np.linalg.norm(some, axis=1, keepdims=True)
        return made

    base = vectors(settings.count)
    queries = vectors(settings.queries)
    base.tofile(directory / "base.f32")
    queries.tofile(directory / "queries.f32")
    neighbors = np.empty((settings.queries, NEIGHBORS), dtype=np.int32)
    for i, query in enumerate(queries):
        products = base @ query
        best = np.argpartition(-products, NEIGHBORS)[:NEIGHBORS]
        neighbors[i] = best[np.argsort(-products[best])]
    neighbors.tofile(directory / "neighbors.i32")
    described = {k: v for k, v in vars(settings).items() if k != "directory"}
    (directory / "vectors.json").write_text(json.dumps(described))


if __name__ == "__main__":
    main()
