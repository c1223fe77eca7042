package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.client.visit.ClientVisit;
import org.crabro.client.visit.VisitClient;
import org.crabro.client.visit.VisitEvent;

/** The operations among the lines of a visit; lines about its progress are left out. */
final class VisitedLines extends InputStream {
    private static final List<String> OTHERS =
            List.of("{\"continuation\"", "{\"sessionStats\"", "{\"sessionTrace\"", "{\"message\"");

    private final BufferedReader lines;
    private byte[] line = {};
    private int next;
    private boolean isWhole = true;

    VisitedLines(InputStream in) {
        this.lines = new BufferedReader(new InputStreamReader(in, UTF_8));
    }

    /** Returns whether the visit is complete, as far as the lines contain that. */
    boolean isWhole() {
        return isWhole;
    }

    @Override
    public int read() throws IOException {
        return fill() ? line[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, line.length - next);
        System.arraycopy(line, next, into, offset, count);
        next += count;
        return count;
    }

    /** Reads the next operation if the last one is consumed, and returns whether there is one. */
    private boolean fill() throws IOException {
        while (next == line.length) {
            String read = lines.readLine();
            if (read == null) {
                return false;
            }
            if (read.startsWith(OTHERS.getFirst())) {
                isWhole = !read.contains("\"token\"");
            }
            if (OTHERS.stream().noneMatch(read::startsWith)) {
                line = (read + "\n").getBytes(UTF_8);
                next = 0;
            }
        }
        return true;
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
