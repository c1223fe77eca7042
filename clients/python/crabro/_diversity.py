"""Selects hits that are good and different: maximal marginal relevance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul

from .results import Hit


def diverse(hits: Sequence[Hit], limit: int, diversity: float, has_cosines: bool) -> list[Hit]:
    """Return ``limit`` hits, each of which is the best one after those before it.

    A hit is worth ``(1 - diversity) * score - diversity * nearness``. ``nearness`` is its cosine to the nearest hit
    that was chosen before; without a vector it is 0. Scores that are no cosines are divided by the best one.
    """
    units = [_unit(each.vector) for each in hits]
    top = max((abs(each.score) for each in hits), default=0.0)
    scale = 1.0 if has_cosines or not top else 1 / top
    nearness = [0.0] * len(hits)
    left = list(range(len(hits)))
    chosen: list[int] = []
    while left and len(chosen) < limit:
        best = max(left, key=lambda i: ((1 - diversity) * hits[i].score * scale - diversity * nearness[i], -i))
        left.remove(best)
        chosen.append(best)
        for i in left:
            near = _dot(units[best], units[i])
            nearness[i] = near if len(chosen) == 1 else max(nearness[i], near)
    return [hits[i] for i in chosen]


def _unit(vector: Sequence[float] | None) -> list[float]:
    length = math.sqrt(sum(map(mul, vector, vector))) if vector else 0.0
    return [cell / length for cell in vector] if vector and length else []


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    total: float = sum(map(mul, a, b))
    return total
