package org.crabro.client.sync;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an import writes into each document.
 *
 * @param hash of its other fields
 * @param source the name of the source
 */
record ImportMark(long hash, String source) {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{16}) (.+)", Pattern.DOTALL);

    /** Returns the mark that a text is; empty if it is another text. */
    static Optional<ImportMark> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new ImportMark(
                                Long.parseUnsignedLong(matcher.group(1), 16), matcher.group(2)))
                : Optional.empty();
    }

    String text() {
        return "%016x %s".formatted(hash, source);
    }

    /** Returns 64 bits of the SHA-256 of a text. */
    static long hash(String text) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
