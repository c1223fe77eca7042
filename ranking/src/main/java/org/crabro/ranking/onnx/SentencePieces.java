package org.crabro.ranking.onnx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The pieces of a SentencePiece model, and the cutting of texts into them. Immutable.
 *
 * <p>A model file is a message of Protocol Buffers. Of its fields, only the list of pieces is read:
 *
 * <pre>
 *   file  := { field 1: piece | other fields }
 *   piece := field 1: text, field 2: score (float), field 3: type (varint, 1 if absent)
 * </pre>
 *
 * The number of a piece is its place in the list. Blanks of a text become {@code ▁}; one is added
 * before the first word.
 */
final class SentencePieces {
    private static final char BLANK = '▁';
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;
    private static final int NORMAL = 1;
    private static final int UNKNOWN = 2;
    private static final int USER_DEFINED = 4;

    /** A character that is in no piece scores as much less than the worst piece. */
    private static final float UNKNOWN_PENALTY = 10;

    private final Map<String, Piece> pieces = new HashMap<>();
    private int longest = 1;
    private int unknown;
    private float lowest;

    private record Piece(int id, float score) {}

    private SentencePieces() {}

    /**
     * Reads a model.
     *
     * @throws InvalidModelException if the file is missing or is no such model
     */
    static SentencePieces read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new InvalidModelException("There is no SentencePiece model " + file);
        }
        var read = new SentencePieces();
        try {
            ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
            in.order(ByteOrder.LITTLE_ENDIAN);
            int count = 0;
            while (in.hasRemaining()) {
                long tag = varint(in);
                if (tag == (1 << 3 | BYTES)) {
                    read.add(part(in), count++);
                } else {
                    skip(in, tag);
                }
            }
            if (read.pieces.isEmpty()) {
                throw new InvalidModelException(
                        "SentencePiece model " + file + " has no pieces of text");
            }
        } catch (IOException | RuntimeException e) {
            if (e instanceof InvalidModelException invalid) {
                throw invalid;
            }
            throw new InvalidModelException(
                    "SentencePiece model " + file + " cannot be read: " + e, e);
        }
        return read;
    }

    private void add(ByteBuffer in, int id) {
        String text = "";
        float score = 0;
        long type = NORMAL;
        while (in.hasRemaining()) {
            long tag = varint(in);
            if (tag == (1 << 3 | BYTES)) {
                text = StandardCharsets.UTF_8.decode(part(in)).toString();
            } else if (tag == (2 << 3 | FIXED32)) {
                score = in.getFloat();
            } else if (tag == (3 << 3 | VARINT)) {
                type = varint(in);
            } else {
                skip(in, tag);
            }
        }
        if (type == UNKNOWN) {
            unknown = id;
        } else if ((type == NORMAL || type == USER_DEFINED) && !text.isEmpty()) {
            pieces.putIfAbsent(text, new Piece(id, score));
            longest = Math.max(longest, text.length());
            lowest = Math.min(lowest, score);
        }
    }

    private static ByteBuffer part(ByteBuffer in) {
        int length = Math.toIntExact(varint(in));
        ByteBuffer part = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + length);
        return part;
    }

    private static void skip(ByteBuffer in, long tag) {
        int kind = (int) (tag & 7);
        switch (kind) {
            case VARINT -> varint(in);
            case FIXED64 -> in.position(in.position() + Long.BYTES);
            case BYTES -> part(in);
            case FIXED32 -> in.position(in.position() + Integer.BYTES);
            default -> throw new IllegalArgumentException("unknown kind of a field: " + kind);
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number is longer than 64 bits");
    }

    /**
     * Returns the numbers of the pieces of a text.
     *
     * @param collapsesUnknown whether neighbouring characters that are in no piece are one piece
     */
    long[] ids(String text, SentencePieceSettings.Scoring scoring, boolean collapsesUnknown) {
        String cut = withBlanks(text);
        int length = cut.length();
        // For each end: the best cut of the text before it.
        int[] begins = new int[length + 1];
        int[] ids = new int[length + 1];
        int[] counts = new int[length + 1];
        double[] scores = new double[length + 1];
        for (int end = 1; end <= length; end++) {
            counts[end] = Integer.MAX_VALUE;
            scores[end] = Double.NEGATIVE_INFINITY;
        }
        for (int begin = 0; begin < length; begin++) {
            if (counts[begin] == Integer.MAX_VALUE) {
                // In the middle of a character of two.
                continue;
            }
            int next = begin + Character.charCount(cut.codePointAt(begin));
            for (int end = next; end <= Math.min(length, begin + longest); end++) {
                Piece piece = pieces.get(cut.substring(begin, end));
                if (piece == null && end > next) {
                    continue;
                }
                double score =
                        scores[begin] + (piece == null ? lowest - UNKNOWN_PENALTY : piece.score);
                int count = counts[begin] + 1;
                boolean isBetter =
                        switch (scoring) {
                            case HIGHEST_SCORE -> score > scores[end];
                            case FEWEST_SEGMENTS ->
                                    count < counts[end]
                                            || (count == counts[end] && score > scores[end]);
                        };
                if (isBetter) {
                    begins[end] = begin;
                    ids[end] = piece == null ? unknown : piece.id;
                    counts[end] = count;
                    scores[end] = score;
                }
            }
        }
        return backwards(begins, ids, counts[length], collapsesUnknown);
    }

    private long[] backwards(int[] begins, int[] ids, int count, boolean collapsesUnknown) {
        long[] reversed = new long[count];
        int from = count;
        for (int end = begins.length - 1; end > 0; end = begins[end]) {
            boolean isSame =
                    collapsesUnknown
                            && from < count
                            && ids[end] == unknown
                            && reversed[from] == unknown;
            if (!isSame) {
                reversed[--from] = ids[end];
            }
        }
        return Arrays.copyOfRange(reversed, from, count);
    }

    private static String withBlanks(String text) {
        var cut = new StringBuilder(text.length() + 1);
        boolean afterBlank = true;
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (Character.isWhitespace(each)) {
                afterBlank = true;
            } else {
                if (afterBlank) {
                    cut.append(BLANK);
                }
                afterBlank = false;
                cut.append(each);
            }
        }
        return cut.toString();
    }
}
