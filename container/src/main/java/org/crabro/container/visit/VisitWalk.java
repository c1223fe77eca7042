package org.crabro.container.visit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.crabro.document.DocumentId;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.wire.Deadline;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Reads the partitions of one visit, some of them concurrently. While the sink takes a page, only
 * the next page of each of these partitions is read, so a slow client slows the reads. Used by one
 * thread, which blocks.
 */
final class VisitWalk {
    /** Reads the next page of a partition. */
    interface Pages {
        PageReply read(int partition, Optional<DocumentId> after, int documentsMax);
    }

    /** Takes the pages of each partition in order. */
    interface Sink {
        /**
         * Takes one page, which then counts as done.
         *
         * @throws IOException if the client has disconnected
         */
        void take(VisitReply.Page page) throws IOException;
    }

    /** The end of a walk. */
    sealed interface End {
        /** All pages were taken. */
        record Complete() implements End {}

        /** The wanted count of documents was reached. */
        record Enough() implements End {}

        /** The deadline passed. */
        record TimedOut() implements End {}

        /**
         * A page could not be read.
         *
         * @param status of HTTP
         */
        record Broken(int status, String message) implements End {}
    }

    /** A partition that was begun and not finished. */
    private static final class Range {
        private final int index;
        private Optional<DocumentId> after;
        private double share;

        Range(int index, Optional<DocumentId> after) {
            this.index = index;
            this.after = after;
        }
    }

    /**
     * @param memory of the page
     */
    private record Arrival(Range range, int asked, PageReply reply, MemoryShare memory) {}

    private final Continuation begun;
    private final Pages pages;
    private final Deadline deadline;
    private final int concurrency;
    private final int pageDocuments;

    /** The memory of the request; each page has its own part. */
    private final MemoryShare memory = MemoryShare.current();

    private final List<Range> open = new ArrayList<>();

    /** The ranges without a read in progress. */
    private final Deque<Range> waiting = new ArrayDeque<>();

    private int next;
    private int underWay;

    /** Documents that may still be requested. */
    private long left;

    private boolean timedOut;

    /**
     * @param concurrency partitions that are read concurrently, at least 1
     * @param wanted documents at most
     * @param pageDocuments documents of a page at most
     */
    VisitWalk(
            Continuation begun,
            Pages pages,
            Deadline deadline,
            int concurrency,
            long wanted,
            int pageDocuments) {
        this.begun = begun;
        this.pages = pages;
        this.deadline = deadline;
        this.concurrency = concurrency;
        this.left = wanted;
        this.pageDocuments = pageDocuments;
        this.next = begun.next();
        for (Continuation.Open each : begun.open()) {
            var range = new Range(each.index(), each.after());
            open.add(range);
            waiting.add(range);
        }
    }

    /**
     * Passes pages to {@code sink} until the visit is complete, the wanted count is reached, or
     * time is up.
     *
     * @throws IOException if {@code sink} throws it, or the thread is interrupted
     */
    End run(Sink sink) throws IOException {
        // Closing waits for pages that are being read, at most until the deadline.
        try (ExecutorService readers =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("visit-read").factory())) {
            return run(sink, new ExecutorCompletionService<>(readers));
        }
    }

    private End run(Sink sink, ExecutorCompletionService<Arrival> readers) throws IOException {
        while (true) {
            ask(readers);
            if (underWay == 0) {
                return end();
            }
            Arrival arrival;
            try {
                arrival = arrival(readers);
            } catch (MemoryRefusedException e) {
                return new End.Broken(
                        e.isTooLarge()
                                ? HttpStatus.PAYLOAD_TOO_LARGE_413
                                : HttpStatus.TOO_MANY_REQUESTS_429,
                        String.valueOf(e.getMessage()));
            }
            underWay--;
            VisitReply reply;
            switch (arrival.reply) {
                case PageReply.Forbidden(String reason) -> {
                    return new End.Broken(HttpStatus.FORBIDDEN_403, reason);
                }
                case PageReply.Answered(VisitReply answered) -> reply = answered;
            }
            switch (reply) {
                case VisitReply.Page page -> {
                    left += arrival.asked - page.count();
                    come(arrival.range, page);
                    ask(readers);
                    sink.take(page);
                    arrival.memory.close();
                }
                case VisitReply.TimedOut() -> {
                    left += arrival.asked;
                    timedOut = true;
                }
                case VisitReply.Rejected(String reason) -> {
                    return new End.Broken(HttpStatus.BAD_REQUEST_400, reason);
                }
                case VisitReply.Overloaded(String reason) -> {
                    return new End.Broken(HttpStatus.TOO_MANY_REQUESTS_429, reason);
                }
                case VisitReply.Failed(String reason) -> {
                    return new End.Broken(HttpStatus.INTERNAL_SERVER_ERROR_500, reason);
                }
                case VisitReply.Unavailable(String reason) -> {
                    return new End.Broken(HttpStatus.SERVICE_UNAVAILABLE_503, reason);
                }
                case VisitReply.WrongOwner(long stateVersion) -> {
                    return new End.Broken(
                            HttpStatus.INTERNAL_SERVER_ERROR_500,
                            "no node owns a partition by cluster state " + stateVersion);
                }
            }
        }
    }

    private End end() {
        if (next == partitions() && open.isEmpty()) {
            return new End.Complete();
        }
        return left == 0 && !timedOut ? new End.Enough() : new End.TimedOut();
    }

    private void come(Range range, VisitReply.Page page) {
        if (page.last().isPresent()) {
            range.after = page.last();
            range.share = page.share();
            waiting.add(range);
        } else {
            open.remove(range);
        }
    }

    private void ask(ExecutorCompletionService<Arrival> readers) {
        while (underWay < concurrency && left > 0 && !timedOut && !deadline.hasPassed()) {
            Range range = waiting.poll();
            if (range == null) {
                if (next == partitions()) {
                    return;
                }
                range = new Range(next++, Optional.empty());
                open.add(range);
            }
            int idle = concurrency - underWay;
            // The wanted count is divided among the partitions, so that they do not exceed it
            // together.
            int asked = (int) Math.min(pageDocuments, left / idle + (left % idle == 0 ? 0 : 1));
            left -= asked;
            underWay++;
            Range read = range;
            int partition = begun.plan().partitions().get(read.index);
            Optional<DocumentId> after = read.after;
            var _ =
                    readers.submit(() -> {
                        MemoryShare ofPage = memory.part();
                        PageReply reply = ofPage.call(() -> pages.read(partition, after, asked));
                        return new Arrival(read, asked, reply, ofPage);
                    });
        }
    }

    private static Arrival arrival(ExecutorCompletionService<Arrival> readers) throws IOException {
        try {
            return readers.take().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException)
                    new InterruptedIOException("interrupted while visiting").initCause(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MemoryRefusedException refusal) {
                throw refusal;
            }
            throw new IllegalStateException("a page could not be asked for", e.getCause());
        }
    }

    private int partitions() {
        return begun.plan().partitions().size();
    }

    /** Returns the position after the pages that were taken. */
    Continuation continuation() {
        return new Continuation(
                begun.plan(),
                begun.slice(),
                next,
                open.stream()
                        .map(range -> new Continuation.Open(range.index, range.after))
                        .toList());
    }

    /** Returns the finished part of the visit, 0 to 100. */
    double percentFinished() {
        if (partitions() == 0) {
            return 100;
        }
        double finished = next - open.size();
        for (Range range : open) {
            finished += range.share;
        }
        return 100 * finished / partitions();
    }
}
