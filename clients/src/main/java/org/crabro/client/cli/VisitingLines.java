package org.crabro.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.crabro.client.feed.LineStream;
import org.crabro.client.visit.ClientVisit;
import org.crabro.client.visit.VisitClient;
import org.crabro.client.visit.VisitEvent;

/**
 * The documents of a visit as operations, while the visit runs on a thread of its own. At most
 * {@value #LINES_MAX} lines are ahead of the reader; then the visit waits.
 */
final class VisitingLines implements LineStream.Lines {
    private static final int LINES_MAX = 1024;

    private final BlockingQueue<Element> elements = new ArrayBlockingQueue<>(LINES_MAX);
    private final Thread thread;
    private boolean isOver;

    /** What the visit passes on. */
    private sealed interface Element {
        /** An operation. */
        record Operation(String line) implements Element {}

        /** The end of the visit. */
        record End(Optional<IOException> failure) implements Element {}
    }

    private VisitingLines(VisitClient client, ClientVisit visit) {
        thread = Thread.ofVirtual().name("visit").unstarted(() -> run(client, visit));
    }

    /** Starts a visit. */
    static VisitingLines start(VisitClient client, ClientVisit visit) {
        var lines = new VisitingLines(client, visit);
        lines.thread.start();
        return lines;
    }

    private void run(VisitClient client, ClientVisit visit) {
        Optional<IOException> failure = Optional.empty();
        try {
            client.forEach(
                    visit,
                    event -> {
                        if (event instanceof VisitEvent.Visited(String line)) {
                            elements.put(new Element.Operation(line));
                        }
                    });
        } catch (IOException e) {
            failure = Optional.of(e);
        } catch (InterruptedException _) {
            // Only close() interrupts, and then there is no reader.
            return;
        } catch (RuntimeException e) {
            failure = Optional.of(new IOException("the visit failed", e));
        }
        try {
            elements.put(new Element.End(failure));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Optional<byte[]> next() throws IOException {
        if (isOver) {
            return Optional.empty();
        }
        Element element;
        try {
            element = elements.take();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted during a visit");
        }
        return switch (element) {
            case Element.Operation(String line) -> Optional.of((line + "\n").getBytes(UTF_8));
            case Element.End(Optional<IOException> failure) -> {
                isOver = true;
                if (failure.isPresent()) {
                    throw failure.get();
                }
                yield Optional.empty();
            }
        };
    }

    /** Ends the visit, if it runs. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
