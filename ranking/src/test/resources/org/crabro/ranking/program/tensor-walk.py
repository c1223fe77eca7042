"""Writes tensor-walk.csv: random expressions of tensors, and what they are worth.

pip install numpy; python3 tensor-walk.py

A row is an expression, its value, and the tensors that it names. A tensor is kept here as all of its
cells by their labels, and each function is written from its definition, cell by cell: nothing is
shared with what is tested. Rows with long texts are left out.
"""

import itertools
import math
import pathlib
import random

import numpy as np

ROWS = 500
LENGTH_MAX = 1000
SIZES = {"a": None, "b": None, "x": 2, "y": 3, "z": 4}
LABELS = {"a": ["p", "q", "7"], "b": ["p", "r"]}
CELLS = [-3.0, -1.0, -0.5, 0.0, 0.25, 1.0, 2.0, 2.5, 5.0, 17.0]
TYPES = ["double", "float", "bfloat16", "int8"]

choose = random.Random(2026)


class Unfit(Exception):
    """What was chosen is no expression, or is too large to be compared."""


def narrow(kind, value):
    if kind == "double":
        return value
    with np.errstate(over="ignore"):
        cell = np.float32(value)
    if kind == "bfloat16":
        return float((np.array([cell]).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)[0])
    if kind == "int8":
        return 0.0 if math.isnan(value) else float(int(max(-128, min(127, value))))
    return float(cell)


class Tensor:
    """Dimensions are names with sizes, None for mapped ones; cells are named by their labels."""

    def __init__(self, kind, dims, cells):
        self.dims = tuple(sorted(dims))
        self.names = [name for name, _ in self.dims]
        self.kind = kind if dims else "double"
        self.mapped = [i for i, (_, size) in enumerate(self.dims) if size is None]
        self.indexed = [i for i, (_, size) in enumerate(self.dims) if size is not None]
        parts = {tuple(at[i] for i in self.mapped) for at in cells} if self.mapped else {()}
        self.cells = {}
        for part in sorted(parts):
            for index in itertools.product(*[range(self.dims[i][1]) for i in self.indexed]):
                label = {**dict(zip(self.mapped, part)), **dict(zip(self.indexed, index))}
                at = tuple(label[i] for i in range(len(self.dims)))
                self.cells[at] = narrow(self.kind, cells.get(at, 0.0))

    def labels(self, at):
        return dict(zip(self.names, at))

    def each(self, function):
        return Tensor(decay(self.kind), self.dims, {at: function(cell) for at, cell in self.cells.items()})

    def sum(self):
        return sum(self.cells.values())

    def __str__(self):
        if not self.dims:
            return "tensor():{%s}" % written(self.sum())
        dims = ",".join(name + ("{}" if size is None else "[%d]" % size) for name, size in self.dims)
        cells = ",".join(
            "{%s}:%s" % (",".join("%s:%s" % label for label in zip(self.names, at)), written(cell))
            for at, cell in self.cells.items()
        )
        return "tensor%s(%s):{%s}" % ("" if self.kind == "double" else f"<{self.kind}>", dims, cells)


def written(value):
    if math.isnan(value):
        return "NaN"
    return repr(value).replace("inf", "Infinity")


def number(value):
    return Tensor("double", [], {(): value})


def decay(kind):
    return "double" if kind == "double" else "float"


def common(left, right):
    if not left.dims or not right.dims:
        return left.kind if left.dims else right.kind
    if left.kind == right.kind:
        return left.kind
    return "double" if "double" in (left.kind, right.kind) else "float"


def pairs(left, right, apart=()):
    """Pairs of cells that agree on their labels, but for those of some dimensions."""
    for at, cell in left.cells.items():
        for other_at, other in right.cells.items():
            mine, theirs = left.labels(at), right.labels(other_at)
            if all(mine[name] == theirs[name] for name in mine if name in theirs and name not in apart):
                yield mine, cell, theirs, other


def union(left, right, apart=()):
    dims = {name: size for name, size in left.dims if name not in apart}
    for name, size in right.dims:
        if name not in apart and dims.setdefault(name, size) != size:
            raise Unfit
    return dims


def join(left, right, function):
    dims = sorted(union(left, right).items())
    cells = {}
    for mine, cell, theirs, other in pairs(left, right):
        labels = {**mine, **theirs}
        cells[tuple(labels[name] for name, _ in dims)] = function(cell, other)
    return Tensor(decay(common(left, right)), dims, cells)


