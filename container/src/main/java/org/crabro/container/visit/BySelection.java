package org.crabro.container.visit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.ReplyStatus;
import org.crabro.container.document.WriteResult;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitReply.Contents;
import org.crabro.protocol.visit.VisitedDocument;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * Carries out an operation on each document of a visit, on the condition that its version is still
 * the one that the visit read. So it never overwrites a change of another client. The selection was
 * true for that version and is not evaluated again.
 *
 * <p>The operations of a page run concurrently, and all of them end before the visit counts the
 * page as done. Used by one thread, which blocks.
 */
public final class BySelection implements VisitWalk.Sink {
    /** Documents of a page, which is also the count of concurrent writes. */
    static final int PAGE_DOCUMENTS = 256;

    private final DocumentWrites writes;
    private final Principal principal;
    private final Deadline deadline;
    private final Operations operations;
    private final LongAdder overtaken = new LongAdder();
    private long written;

    /** Makes the operation on one document; called by the thread that takes pages. */
    public interface Operations {
        /** Returns the operation; empty if the document does not change. */
        Optional<ConditionalOperation> on(VisitedDocument seen);
    }

    /** A write failed for another reason than a newer version of the document. */
    static final class NotWrittenException extends IOException {
        private static final long serialVersionUID = 1;

        private final int status;

        NotWrittenException(int status, String message) {
            super(message);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    /**
     * @param deadline of writes: later than the deadline of pages, so that the writes of a page can
     *     end
     */
    public BySelection(
            DocumentWrites writes, Principal principal, Deadline deadline, Operations operations) {
        this.writes = writes;
        this.principal = principal;
        this.deadline = deadline;
        this.operations = operations;
    }

    /** Returns the count of documents that were changed. */
    public long written() {
        return written;
    }

    /**
     * Returns the count of documents that were not changed, because another client wrote them
     * first.
     */
    public long overtaken() {
        return overtaken.sum();
    }

    @Override
    public void take(VisitReply.Page page) throws IOException {
        if (!(page.contents() instanceof Contents.Documents(List<VisitedDocument> seen))) {
            throw new IllegalStateException(
                    "a node answered with JSON where values were asked for");
        }
        List<ConditionalOperation> wanted =
                seen.stream().map(operations::on).flatMap(Optional::stream).toList();
        var pending = new ArrayList<Future<Boolean>>();
        try (ExecutorService writers =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("selection-write").factory())) {
            for (ConditionalOperation each : wanted) {
                pending.add(writers.submit(() -> write(each)));
            }
        }
        for (Future<Boolean> each : pending) {
            written += result(each) ? 1 : 0;
        }
    }

    private static boolean result(Future<Boolean> write) throws IOException {
        try {
            return write.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException)
                    new InterruptedIOException("interrupted while writing").initCause(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException("a write could not be asked for", e.getCause());
        }
    }

    /** Returns whether the document was changed; false if another client wrote it first. */
    private boolean write(ConditionalOperation operation) throws IOException, InterruptedException {
        while (true) {
            WriteResult result = writes.write(principal, deadline, operation);
            switch (result) {
                case WriteResult.Answered(WriteReply.Stored _), WriteResult.Partly _ -> {
                    return true;
                }
                case WriteResult.Answered(WriteReply.Missing()), WriteResult.Ignored _ -> {
                    return false;
                }
                case WriteResult.Answered(WriteReply.ConditionNotMet(boolean isThere)) -> {
                    overtaken.add(isThere ? 1 : 0);
                    return false;
                }
                case WriteResult.Answered(WriteReply.Overloaded(Duration retryAfter))
                        when deadline.remaining().compareTo(retryAfter) > 0 ->
                        // At most the writes of one page wait, each on a virtual thread.
                        Thread.sleep(retryAfter);
                case WriteResult.Answered _, WriteResult.Forbidden _ -> {
                    ReplyStatus status = ReplyStatus.of(result, ReplyStatus.Context.ofMany());
                    throw new NotWrittenException(
                            status.code(), operation.id() + ": " + status.message());
                }
            }
        }
    }
}
