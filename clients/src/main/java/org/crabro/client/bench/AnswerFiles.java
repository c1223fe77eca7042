package org.crabro.client.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file of answers for each client. Each answer is a line with its URL, the headers with counts if
 * they are wanted (their names in lower case), an empty line, the body, and another empty line.
 * Bodies go to the files as they arrive, and are never in memory as a whole.
 */
public final class AnswerFiles implements AutoCloseable {
    private static final String COUNTS = "x-yahoo-vespa-";

    private final boolean hasCounts;
    private final List<OutputStream> byClient = new ArrayList<>();

    private AnswerFiles(boolean hasCounts) {
        this.hasCounts = hasCounts;
    }

    /**
     * Creates the files. Files that exist are replaced.
     *
     * @param pattern a format such as {@code answers%03d.txt} for the number of the client; a plain
     *     name for one client
     * @param hasCounts whether headers with counts are written
     * @throws IOException if a file cannot be created, or several clients would share one
     */
    public static AnswerFiles create(String pattern, int clients, boolean hasCounts)
            throws IOException {
        if (clients > 1 && !pattern.contains("%")) {
            throw new IOException(
                    "%d clients cannot share the file '%s': expected a name such as answers%%03d.txt"
                            .formatted(clients, pattern));
        }
        var files = new AnswerFiles(hasCounts);
        try {
            for (int i = 0; i < clients; i++) {
                String name = clients == 1 && !pattern.contains("%") ? pattern : format(pattern, i);
                files.byClient.add(new BufferedOutputStream(Files.newOutputStream(Path.of(name))));
            }
            return files;
        } catch (IOException e) {
            files.closeAfter(e);
            throw e;
        }
    }

    private static String format(String pattern, int client) throws IOException {
        try {
            return pattern.formatted(client);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "'%s' is not a name such as answers%%03d.txt".formatted(pattern), e);
        }
    }

    private void closeAfter(IOException first) {
        try {
            close();
        } catch (UncheckedIOException e) {
            first.addSuppressed(e);
        }
    }

    /** Writes an answer of a client, and returns the size of its body. */
    BodyHandler<Long> writing(int client, URI uri) {
        return answer -> {
            var written = new Written(byClient.get(client));
            written.write((uri + "\n" + (hasCounts ? counts(answer.headers()) : "") + "\n"));
            var size = new AtomicLong();
            return BodySubscribers.mapping(
                    BodySubscribers.ofByteArrayConsumer(part ->
                            part.ifPresent(bytes -> {
                                size.addAndGet(bytes.length);
                                written.write(bytes);
                            })),
                    _ -> {
                        written.write("\n\n");
                        return size.get();
                    });
        };
    }

    private static String counts(HttpHeaders headers) {
        var lines = new StringBuilder();
        headers.map()
                .forEach((name, values) -> {
                    String lower = name.toLowerCase(Locale.ROOT);
                    if (lower.startsWith(COUNTS)) {
                        lines.append(lower)
                                .append(": ")
                                .append(String.join(", ", values))
                                .append('\n');
                    }
                });
        return lines.toString();
    }

    /** A file that is written. Its client has one request at a time. */
    private record Written(OutputStream file) {
        void write(String text) {
            write(text.getBytes(StandardCharsets.UTF_8));
        }

        void write(byte[] bytes) {
            try {
                file.write(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Writes what is left.
     *
     * @throws UncheckedIOException if a file cannot be written
     */
    @Override
    public void close() {
        IOException first = null;
        for (OutputStream each : byClient) {
            try {
                each.close();
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw new UncheckedIOException(first);
        }
    }
}
