package org.crabro.perf.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Writes an ONNX file of a BERT-like transformer with random weights. The time of a run does not
 * depend on the weights, so it is that of a trained model of the same shape.
 *
 * <p>The inputs are {@code input_ids}, {@code attention_mask} and {@code token_type_ids}, the
 * output is {@code last_hidden_state}.
 */
final class TransformerFile {
    private static final int FLOAT = 1;
    private static final int INT64 = 7;

    // Numbers of fields of the format.
    private static final int ATTRIBUTE_FLOAT = 1;
    private static final int ATTRIBUTE_INT = 2;
    private static final int ATTRIBUTE_INTS = 7;

    /** The versions of the format and of the operators. */
    private static final int FORMAT = 8;

    private static final int OPERATORS = 17;
    private static final float SPREAD = 0.02f;
    private static final int BUFFER = 1 << 20;
    private static final byte[] NONE = {};

    private final ModelShape shape;
    private final SplittableRandom random = new SplittableRandom(20_26);
    private final ByteArrayOutputStream nodes = new ByteArrayOutputStream();
    private final List<Weight> weights = new ArrayList<>();
    private int names;

    private TransformerFile(ModelShape shape) {
        this.shape = shape;
    }

    /**
     * A weight.
     *
     * @param value of all cells; NaN for random ones
     */
    private record Weight(String name, List<Integer> sizes, float value) {
        Weight {
            sizes = List.copyOf(sizes);
        }

        long bytes() {
            long bytes = Float.BYTES;
            for (int size : sizes) {
                bytes *= size;
            }
            return bytes;
        }

        /** Returns the message up to the values. */
        byte[] head() {
            var head = new ByteArrayOutputStream();
            for (int size : sizes) {
                head.writeBytes(number(1, size));
            }
            head.writeBytes(number(2, FLOAT));
            head.writeBytes(text(8, name));
            head.write(9 << 3 | 2);
            varint(head, bytes());
            return head.toByteArray();
        }
    }

    /** Writes the model of a shape. */
    static Path write(ModelShape shape, Path file) throws IOException {
        var model = new TransformerFile(shape);
        String output = model.layers();
        model.writeTo(file, output);
        return file;
    }

    private String layers() {
        String tokens = embeddings();
        String mask = mask();
        for (int layer = 0; layer < shape.layers(); layer++) {
            tokens = normalized(added(tokens, attention(tokens, mask)));
            tokens = normalized(added(tokens, inner(tokens)));
        }
        return tokens;
    }

    private String embeddings() {
        String words = node("Gather", NONE, random(shape.words(), shape.hidden()), "input_ids");
        String types = node("Gather", NONE, random(2, shape.hidden()), "token_type_ids");
        String positions = random(ModelShape.TOKENS_MAX, shape.hidden());
        // The second dimension of the input is the number of tokens.
        String count =
                node(
                        "Shape",
                        joined(
                                attribute("start", ATTRIBUTE_INT, 1),
                                attribute("end", ATTRIBUTE_INT, 2)),
                        "input_ids");
        String used = node("Slice", NONE, positions, integers(0), count);
        return normalized(added(added(words, types), used));
    }

    /** Returns what is added to the scores of tokens: 0, or -10000 for padding. */
    private String mask() {
        String floats = node("Cast", attribute("to", ATTRIBUTE_INT, FLOAT), "attention_mask");
        String wide = node("Unsqueeze", NONE, floats, integers(1, 2));
        String padding = node("Sub", NONE, number(1f), wide);
        return node("Mul", NONE, padding, number(-10_000f));
    }

