package org.crabro.ranking.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A model of one step: each token gets the row of a table with its number. Row i is (i mod 7 - 3, i
 * mod 5 - 2, ...), so that a test can compute the result.
 */
final class LookupModel {
    private static final int ROWS = 30_522;
    private static final int FLOAT = 1;
    private static final int INT64 = 7;

    private LookupModel() {}

    static double cell(long token, int column) {
        int[] sizes = {7, 5, 11, 13};
        int size = sizes[column % sizes.length];
        int half = size / 2;
        return Math.toIntExact(token % size) - half;
    }

    /** Writes the model, which gives {@code columns} values for a token. */
    static Path write(Path file, String output, int columns) throws IOException {
        var values = ByteBuffer.allocate(4 * ROWS * columns).order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < columns; column++) {
                values.putFloat((float) cell(row, column));
            }
        }
        byte[] table =
                joined(
                        number(1, ROWS),
                        number(1, columns),
                        number(2, FLOAT),
                        part(8, "table".getBytes(UTF_8)),
                        part(9, values.array()));
        byte[] node =
                joined(
                        part(1, "table".getBytes(UTF_8)),
                        part(1, "input_ids".getBytes(UTF_8)),
                        part(2, output.getBytes(UTF_8)),
                        part(4, "Gather".getBytes(UTF_8)));
        byte[] graph =
                joined(
                        part(1, node),
                        part(2, "lookup".getBytes(UTF_8)),
                        part(5, table),
                        part(11, value("input_ids", INT64, -1, -1)),
                        part(11, value("attention_mask", INT64, -1, -1)),
                        part(12, value(output, FLOAT, -1, -1, columns)));
        byte[] opset = joined(part(1, new byte[0]), number(2, 13));
        return Files.write(file, joined(number(1, 8), part(7, graph), part(8, opset)));
    }

    /** A value of a graph; a size of -1 is not known before. */
    private static byte[] value(String name, int type, int... shape) {
        var dimensions = new ByteArrayOutputStream();
        for (int size : shape) {
            dimensions.writeBytes(part(1, size < 0 ? new byte[0] : number(1, size)));
        }
        byte[] tensor = joined(number(1, type), part(2, dimensions.toByteArray()));
        return joined(part(1, name.getBytes(UTF_8)), part(2, part(1, tensor)));
    }

    private static byte[] number(int field, long value) {
        var out = new ByteArrayOutputStream();
        out.write(field << 3);
        varint(out, value);
        return out.toByteArray();
    }

    private static byte[] part(int field, byte[] bytes) {
        var out = new ByteArrayOutputStream();
        out.write((field << 3) | 2);
        varint(out, bytes.length);
        out.writeBytes(bytes);
        return out.toByteArray();
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long left = value;
        while (left >= 0x80) {
            out.write((int) (left & 0x7F) | 0x80);
            left >>>= 7;
        }
        out.write((int) left);
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