def merge(left, right, function):
    if left.dims != right.dims:
        raise Unfit
    cells = dict(left.cells)
    for at, cell in right.cells.items():
        cells[at] = function(cells[at], cell) if at in cells else cell
    return Tensor(decay(common(left, right)), left.dims, cells)


def largest(values, holds):
    best = values[0]
    for value in values[1:]:
        best = value if holds(best, value) else best
    return best


AGGREGATORS = {
    "avg": lambda values: sum(values) / len(values),
    "count": lambda values: float(len(values)),
    "sum": sum,
    "prod": math.prod,
    "max": lambda values: largest(values, lambda best, value: best < value),
    "min": lambda values: largest(values, lambda best, value: value < best),
    "median": lambda values: float(np.median(values)),
}


def reduce(tensor, aggregator, names):
    names = names or tensor.names
    rest = [(name, size) for name, size in tensor.dims if name not in names]
    groups = {}
    for at, cell in tensor.cells.items():
        labels = tensor.labels(at)
        groups.setdefault(tuple(labels[name] for name, _ in rest), []).append(cell)
    cells = {at: AGGREGATORS[aggregator](values) for at, values in groups.items()}
    return Tensor(decay(tensor.kind), rest, cells)


def rename(tensor, names):
    if len({names.get(name, name) for name in tensor.names}) < len(tensor.names):
        raise Unfit
    dims = sorted((names.get(name, name), size) for name, size in tensor.dims)
    cells = {}
    for at, cell in tensor.cells.items():
        labels = {names.get(name, name): label for name, label in tensor.labels(at).items()}
        cells[tuple(labels[name] for name, _ in dims)] = cell
    return Tensor(tensor.kind, dims, cells)


def concat(left, right, name):
    sizes = [dict(tensor.dims).get(name, 1) for tensor in (left, right)]
    if None in sizes:
        raise Unfit
    dims = sorted({**union(left, right, [name]), name: sum(sizes)}.items())
    cells = {}
    for mine, cell, theirs, other in pairs(left, right, [name]):
        labels = {**mine, **theirs}
        for index, value in ((mine.get(name, 0), cell), (sizes[0] + theirs.get(name, 0), other)):
            labels[name] = index
            cells[tuple(labels[each] for each, _ in dims)] = value
    return Tensor(common(left, right), dims, cells)


def order(tensor, sign):
    def rank(at):
        cell = tensor.cells[at]
        part = tuple(at[i] for i in tensor.mapped), tuple(at[i] for i in tensor.indexed)
        return math.isnan(cell), 0 if math.isnan(cell) else sign * cell, part

    ranked = sorted(tensor.cells, key=rank)
    return Tensor(decay(tensor.kind), tensor.dims, {at: float(i) for i, at in enumerate(ranked)})


def subspaces(tensor):
    """Returns the dense part of each address of mapped labels."""
    dims = [tensor.dims[i] for i in tensor.indexed]
    parts = {} if tensor.mapped else {(): {}}
    for at, cell in tensor.cells.items():
        part = parts.setdefault(tuple(at[i] for i in tensor.mapped), {})
        part[tuple(at[i] for i in tensor.indexed)] = cell
    return {part: Tensor(tensor.kind, dims, cells) for part, cells in parts.items()}


def map_subspaces(tensor, function):
    none = Tensor(tensor.kind, [tensor.dims[i] for i in tensor.indexed], {})
    kind = function(none)
    dims = sorted([tensor.dims[i] for i in tensor.mapped] + list(kind.dims))
    names = [tensor.names[i] for i in tensor.mapped]
    cells = {}
    for part, subspace in subspaces(tensor).items():
        result = function(subspace)
        for at, cell in result.cells.items():
            labels = {**dict(zip(names, part)), **result.labels(at)}
            cells[tuple(labels[name] for name, _ in dims)] = cell
    return Tensor(kind.kind if kind.dims else decay(tensor.kind), dims, cells)


def filter_subspaces(tensor, function):
    if not tensor.mapped:
        raise Unfit
    kept = {part for part, subspace in subspaces(tensor).items() if function(subspace).sum() != 0}
    cells = {at: cell for at, cell in tensor.cells.items() if tuple(at[i] for i in tensor.mapped) in kept}
    return Tensor(tensor.kind, tensor.dims, cells)


def sliced(tensor, wanted):
    rest = [(name, size) for name, size in tensor.dims if name not in wanted]
    cells = {}
    for at, cell in tensor.cells.items():
        labels = tensor.labels(at)
        if all(labels[name] == label for name, label in wanted.items()):
            cells[tuple(labels[name] for name, _ in rest)] = cell
    return Tensor(tensor.kind, rest, cells)


