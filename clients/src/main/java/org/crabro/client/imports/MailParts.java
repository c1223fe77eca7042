package org.crabro.client.imports;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;

/**
 * Checks the depth and the number of the parts of a mail, before a reader makes objects of them and
 * recurses for each level.
 */
final class MailParts {
    /** A mail with fewer of these words is not deep, and has few parts. */
    private static final byte[][] WORDS = {word("multipart"), word("message"), word("--")};

    private MailParts() {}

    private static byte[] word(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Checks a mail.
     *
     * @throws IOException if it has too many parts, or too many inside each other
     */
    static void check(byte[] mail, MimeConfig config) throws IOException {
        if (!mayBeDeep(mail)) {
            return;
        }
        var tokens = new MimeTokenStream(config);
        try {
            tokens.parse(new ByteArrayInputStream(mail));
            int depth = 0;
            int parts = 0;
            for (EntityState state = tokens.getState();
                    state != EntityState.T_END_OF_STREAM;
                    state = tokens.next()) {
                switch (state) {
                    case T_START_MULTIPART, T_START_MESSAGE -> depth++;
                    case T_END_MULTIPART, T_END_MESSAGE -> depth--;
                    case T_START_BODYPART -> parts++;
                    default -> {
                        // Headers and bodies.
                    }
                }
                if (depth > ImportLimits.MAIL_DEPTH_MAX) {
                    throw new IOException(
                            ImportLimits.tooMany(
                                    "parts inside each other", ImportLimits.MAIL_DEPTH_MAX));
                }
                if (parts > ImportLimits.MAIL_PARTS_MAX) {
                    throw new IOException(
                            ImportLimits.tooMany("parts", ImportLimits.MAIL_PARTS_MAX));
                }
            }
        } catch (MimeException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns whether the words occur as often as a mail at the limit of the depth needs them. */
    private static boolean mayBeDeep(byte[] mail) {
        int count = 0;
        for (byte[] word : WORDS) {
            count += count(mail, word, ImportLimits.MAIL_DEPTH_MAX);
        }
        return count >= ImportLimits.MAIL_DEPTH_MAX;
    }

    private static int count(byte[] mail, byte[] word, int max) {
        int count = 0;
        for (int i = 0; i + word.length <= mail.length && count < max; i++) {
            if (isAt(mail, i, word)) {
                count++;
                i += word.length - 1;
            }
        }
        return count;
    }

    private static boolean isAt(byte[] mail, int at, byte[] word) {
        for (int i = 0; i < word.length; i++) {
            if (Character.toLowerCase(mail[at + i] & 0xff) != word[i]) {
                return false;
            }
        }
        return true;
    }
}
