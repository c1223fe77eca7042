package org.crabro.container.bulk;

import java.util.Optional;

/**
 * Some whole lines of a body, or one that is refused for its length.
 *
 * @param text the lines, each with its end but for the last of the body
 * @param reserved what of the room for long lines it takes
 * @param refusal where the line was too long: why
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

    /** Why a line is not read. */
    record Refusal(int status, String message) {}
}
