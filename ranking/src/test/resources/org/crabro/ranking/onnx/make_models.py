"""Makes the models beside this file, and what they give, computed in NumPy alone.

Needs numpy 2 and onnx 1.23: pip install numpy onnx; python3 make_models.py
Each line of expected.csv is a model, what it is given (values of all inputs, in order, joined by
blanks, inputs by slashes), and what it gives, in the same form.
"""

import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent
F = TensorProto.FLOAT
expected = []


def save(name, nodes, inputs, outputs, weights=(), **more):
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info(n, t, s) for n, t, s in inputs],
        [helper.make_tensor_value_info(n, t, s) for n, t, s in outputs],
        [numpy_helper.from_array(value, n) for n, value in weights],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, **more
    )
    (HERE / f"{name}.onnx").write_bytes(model.SerializeToString())


def text(arrays):
    return "/".join(" ".join(repr(float(v)) for v in np.ravel(a)) for a in arrays)


def expect(name, inputs, outputs):
    expected.append(f"{name},{text(inputs)},{text(outputs)}")


def f32(*values):
    return np.array(values, dtype=np.float32)


rng = np.random.default_rng(2026)


def mlp():
    """Two layers over 16 values: the usual ranker. The first dimension is how many rows come."""
    w1 = rng.normal(size=(16, 32)).astype(np.float32)
    b1 = rng.normal(size=32).astype(np.float32)
    w2 = rng.normal(size=(32, 1)).astype(np.float32)
    b2 = rng.normal(size=1).astype(np.float32)
    save(
        "mlp",
        [
            helper.make_node("Gemm", ["features", "w1", "b1"], ["hidden"]),
            helper.make_node("Relu", ["hidden"], ["active"]),
            helper.make_node("Gemm", ["active", "w2", "b2"], ["score"]),
        ],
        [("features", F, ["batch", 16])],
        [("score", F, ["batch", 1])],
        [("w1", w1), ("b1", b1), ("w2", w2), ("b2", b2)],
    )
    for _ in range(4):
        x = rng.normal(size=(1, 16)).astype(np.float32)
        wide = [a.astype(np.float64) for a in (x, w1, b1, w2, b2)]
        hidden = np.maximum(wide[0] @ wide[1] + wide[2], 0)
        expect("mlp", [x], [hidden @ wide[3] + wide[4]])


def pair():
    """Two inputs of one size, two outputs: the sum of both, and how alike they are."""
    save(
        "pair",
        [
            helper.make_node("Add", ["query", "document"], ["the/sum"]),
            helper.make_node("Mul", ["query", "document"], ["product"]),
            helper.make_node("ReduceSum", ["product", "last"], ["dot"], keepdims=1),
        ],
        [("query", F, [1, "n"]), ("document", F, [1, "n"])],
        [("the/sum", F, [1, "n"]), ("dot", F, [1, 1])],
        [("last", np.array([1], dtype=np.int64))],
    )
    for n in (1, 3, 4):
        a, b = f32(*range(1, n + 1)), f32(*[v * 0.5 - 1 for v in range(n)])
        expect("pair", [a, b], [a + b, [(a * b).sum()]])


def total():
    """Its output has no dimensions."""
    save(
        "total",
        [helper.make_node("ReduceSum", ["x"], ["y"], keepdims=0)],
        [("x", F, [1, 3])],
        [("y", F, [])],
    )
    expect("total", [f32(1, 2, 4)], [[7.0]])


def query_only():
    """What depends on a query alone is computed once: doubles each value."""
    save(
        "twice",
        [helper.make_node("Add", ["x", "x"], ["y"])],
        [("x", F, [1, 2])],
        [("y", F, [1, 2])],
    )
    expect("twice", [f32(1, -3)], [f32(2, -6)])


TYPES = {
    "float": (TensorProto.FLOAT, np.float32),
    "double": (TensorProto.DOUBLE, np.float64),
    "float16": (TensorProto.FLOAT16, np.float16),
    "bfloat16": (TensorProto.BFLOAT16, None),
    "int8": (TensorProto.INT8, np.int8),
    "uint8": (TensorProto.UINT8, np.uint8),
    "int16": (TensorProto.INT16, np.int16),
    "int32": (TensorProto.INT32, np.int32),
    "int64": (TensorProto.INT64, np.int64),
}


def types():
    """One input and output of each type, as it comes: what a cell becomes and comes back as."""
    given = np.array([0.0, 1.0, -2.0, 3.75, -3.75, 100.0, 0.1])
    for name, (onnx_type, dtype) in TYPES.items():
        save(
            f"same-{name}",
            [helper.make_node("Identity", ["x"], ["y"])],
            [("x", onnx_type, [7])],
            [("y", onnx_type, [7])],
        )
        if dtype is None:
            bits = given.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
            back = bits.view(np.float32)
        elif name == "uint8":
            back = np.trunc(given).astype(np.int64).astype(np.uint8)
        else:
            back = given.astype(dtype)
        expect(f"same-{name}", [given], [back])


