package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.crabro.client.feed.GroupLines;
import org.crabro.client.feed.LineStream;
import org.crabro.client.file.BoundedLines;
import org.crabro.client.visit.ClientVisit;
import org.crabro.client.visit.VisitClient;
import org.crabro.client.visit.VisitEvent;

/** The operations among the lines of a visit; lines about its progress are left out. */
final class VisitedLines implements LineStream.Lines {
    private static final List<byte[]> OTHERS =
            Stream.of("{\"continuation\"", "{\"sessionStats\"", "{\"sessionTrace\"", "{\"message\"")
                    .map(text -> text.getBytes(UTF_8))
                    .toList();

    /** The limit of an operation in a feed, too. */
    private static final int LONGEST = 64 << 20;

    private final BoundedLines lines;
    private final Optional<GroupLines> group;
    private boolean isWhole = true;

    /**
     * @param group rejects lines of documents of other groups
     */
    VisitedLines(InputStream in, Optional<GroupLines> group) {
        this.lines = new BoundedLines(in, LONGEST);
        this.group = group;
    }

    /** Returns whether the visit is complete, as far as the lines contain that. */
    boolean isWhole() {
        return isWhole;
    }

    @Override
    public Optional<byte[]> next() throws IOException {
        for (Optional<byte[]> next = lines.next(); next.isPresent(); next = lines.next()) {
            byte[] read = next.get();
            if (startsWith(read, OTHERS.getFirst())) {
                isWhole = !new String(read, UTF_8).contains("\"token\"");
            }
            if (OTHERS.stream().noneMatch(each -> startsWith(read, each))) {
                if (group.isPresent()) {
                    group.get().check(read, lines.number());
                }
                byte[] line = Arrays.copyOf(read, read.length + 1);
                line[read.length] = '\n';
                return Optional.of(line);
            }
        }
        return Optional.empty();
    }

    private static boolean startsWith(byte[] line, byte[] start) {
        return line.length >= start.length
                && Arrays.equals(line, 0, start.length, start, 0, start.length);
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
