package org.crabro.client.imports;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Splits a mailbox into its mails. A mail begins after a line with the form of a {@link
 * MboxSeparator}. Lines with {@code >From } lose the first character. Not thread-safe.
 *
 * <p>If the first line of a file begins with {@code From } and has another form, the program that
 * wrote it has a form of its own. Then lines that begin with {@code From } are separators between
 * an empty line and a header.
 */
final class MboxSplitter {
    private static final int BUFFER_SIZE = 1 << 16;

    private final InputStream in;
    private final int longest;
    private final byte[] buffer = new byte[BUFFER_SIZE];
    private int at;
    private int end;

    /** A line that was read ahead. */
    private byte @Nullable [] ahead;

    /** Whether the file is one mail. */
    private final boolean isSingle;

    private boolean isBegun;
    private boolean isOfOwnForm;
    private boolean isEnded;
    private boolean isCut;

    private MboxSplitter(InputStream in, int longest, boolean isSingle) {
        this.in = in;
        this.longest = longest;
        this.isSingle = isSingle;
    }

    /**
     * @param longest of a mail, in bytes; the rest of a longer one is left out
     */
    MboxSplitter(InputStream in, int longest) {
        this(in, longest, false);
    }

    /** Returns the splitter of a file with one mail, perhaps after a separator. */
    static MboxSplitter single(InputStream in, int longest) {
        return new MboxSplitter(in, longest, true);
    }

    /** Returns whether the last mail was too long, so that its end was left out. */
    boolean isCut() {
        return isCut;
    }

    /**
     * Returns the next mail; empty at the end.
     *
     * @throws IOException if the file cannot be read, or does not begin like a mailbox
     */
    Optional<byte[]> next() throws IOException {
        if (!isBegun) {
            isBegun = true;
            if (!begin()) {
                return Optional.empty();
            }
        }
        if (isEnded) {
            return Optional.empty();
        }
        var mail = new ByteArrayOutputStream();
        isCut = false;
        boolean isAfterEmpty = false;
        for (byte[] line = readLine(); line.length > 0; line = readLine()) {
            if (isSeparator(line, isAfterEmpty)) {
                return Optional.of(mail.toByteArray());
            }
            isAfterEmpty = isEmpty(line);
            byte[] shown =
                    !isSingle && MboxSeparator.isQuoted(line)
                            ? Arrays.copyOfRange(line, 1, line.length)
                            : line;
            isCut = isCut || mail.size() + shown.length > longest;
            if (!isCut) {
                mail.writeBytes(shown);
            }
        }
        isEnded = true;
        return Optional.of(mail.toByteArray());
    }

    /** Reads the first separator. Returns false if the file is empty. */
    private boolean begin() throws IOException {
        byte[] line = withoutMark(readLine());
        while (line.length > 0 && isEmpty(line)) {
            line = readLine();
        }
        if (line.length == 0) {
            return false;
        }
        if (isSingle) {
            ahead = MboxSeparator.isForm(line) ? null : line;
            return true;
        }
        if (!MboxSeparator.beginsWithFrom(line)) {
            throw new IOException("expected a line that begins with 'From '");
        }
        isOfOwnForm = !MboxSeparator.isForm(line);
        return true;
    }

    private static byte[] withoutMark(byte[] line) {
        return DecodedBytes.ByteOrderMark.of(line)
                .map(mark -> Arrays.copyOfRange(line, mark.length, line.length))
                .orElse(line);
    }

    private boolean isSeparator(byte[] line, boolean isAfterEmpty) throws IOException {
        if (isSingle || !isOfOwnForm) {
            return !isSingle && MboxSeparator.isForm(line);
        }
        if (!isAfterEmpty || !MboxSeparator.beginsWithFrom(line)) {
            return false;
        }
        ahead = readLine();
        return isHeader(ahead);
    }

    /** Returns whether a line begins with a name and a colon. */
    private static boolean isHeader(byte[] line) {
        int length = 0;
        while (length < line.length
                && line[length] > ' '
                && line[length] < 0x7f
                && line[length] != ':') {
            length++;
        }
        return length > 0 && length < line.length && line[length] == ':';
    }

    private static boolean isEmpty(byte[] line) {
        return line.length == 0 || line[0] == '\n' || (line[0] == '\r' && line.length <= 2);
    }

    /**
     * Reads a line with its end; parts of a line beyond the limit are left out. Returns an empty
     * array at the end of the file.
     */
    private byte[] readLine() throws IOException {
        if (ahead != null) {
            byte[] line = ahead;
            ahead = null;
            return line;
        }
        ByteArrayOutputStream before = null;
        while (true) {
            if (at == end) {
                at = 0;
                end = Math.max(0, in.read(buffer));
                if (end == 0) {
                    return before == null ? new byte[0] : before.toByteArray();
                }
            }
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            boolean isWhole = at < end;
            at += isWhole ? 1 : 0;
            if (before == null && isWhole) {
                return Arrays.copyOfRange(buffer, from, at);
            }
            if (before == null) {
                before = new ByteArrayOutputStream();
            }
            before.write(buffer, from, Math.min(at - from, Math.max(0, longest - before.size())));
            if (isWhole) {
                return before.toByteArray();
            }
        }
    }
}
