package org.crabro.perf.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The stored inputs of a fuzz target: one file per target, one input per line.
 *
 * <p>A line contains the bytes of an input. Printable ASCII is written as it is; {@code \n}, {@code
 * \r}, {@code \t}, {@code \\} and {@code \xHH} encode the other bytes.
 */
final class FuzzCorpus {
    private static final HexFormat HEX = HexFormat.of();

    private FuzzCorpus() {}

    /** Returns the inputs that are kept for the target {@code name}. */
    static List<byte[]> read(String name) throws IOException {
        try (InputStream file = FuzzCorpus.class.getResourceAsStream("/fuzz/" + name + ".txt")) {
            if (file == null) {
                throw new IllegalStateException("fuzz target " + name + " has no corpus");
            }
            var inputs = new ArrayList<byte[]>();
            for (String line : new String(file.readAllBytes(), ISO_8859_1).split("\n", -1)) {
                inputs.add(bytes(line));
            }
            return inputs;
        }
    }

    /** Returns the line that {@code input} is written as. */
    static String line(byte[] input) {
        var line = new StringBuilder();
        for (byte each : input) {
            switch (each) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                case '\\' -> line.append("\\\\");
                default -> {
                    if (each >= ' ' && each < 0x7f) {
                        line.append((char) each);
                    } else {
                        line.append("\\x").append(HEX.toHexDigits(each));
                    }
                }
            }
        }
        return line.toString();
    }

    /** Returns the input that {@code line} is. */
    static byte[] bytes(String line) {
        var bytes = new ByteArrayOutputStream();
        int at = 0;
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (c != '\\') {
                bytes.write(c);
                continue;
            }
            switch (line.charAt(at++)) {
                case 'n' -> bytes.write('\n');
                case 'r' -> bytes.write('\r');
                case 't' -> bytes.write('\t');
                case '\\' -> bytes.write('\\');
                case 'x' -> {
                    bytes.write(HexFormat.fromHexDigits(line, at, at + 2));
                    at += 2;
                }
                default -> throw new IllegalArgumentException("no escape at " + at + ": " + line);
            }
        }
        return bytes.toByteArray();
    }
}
