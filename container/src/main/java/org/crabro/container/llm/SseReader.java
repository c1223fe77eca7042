package org.crabro.container.llm;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.crabro.component.LanguageModelException;
import org.crabro.component.QueryError;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data of server-sent events. An event is some lines and an empty line; its data are the
 * lines that begin with {@code data:}. Other fields and comments are skipped.
 */
final class SseReader {
    private static final String DATA = "data:";

    private final InputStream in;
    private final int maxBytes;

    /**
     * @param maxBytes of an event; a longer one is an error
     */
    SseReader(InputStream in, int maxBytes) {
        this.in = new BufferedInputStream(in);
        this.maxBytes = maxBytes;
    }

    /** Returns the data of the next event that has some; null at the end of the stream. */
    @Nullable String next() throws IOException {
        var data = new StringBuilder();
        boolean hasData = false;
        while (true) {
            String line = line();
            if (line == null) {
                // The stream ended within an event, or an event lacks its empty line.
                return hasData ? data.toString() : null;
            }
            if (line.isEmpty() && hasData) {
                return data.toString();
            }
            if (line.startsWith(DATA)) {
                String value = line.substring(DATA.length());
                if (hasData) {
                    data.append('\n');
                }
                data.append(value.startsWith(" ") ? value.substring(1) : value);
                hasData = true;
                if (data.length() > maxBytes) {
                    throw tooLong(maxBytes);
                }
            }
        }
    }

    /** Returns a line without its end, which is LF or CR LF; null at the end of the stream. */
    private @Nullable String line() throws IOException {
        var line = new ByteArrayOutputStream();
        while (true) {
            int next = in.read();
            if (next < 0 && line.size() == 0) {
                return null;
            }
            if (next < 0 || next == '\n') {
                String text = line.toString(StandardCharsets.UTF_8);
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            }
            line.write(next);
            if (line.size() > maxBytes) {
                throw tooLong(maxBytes);
            }
        }
    }

    static LanguageModelException tooLong(int maxBytes) {
        return new LanguageModelException(
                QueryError.Kind.FAILED,
                "the service sent more than %,d bytes at once (search.models.maxAnswerBytes)"
                        .formatted(maxBytes));
    }
}