def generated(kind, dims, function):
    places = itertools.product(*[range(size) for _, size in sorted(dims)])
    return Tensor(kind, dims, {at: float(function(*at)) for at in places})


def divide(a, b):
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)


def remainder(a, b):
    return math.nan if b == 0 or math.isinf(a) or math.isnan(a) or math.isnan(b) else math.fmod(a, b)


def byte(value):
    return 0 if math.isnan(value) else (int(value) + 128) % 256 - 128


def bit(value, index):
    return float(0 <= int(index) < 8 and byte(value) >> int(index) & 1)


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "%": remainder,
    "<": lambda a, b: float(a < b),
    "<=": lambda a, b: float(a <= b),
    ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b),
    "==": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "&&": lambda a, b: float(a != 0 and b != 0),
    "||": lambda a, b: float(a != 0 or b != 0),
}
OF_TWO = {
    "max": lambda a, b: b if a < b else a,
    "min": lambda a, b: b if b < a else a,
    "atan2": math.atan2,
    "bit": bit,
    "fmod": remainder,
    "hamming": lambda a, b: float(((byte(a) ^ byte(b)) & 255).bit_count()),
    "ldexp": lambda a, b: a * 2.0 ** int(b),
}
OF_ONE = {
    "abs": abs,
    "atan": math.atan,
    "ceil": lambda v: float(math.ceil(v)),
    "cos": math.cos,
    "elu": lambda v: math.exp(v) - 1 if v < 0 else v,
    "erf": math.erf,
    "exp": math.exp,
    "floor": lambda v: float(math.floor(v)),
    "isNan": lambda v: float(math.isnan(v)),
    "log": lambda v: math.log(v) if v > 0 else -math.inf if v == 0 else math.nan,
    "relu": lambda v: max(v, 0.0),
    "round": lambda v: float(math.floor(v + 0.5)),
    "sigmoid": lambda v: 1 / (1 + math.exp(-v)),
    "sign": lambda v: 1.0 if v >= 0 else -1.0,
    "sin": math.sin,
    "sqrt": lambda v: math.sqrt(v) if v >= 0 else math.nan,
    "square": lambda v: v * v,
    "tanh": math.tanh,
}

TIMES = OPERATORS["*"]
EQUAL = OPERATORS["=="]


