package org.crabro.container.bulk;

import java.io.IOException;
import org.crabro.container.document.DocumentParameters;

/**
 * Converts a JSON array to lines: each element becomes one line, without line ends inside. Finds
 * the end of each element and does not parse it otherwise. For one thread.
 */
final class ArrayBody implements BodySource {
    private static final String NO_ARRAY = "expected an array of operations";

    private final BodySource body;
    private Place place = Place.BEFORE;
    private int depth;
    private boolean isEscaped;

    private enum Place {
        BEFORE,
        ELEMENTS,
        TEXT,
        BEHIND
    }

    ArrayBody(BodySource body) {
        this.body = body;
    }

    @Override
    public int read(byte[] into, int offset, int length, boolean waits) throws IOException {
        int count = body.read(into, offset, length, waits);
        if (count < 0 && place != Place.BEHIND) {
            throw DocumentParameters.invalid(
                    place == Place.BEFORE ? NO_ARRAY : "the array of operations does not end");
        }
        for (int i = offset; i < offset + count; i++) {
            into[i] = line(into[i]);
        }
        return count;
    }

    private byte line(byte b) {
        return switch (place) {
            case BEFORE -> before(b);
            case ELEMENTS -> element(b);
            case TEXT -> text(b);
            case BEHIND -> behind(b);
        };
    }

    private byte before(byte b) {
        if (b == '[') {
            place = Place.ELEMENTS;
        } else if (!isBlank(b)) {
            throw DocumentParameters.invalid(NO_ARRAY);
        }
        return ' ';
    }

    private byte element(byte b) {
        switch (b) {
            case '"' -> place = Place.TEXT;
            case '{', '[' -> depth++;
            case '}' -> depth--;
            case ']' -> {
                if (depth <= 0) {
                    place = Place.BEHIND;
                    return '\n';
                }
                depth--;
            }
            case ',' -> {
                if (depth <= 0) {
                    depth = 0;
                    return '\n';
                }
            }
            case '\n', '\r' -> {
                return ' ';
            }
            default -> {
                // Part of an element.
            }
        }
        return b;
    }

    private byte text(byte b) {
        if (isEscaped) {
            isEscaped = false;
        } else if (b == '\\') {
            isEscaped = true;
        } else if (b == '"') {
            place = Place.ELEMENTS;
        }
        // JSON strings contain neither line ends nor tabs.
        return b == '\n' ? (byte) '\t' : b;
    }

    /** Bytes after the array become a line, which is rejected as an operation. */
    private static byte behind(byte b) {
        return isBlank(b) ? (byte) ' ' : b;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }
}
