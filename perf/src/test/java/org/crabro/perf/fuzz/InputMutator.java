package org.crabro.perf.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes inputs out of others: changes, repeats, removes and mixes parts of them. */
final class InputMutator {
    /** Inputs with a repeated part are at most this long. */
    private static final int REPEATED_BYTES = 64 << 10;

    /** The maximum length of the parts before and after the middle when an input is nested. */
    private static final int NESTED_BYTES = 24;

    private static final int CHANGES_MAX = 4;

    /** Parts that break parsers: bounds of numbers, signs of many languages, odd characters. */
    private static final List<byte[]> ODD =
            List.of(
                            "0",
                            "-1",
                            "1e999",
                            "-0",
                            "NaN",
                            "Infinity",
                            "2147483648",
                            "-2147483648",
                            "9223372036854775807",
                            "9223372036854775808",
                            "-9223372036854775808",
                            "0x7fffffff",
                            "1e-400",
                            "00000000000000000001",
                            "\u0000",
                            "\n",
                            "\"",
                            "'",
                            "\\",
                            "\\u0000",
                            "\\ud800",
                            "\ue000",
                            "\ufeff",
                            "\u0130",
                            "\ud83d\ude00",
                            "(",
                            ")",
                            "[",
                            "]",
                            "{",
                            "}",
                            "<",
                            ">",
                            ",",
                            ":",
                            ";",
                            "=",
                            "-",
                            "+",
                            "*",
                            "?",
                            "|",
                            "&",
                            "!",
                            "%",
                            "%00",
                            "%s",
                            "$",
                            "/",
                            "//",
                            "/*",
                            "..",
                            "#",
                            "@",
                            "_",
                            " ",
                            "null",
                            "true",
                            "\u00e5")
                    .stream()
                    .map(each -> each.getBytes(UTF_8))
                    .toList();

    private final Random random;
    private final List<byte[]> inputs;

    /**
     * @param inputs not empty
     */
    InputMutator(List<byte[]> inputs, Random random) {
        this.inputs = inputs;
        this.random = random;
    }

    /** Returns a new input. */
    byte[] next() {
        byte[] input = any();
        for (int i = random.nextInt(CHANGES_MAX); i >= 0; i--) {
            input = changed(input);
        }
        return input;
    }

    private byte[] changed(byte[] input) {
        int from = random.nextInt(input.length + 1);
        int to = from + length(input.length - from);
        byte[] part = Arrays.copyOfRange(input, from, to);
        return switch (random.nextInt(10)) {
            case 0 -> joined(input, from, to, new byte[0]);
            case 1 -> joined(input, from, from, ODD.get(random.nextInt(ODD.size())));
            case 2 -> joined(input, from, to, ODD.get(random.nextInt(ODD.size())));
            case 3 -> joined(input, to, to, part);
            case 4 -> joined(input, from, to, part(any()));
            case 5 -> joined(input, from, from, part(any()));
            case 6 -> joined(input, from, to, repeated(part));
            case 7 -> nested(input, from, to);
            case 8 -> flipped(input, from);
            default -> joined(input, from, to, bytes(part.length));
        };
    }

    private byte[] any() {
        return inputs.get(random.nextInt(inputs.size()));
    }

    /** Returns a length up to {@code most}, short ones more often. */
    private int length(int most) {
        int bound = random.nextBoolean() ? Math.min(most, 8) : most;
        return random.nextInt(bound + 1);
    }

    private byte[] part(byte[] of) {
        int from = random.nextInt(of.length + 1);
        return Arrays.copyOfRange(of, from, from + length(of.length - from));
    }

    /** Repeats a part, rarely very often, so that nested input becomes too deep. */
    private byte[] repeated(byte[] part) {
        int most = REPEATED_BYTES / Math.max(1, part.length);
        int times = random.nextInt(8) == 0 ? most : 2 + random.nextInt(8);
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < Math.min(times, most); i++) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Nests a part in itself many times: the text before its middle, and the text after it. */
    private byte[] nested(byte[] input, int from, int to) {
        int open = from + random.nextInt(Math.min(to - from, NESTED_BYTES) + 1);
        int close = to - random.nextInt(Math.min(to - open, NESTED_BYTES) + 1);
        int most = REPEATED_BYTES / Math.max(1, open - from + to - close);
        int times = random.nextInt(4) == 0 ? most : 2 + random.nextInt(300);
        var all = new ByteArrayOutputStream();
        all.write(input, 0, from);
        for (int i = 0; i < Math.min(times, most); i++) {
            all.write(input, from, open - from);
        }
        all.write(input, open, close - open);
        for (int i = 0; i < Math.min(times, most); i++) {
            all.write(input, close, to - close);
        }
        all.write(input, to, input.length - to);
        return all.toByteArray();
    }

    private byte[] flipped(byte[] input, int at) {
        byte[] flipped = input.clone();
        if (at < flipped.length) {
            flipped[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        return flipped;
    }

    private byte[] bytes(int count) {
        var bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] joined(byte[] input, int from, int to, byte[] between) {
        var all = new ByteArrayOutputStream();
        all.write(input, 0, from);
        all.writeBytes(between);
        all.write(input, to, input.length - to);
        return all.toByteArray();
    }
}