    private String attention(String tokens, String mask) {
        int size = shape.hidden() / shape.heads();
        String query = heads(linear(tokens, shape.hidden(), shape.hidden()), size, 0, 2, 1, 3);
        String key = heads(linear(tokens, shape.hidden(), shape.hidden()), size, 0, 2, 3, 1);
        String value = heads(linear(tokens, shape.hidden(), shape.hidden()), size, 0, 2, 1, 3);
        String products = node("MatMul", NONE, query, key);
        String scaled = node("Mul", NONE, products, number((float) (1 / Math.sqrt(size))));
        String scores = node("Softmax", attribute("axis", ATTRIBUTE_INT, -1), added(scaled, mask));
        String seen =
                node(
                        "Transpose",
                        attribute("perm", ATTRIBUTE_INTS, 0, 2, 1, 3),
                        node("MatMul", NONE, scores, value));
        String joined = node("Reshape", NONE, seen, integers(0, 0, shape.hidden()));
        return linear(joined, shape.hidden(), shape.hidden());
    }

    private String heads(String vectors, int size, int... order) {
        String split = node("Reshape", NONE, vectors, integers(0, 0, shape.heads(), size));
        return node("Transpose", attribute("perm", ATTRIBUTE_INTS, order), split);
    }

    private String inner(String tokens) {
        String wide = linear(tokens, shape.hidden(), shape.inner());
        // GELU: x / 2 * (1 + erf(x / sqrt(2))).
        String erf = node("Erf", NONE, node("Div", NONE, wide, number((float) Math.sqrt(2))));
        String gate = node("Mul", NONE, wide, node("Add", NONE, erf, number(1f)));
        return linear(node("Mul", NONE, gate, number(0.5f)), shape.inner(), shape.hidden());
    }

    private String linear(String vectors, int from, int to) {
        return node("Add", NONE, node("MatMul", NONE, vectors, random(from, to)), weight(0, to));
    }

    private String added(String one, String other) {
        return node("Add", NONE, one, other);
    }

    private String normalized(String vectors) {
        return node(
                "LayerNormalization",
                joined(attribute("axis", ATTRIBUTE_INT, -1), epsilon()),
                vectors,
                weight(1, shape.hidden()),
                weight(0, shape.hidden()));
    }

    private String random(Integer... sizes) {
        return weight(Float.NaN, sizes);
    }

    private String number(float value) {
        return weight(value);
    }

    private String weight(float value, Integer... sizes) {
        String name = name();
        weights.add(new Weight(name, List.of(sizes), value));
        return name;
    }

    private String name() {
        return "n" + names++;
    }

    /** Adds a constant of integers, which is a node with a tensor. */
    private String integers(long... values) {
        var tensor = new ByteArrayOutputStream();
        tensor.writeBytes(number(1, values.length));
        tensor.writeBytes(number(2, INT64));
        var bytes = ByteBuffer.allocate(Long.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            bytes.putLong(value);
        }
        tensor.writeBytes(part(9, bytes.array()));
        var attribute = new ByteArrayOutputStream();
        attribute.writeBytes(text(1, "value"));
        attribute.writeBytes(part(5, tensor.toByteArray()));
        attribute.writeBytes(number(20, 4));
        return node("Constant", part(5, attribute.toByteArray()));
    }

    /**
     * Adds a node and returns its output.
     *
     * @param attributes encoded
     */
    private String node(String operation, byte[] attributes, String... inputs) {
        String output = name();
        var node = new ByteArrayOutputStream();
        for (String input : inputs) {
            node.writeBytes(text(1, input));
        }
        node.writeBytes(text(2, output));
        node.writeBytes(text(4, operation));
        node.writeBytes(attributes);
        nodes.writeBytes(part(1, node.toByteArray()));
        return output;
    }

    private static byte[] attribute(String name, int kind, int... values) {
        var attribute = new ByteArrayOutputStream();
        attribute.writeBytes(text(1, name));
        for (int value : values) {
            attribute.writeBytes(number(kind == ATTRIBUTE_INT ? 3 : 8, value));
        }
        attribute.writeBytes(number(20, kind));
        return part(5, attribute.toByteArray());
    }

