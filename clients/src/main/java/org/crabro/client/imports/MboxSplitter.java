package org.crabro.client.imports;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Splits a mailbox into its mails. A mail begins after a line that begins with {@code From } at the
 * start of the file or after an empty line. Lines with {@code >From } lose the first character. Not
 * thread-safe.
 */
final class MboxSplitter {
    private static final byte[] FROM = "From ".getBytes(StandardCharsets.US_ASCII);
    private static final int BUFFER_SIZE = 1 << 16;

    private final BufferedInputStream in;
    private final int longest;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean isBegun;
    private boolean isEnded;
    private boolean isCut;

    /**
     * @param longest of a mail, in bytes; the rest of a longer one is left out
     */
    MboxSplitter(InputStream in, int longest) {
        this.in = new BufferedInputStream(in, BUFFER_SIZE);
        this.longest = longest;
    }

    /**
     * Returns the next mail; empty at the end.
     *
     * @throws IOException if the file cannot be read, or does not begin like a mailbox
     */
    Optional<byte[]> next() throws IOException {
        isCut = false;
        if (!isBegun) {
            isBegun = true;
            if (!readLine()) {
                return Optional.empty();
            }
            if (!isSeparator(line.toByteArray())) {
                throw new IOException("expected a line that begins with 'From '");
            }
        }
        if (isEnded) {
            return Optional.empty();
        }
        var mail = new ByteArrayOutputStream();
        boolean isAfterEmpty = false;
        while (readLine()) {
            byte[] text = line.toByteArray();
            if (isAfterEmpty && isSeparator(text)) {
                return Optional.of(mail.toByteArray());
            }
            isAfterEmpty = isEmpty(text);
            byte[] shown = isQuoted(text) ? Arrays.copyOfRange(text, 1, text.length) : text;
            isCut |= mail.size() + shown.length > longest;
            if (!isCut) {
                mail.writeBytes(shown);
            }
        }
        isEnded = true;
        return Optional.of(mail.toByteArray());
    }

    /** Returns whether the last mail is longer than the limit. */
    boolean isCut() {
        return isCut;
    }

    private static boolean isSeparator(byte[] text) {
        return text.length > FROM.length
                && Arrays.equals(text, 0, FROM.length, FROM, 0, FROM.length);
    }

    private static boolean isQuoted(byte[] text) {
        int level = 0;
        while (level < text.length && text[level] == '>') {
            level++;
        }
        return level > 0
                && text.length > level + FROM.length
                && Arrays.equals(text, level, level + FROM.length, FROM, 0, FROM.length);
    }

    private static boolean isEmpty(byte[] text) {
        return text.length == 0 || text[0] == '\n' || (text[0] == '\r' && text.length <= 2);
    }

    /** Reads a line with its end; parts of a line beyond the limit are left out. */
    private boolean readLine() throws IOException {
        line.reset();
        int b = in.read();
        while (b >= 0) {
            if (line.size() < longest) {
                line.write(b);
            } else {
                isCut = true;
            }
            if (b == '\n') {
                return true;
            }
            b = in.read();
        }
        return line.size() > 0;
    }
}
