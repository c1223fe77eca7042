package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.client.feed.LineStream;
import org.crabro.client.visit.ClientVisit;
import org.crabro.client.visit.VisitClient;
import org.crabro.client.visit.VisitEvent;

/** The operations among the lines of a visit; lines about its progress are left out. */
final class VisitedLines implements LineStream.Lines {
    private static final List<String> OTHERS =
            List.of("{\"continuation\"", "{\"sessionStats\"", "{\"sessionTrace\"", "{\"message\"");

    private final BufferedReader lines;
    private boolean isWhole = true;

    VisitedLines(InputStream in) {
        this.lines = new BufferedReader(new InputStreamReader(in, UTF_8));
    }

    /** Returns whether the visit is complete, as far as the lines contain that. */
    boolean isWhole() {
        return isWhole;
    }

    @Override
    public Optional<byte[]> next() throws IOException {
        for (String read = lines.readLine(); read != null; read = lines.readLine()) {
            if (read.startsWith(OTHERS.getFirst())) {
                isWhole = !read.contains("\"token\"");
            }
            if (OTHERS.stream().noneMatch(read::startsWith)) {
                return Optional.of((read + "\n").getBytes(UTF_8));
            }
        }
        return Optional.empty();
    }

    /**
     * Visits documents and writes them as lines that can be fed.
     *
     * @return their number
     */
    static long write(VisitClient client, ClientVisit visit, OutputStream out)
            throws IOException, InterruptedException {
        var count = new AtomicLong();
        try {
            client.forEach(
                    visit,
                    event -> {
                        if (event instanceof VisitEvent.Visited(String line)) {
                            try {
                                out.write(line.getBytes(UTF_8));
                                out.write('\n');
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                            count.incrementAndGet();
                        }
                    });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return count.get();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