    private static byte[] epsilon() {
        var attribute = new ByteArrayOutputStream();
        attribute.writeBytes(text(1, "epsilon"));
        attribute.write(2 << 3 | 5);
        attribute.writeBytes(
                ByteBuffer.allocate(Float.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putFloat(1e-12f)
                        .array());
        attribute.writeBytes(number(20, ATTRIBUTE_FLOAT));
        return part(5, attribute.toByteArray());
    }

    private void writeTo(Path file, String output) throws IOException {
        var message = new ByteArrayOutputStream();
        message.writeBytes(text(2, shape.name()));
        for (String input : List.of("input_ids", "attention_mask", "token_type_ids")) {
            message.writeBytes(part(11, value(input, INT64, "batch", "sequence")));
        }
        message.writeBytes(part(12, value("last_hidden_state", FLOAT, "batch", "sequence", "")));
        var last = new ByteArrayOutputStream();
        last.writeBytes(text(1, output));
        last.writeBytes(text(2, "last_hidden_state"));
        last.writeBytes(text(4, "Identity"));
        nodes.writeBytes(part(1, last.toByteArray()));
        long length = (long) nodes.size() + message.size();
        for (Weight weight : weights) {
            long bytes = weight.head().length + weight.bytes();
            length += 1 + size(bytes) + bytes;
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER)) {
            out.write(number(1, FORMAT));
            out.write(part(8, joined(text(1, ""), number(2, OPERATORS))));
            out.write(7 << 3 | 2);
            out.write(varint(length));
            out.write(nodes.toByteArray());
            for (Weight weight : weights) {
                byte[] head = weight.head();
                out.write(5 << 3 | 2);
                out.write(varint(head.length + weight.bytes()));
                out.write(head);
                write(weight, out);
            }
            out.write(message.toByteArray());
        }
    }

    private void write(Weight weight, OutputStream out) throws IOException {
        var buffer = ByteBuffer.allocate(Float.BYTES * 1_024).order(ByteOrder.LITTLE_ENDIAN);
        for (long left = weight.bytes(); left > 0; left -= buffer.position()) {
            buffer.clear().limit((int) Math.min(left, buffer.capacity()));
            while (buffer.hasRemaining()) {
                buffer.putFloat(
                        Float.isNaN(weight.value)
                                ? (float) random.nextDouble(-SPREAD, SPREAD)
                                : weight.value);
            }
            out.write(buffer.array(), 0, buffer.position());
        }
    }

    /** Returns a value of the graph; the last size of the output is the hidden size. */
    private byte[] value(String name, int type, String... symbols) {
        var dimensions = new ByteArrayOutputStream();
        for (String symbol : symbols) {
            dimensions.writeBytes(
                    part(1, symbol.isEmpty() ? number(1, shape.hidden()) : text(2, symbol)));
        }
        byte[] tensor = joined(number(1, type), part(2, dimensions.toByteArray()));
        return joined(text(1, name), part(2, part(1, tensor)));
    }

    private static byte[] number(int field, long value) {
        var out = new ByteArrayOutputStream();
        varint(out, (long) field << 3);
        varint(out, value);
        return out.toByteArray();
    }

    private static byte[] text(int field, String text) {
        return part(field, text.getBytes(UTF_8));
    }

    private static byte[] part(int field, byte[] bytes) {
        var out = new ByteArrayOutputStream();
        varint(out, (long) field << 3 | 2);
        varint(out, bytes.length);
        out.writeBytes(bytes);
        return out.toByteArray();
    }

    private static byte[] joined(byte[] one, byte[] other) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(one);
        out.writeBytes(other);
        return out.toByteArray();
    }

    private static byte[] varint(long value) {
        var out = new ByteArrayOutputStream();
        varint(out, value);
        return out.toByteArray();
    }

    private static int size(long value) {
        return varint(value).length;
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            out.write((int) (left & 0x7F) | 0x80);
            left >>>= 7;
        }
        out.write((int) left);
    }
}
