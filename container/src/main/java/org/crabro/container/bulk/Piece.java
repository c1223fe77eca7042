package org.crabro.container.bulk;

import java.util.Optional;

/**
 * Some whole lines of a body, or one line that is rejected for its length.
 *
 * @param text the lines with their ends; the last line of the body may have none
 * @param reserved bytes that were reserved for a long line
 * @param refusal why the line is rejected
 */
record Piece(Text text, long reserved, Optional<Refusal> refusal) {
    /** The first {@code length} bytes of an array. */
    static final class Text {
        private final byte[] bytes;
        private final int length;

        Text(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
        }

        byte[] bytes() {
            return bytes;
        }

        int length() {
            return length;
        }
    }

    /** Why a line is rejected. */
    record Refusal(int status, String message) {}
}