class Walk:
    """Makes one expression, and remembers the tensors that it names."""

    def __init__(self):
        self.given = {}

    def name(self, tensor):
        name = "t%d" % len(self.given)
        self.given[name] = tensor
        return name

    def leaf(self):
        names = choose.sample(list(SIZES), choose.choice([0, 1, 1, 2, 2, 3]))
        dims = sorted((name, SIZES[name]) for name in names)
        cells = {}
        sparse = [[label for label in LABELS[name] if choose.random() < 0.8] for name, size in dims if size is None]
        for part in itertools.product(*sparse):
            for index in itertools.product(*[range(size) for _, size in dims if size]):
                label = iter(part), iter(index)
                at = tuple(next(label[0]) if size is None else next(label[1]) for _, size in dims)
                cells[at] = choose.choice(CELLS)
        return Tensor(choose.choice(TYPES), dims, cells if dims else {(): choose.choice(CELLS)})

    def some(self, depth):
        if depth == 0 or choose.random() < 0.1:
            tensor = self.leaf()
            return self.name(tensor), tensor
        return choose.choice(STEPS)(self, depth - 1)

    def with_dimension(self, depth):
        text, tensor = self.some(depth)
        if not tensor.dims:
            raise Unfit
        return text, tensor, choose.choice(tensor.names)

    def sharing(self, depth, name):
        text, tensor = self.some(depth)
        if name not in tensor.names:
            raise Unfit
        return text, tensor

    def of_one(self, depth):
        text, tensor = self.some(depth)
        name, function = choose.choice(list(OF_ONE.items()))
        return choose.choice(
            [
                (f"{name}({text})", tensor.each(function)),
                (f"map({text}, f(v)({name}(v) + 1))", tensor.each(lambda v: function(v) + 1)),
                (f"(-({text}))", tensor.each(lambda v: -v)),
                (f"(!({text}))", tensor.each(lambda v: float(v == 0))),
            ]
        )

    def of_two(self, depth):
        left, a = self.some(depth)
        right, b = self.some(depth)
        operator = choose.choice(list(OPERATORS))
        function = choose.choice(list(OF_TWO))
        return choose.choice(
            [
                lambda: (f"({left} {operator} {right})", join(a, b, OPERATORS[operator])),
                lambda: (f"{function}({left}, ({right}))", join(a, b, OF_TWO[function])),
                lambda: (f"join({left}, {right}, f(l,r)(l * 2 - r))", join(a, b, lambda l, r: l * 2 - r)),
            ]
        )()

    def merged(self, depth):
        left, a = self.some(depth)
        cells = {at: choose.choice(CELLS) for at in a.cells if not a.mapped or choose.random() < 0.6}
        b = Tensor(choose.choice(TYPES), a.dims, cells)
        return f"merge({left}, {self.name(b)}, f(l,r)(l - r))", merge(a, b, lambda l, r: l - r)

    def reduced(self, depth):
        text, tensor = self.some(depth)
        aggregator = choose.choice(list(AGGREGATORS))
        names = choose.sample(tensor.names, choose.randint(0, len(tensor.names)))
        listed = "".join(", " + name for name in names)
        short = choose.random() < 0.5 and aggregator not in ("max", "min")
        form = f"{aggregator}({text}{listed})" if short else f"reduce({text}, {aggregator}{listed})"
        return form, reduce(tensor, aggregator, names)

    def renamed(self, depth):
        text, tensor, _ = self.with_dimension(depth)
        names = choose.sample(tensor.names, choose.randint(1, len(tensor.names)))
        others = choose.sample(["a", "b", "v", "w", "x", "y"], len(names))
        form = f"rename({text}, ({','.join(names)}), ({','.join(others)}))"
        return form, rename(tensor, dict(zip(names, others)))

    def joined_end_to_end(self, depth):
        left, a = self.some(depth)
        right, b = self.some(depth)
        name = choose.choice(["w", "x", "y"])
        return f"concat({left}, {right}, {name})", concat(a, b, name)

    def cast(self, depth):
        text, tensor, _ = self.with_dimension(depth)
        kind = choose.choice(TYPES)
        return f"cell_cast({text}, {kind})", Tensor(kind, tensor.dims, tensor.cells)

    def ordered(self, depth):
        text, tensor = self.some(depth)
        return choose.choice(
            [
                lambda: (f"cell_order({text}, max)", order(tensor, -1)),
                lambda: (f"cell_order({text}, min)", order(tensor, 1)),
                lambda: (f"top(2, {text})", top(tensor)),
            ]
        )()

    def by_subspace(self, depth):
        text, tensor = self.some(depth)
        steps = generated("float", [("w", 2)], lambda w: w)
        return choose.choice(
            [
                lambda: (f"map_subspaces({text}, f(s)(s * 2))", map_subspaces(tensor, lambda s: s.each(lambda v: v * 2))),
                lambda: (f"map_subspaces({text}, f(s)(sum(s) + 1))", map_subspaces(tensor, lambda s: number(s.sum() + 1))),
                lambda: (
                    f"map_subspaces({text}, f(s)(s + tensor<float>(w[2])(w)))",
                    map_subspaces(tensor, lambda s: join(s, steps, OPERATORS["+"])),
                ),
                lambda: (
                    f"filter_subspaces({text}, f(s)(s > 1))",
                    filter_subspaces(tensor, lambda s: s.each(lambda v: float(v > 1))),
                ),
            ]
        )()

    def sliced(self, depth):
        text, tensor, _ = self.with_dimension(depth)
        wanted = {}
        for name in choose.sample(tensor.names, choose.randint(1, len(tensor.names))):
            size = dict(tensor.dims)[name]
            wanted[name] = choose.choice(["p", "q", "7", "zz"]) if size is None else choose.randrange(size)
        listed = ",".join("%s:%s" % label for label in wanted.items())
        return f"({text}){{{listed}}}", sliced(tensor, wanted)

    def made(self, depth):
        text, tensor = self.some(depth)
        total = tensor.sum()
        cells = {("p", 0): 1.0, ("p", 1): total, ("q", 0): 2.0, ("q", 1): 3.0}
        dims = [("w", 3), ("x", 2)]
        return choose.choice(
            [
                lambda: (
                    f"tensor<int8>(x[2],w[3])(x * 10 + w + sum({text}))",
                    generated("int8", dims, lambda w, x: x * 10 + w + total),
                ),
                lambda: (
                    f"tensor<float>(a{{}},x[2]):{{p:[1,{text}],q:[2,3]}}",
                    Tensor("float", [("a", None), ("x", 2)], cells),
                ),
            ]
        )()

    def best(self, depth):
        text, tensor = self.some(depth)
        names = choose.sample(tensor.names, choose.randint(0, len(tensor.names)))
        which = choose.choice(["max", "min"])
        listed = "".join(", " + name for name in names)
        return f"arg{which}({text}{listed})", join(tensor, reduce(tensor, which, names), EQUAL)

    def normalized(self, depth):
        text, tensor, name = self.with_dimension(depth)
        powers = tensor.each(math.exp)
        length = reduce(join(tensor, tensor, TIMES), "sum", [name]).each(OF_ONE["sqrt"])
        return choose.choice(
            [
                (f"l1_normalize({text}, {name})", join(tensor, reduce(tensor, "sum", [name]), divide)),
                (f"l2_normalize({text}, {name})", join(tensor, length, divide)),
                (f"softmax({text}, {name})", join(powers, reduce(powers, "sum", [name]), divide)),
                (f"expand({text}, w)", join(generated("int8", [("w", 1)], lambda w: 1), tensor, TIMES)),
            ]
        )

    def products(self, depth):
        left, a, name = self.with_dimension(depth)
        right, b = self.sharing(depth, name)
        more, c = self.some(depth)
        product = reduce(join(a, b, TIMES), "sum", [name])
        squares = [reduce(join(each, each, TIMES), "sum", [name]) for each in (a, b)]
        lengths = join(*squares, TIMES).each(OF_ONE["sqrt"])
        apart = join(a, b, OPERATORS["-"])
        distance = reduce(join(apart, apart, TIMES), "sum", [name]).each(OF_ONE["sqrt"])
        return choose.choice(
            [
                lambda: (f"matmul({left}, {right}, {name})", product),
                lambda: (f"cosine_similarity({left}, {right}, {name})", join(product, lengths, divide)),
                lambda: (f"euclidean_distance({left}, {right}, {name})", distance),
                lambda: (f"xw_plus_b({left}, {right}, {more}, {name})", join(product, c, OPERATORS["+"])),
            ]
        )()

    def unpacked(self, depth):
        text, tensor, _ = self.with_dimension(depth)
        tensor = Tensor("int8", tensor.dims, tensor.cells)
        if not tensor.indexed:
            raise Unfit
        name = tensor.names[tensor.indexed[-1]]
        end = choose.choice(["big", "little"])
        cells = {}
        for at, cell in tensor.cells.items():
            for i in range(8):
                labels = tensor.labels(at)
                labels[name] = 8 * labels[name] + i
                cells[tuple(labels[each] for each in tensor.names)] = bit(cell, 7 - i if end == "big" else i)
        dims = [(each, 8 * size if each == name else size) for each, size in tensor.dims]
        kind = choose.choice(TYPES)
        return f"unpack_bits(cell_cast({text}, int8), {kind}, {end})", Tensor(kind, dims, cells)

    def chosen(self, depth):
        text, tensor = self.some(depth)
        one, other = tensor.each(lambda v: v + 1), tensor.each(lambda v: v * 2)
        holds = choose.choice([0.0, 1.0])
        return f"if({self.name(number(holds))}, {text} + 1, {text} * 2)", one if holds else other


def top(tensor):
    below = order(tensor, -1).each(lambda place: float(place < 2))
    return join(tensor, filter_subspaces(below, lambda s: s), TIMES)


STEPS = [
    *[Walk.of_one] * 3,
    *[Walk.of_two] * 5,
    Walk.merged,
    *[Walk.reduced] * 2,
    Walk.renamed,
    Walk.joined_end_to_end,
    Walk.cast,
    Walk.ordered,
    *[Walk.by_subspace] * 2,
    *[Walk.sliced] * 2,
    Walk.made,
    Walk.best,
    Walk.normalized,
    *[Walk.products] * 2,
    Walk.unpacked,
    Walk.chosen,
]


def row():
    walk = Walk()
    text, value = walk.some(choose.randint(1, 3))
    cells = " ; ".join([text, str(value)] + [f"{name}={tensor}" for name, tensor in walk.given.items()])
    if len(cells) > LENGTH_MAX or text.startswith("t0"):
        raise Unfit
    return cells


rows = []
while len(rows) < ROWS:
    try:
        rows.append(row())
    except (Unfit, OverflowError, ValueError):
        pass
(pathlib.Path(__file__).parent / "tensor-walk.csv").write_text("\n".join(rows) + "\n")