def lookup():
    """Numbers of rows of a table: one that there is not makes it fail."""
    table = np.arange(8, dtype=np.float32).reshape(4, 2)
    save(
        "lookup",
        [helper.make_node("Gather", ["table", "ids"], ["rows"])],
        [("ids", TensorProto.INT64, [1])],
        [("rows", F, [1, 2])],
        [("table", table)],
    )
    expect("lookup", [[2.0]], [table[2]])


def unsaid():
    """How large its output is stands nowhere in the file."""
    save(
        "unsaid",
        [
            helper.make_node("Shape", ["x"], ["shape"]),
            helper.make_node("Mul", ["shape", "two"], ["doubled"]),
            helper.make_node("ConstantOfShape", ["doubled"], ["zeros"]),
            helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
            helper.make_node("Add", ["zeros", "sum"], ["y"]),
        ],
        [("x", F, ["n"])],
        [("y", F, ["m"])],
        [("two", np.array([2], dtype=np.int64))],
    )
    expect("unsaid", [f32(1, 2, 4)], [[7.0] * 6])


def none():
    """How large its output is depends on the values: nothing at all for zeros."""
    save(
        "none",
        [helper.make_node("NonZero", ["x"], ["y"])],
        [("x", F, [3])],
        [("y", TensorProto.INT64, [1, "count"])],
    )


def grown():
    """Cannot be told by running it on zeros: divides by what it is given."""
    save(
        "fails-on-zero",
        [
            helper.make_node("Div", ["ten", "n"], ["size"]),
            helper.make_node("ConstantOfShape", ["size"], ["y"]),
        ],
        [("n", TensorProto.INT64, [1])],
        [("y", F, ["m"])],
        [("ten", np.array([-10], dtype=np.int64))],
    )


def rows():
    """Look as if they computed row by row, and do not."""
    save(
        "mixed",
        [helper.make_node("Add", ["a", "b"], ["sum"])],
        [("a", F, ["batch"]), ("b", F, ["batch", 4])],
        [("sum", F, ["batch", 4])],
    )
    expect("mixed", [f32(2), f32(1, 2, 3, 4)], [f32(3, 4, 5, 6)])
    save(
        "centered",
        [
            helper.make_node("ReduceMean", ["x"], ["mean"], axes=[0], keepdims=1),
            helper.make_node("Sub", ["x", "mean"], ["y"]),
        ],
        [("x", F, ["batch", 2])],
        [("y", F, ["batch", 2])],
    )
    expect("centered", [f32(1, 2)], [f32(0, 0)])
    save(
        "lookups",
        [
            helper.make_node("Mul", ["ids", "one"], ["same"]),
            helper.make_node("Gather", ["table", "same"], ["y"]),
        ],
        [("ids", TensorProto.INT64, ["batch"])],
        [("y", F, ["batch"])],
        [("one", np.array([1], dtype=np.int64)), ("table", f32(10, 20, 30))],
    )
    expect("lookups", [[2.0]], [[30.0]])


def unfit():
    save(
        "scalar-input",
        [helper.make_node("Add", ["x", "x"], ["y"])],
        [("x", F, [])],
        [("y", F, [])],
    )
    save(
        "text",
        [helper.make_node("Identity", ["x"], ["y"])],
        [("x", TensorProto.STRING, [1])],
        [("y", TensorProto.STRING, [1])],
    )
    save(
        "unknown-operation",
        [helper.make_node("NoSuchThing", ["x"], ["y"], domain="com.example")],
        [("x", F, [1])],
        [("y", F, [1])],
    )
    weights = numpy_helper.from_array(np.ones((1,), dtype=np.float32), "w")
    weights.ClearField("raw_data")
    weights.data_location = TensorProto.EXTERNAL
    weights.external_data.add(key="location", value="w.bin")
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["y"])],
        "external",
        [helper.make_tensor_value_info("x", F, [1])],
        [helper.make_tensor_value_info("y", F, [1])],
        [weights],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    (HERE / "external.onnx").write_bytes(model.SerializeToString())


def endless():
    """A loop that does not end, with a step that does nothing."""
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["on"]),
            helper.make_node("Identity", ["before"], ["after"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("step", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_value_info("before", F, [1]),
        ],
        [
            helper.make_tensor_value_info("on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("after", F, [1]),
        ],
    )
    save(
        "endless",
        [helper.make_node("Loop", ["steps", "always", "x"], ["y"], body=body)],
        [("x", F, [1])],
        [("y", F, [1])],
        [
            ("steps", np.array(2**62, dtype=np.int64)),
            ("always", np.array(True)),
        ],
    )


for make in (mlp, pair, total, query_only, types, lookup, unsaid, none, grown, rows, unfit, endless):
    make()
(HERE / "expected.csv").write_text("\n".join(expected) + "\n")
