package org.crabro.container.bulk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.ReadReply;
import org.crabro.document.DocumentId;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Reads the documents that lines ask for, some at a time. */
final class LineReads {
    /** How many are read, and held, at once. */
    static final int AT_ONCE = 64;

    private final DocumentReads reads;
    private final Principal principal;
    private final Duration timeout;

    LineReads(DocumentReads reads, Principal principal, Duration timeout) {
        this.reads = reads;
        this.principal = principal;
        this.timeout = timeout;
    }

    /** Returns what was found for each id, in their order. */
    List<ReadReply> read(List<DocumentId> ids) throws InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ReadReply>> reading = new ArrayList<>(ids.size());
            for (DocumentId id : ids) {
                reading.add(threads.submit(() -> reads.read(principal, deadline, id)));
            }
            List<ReadReply> replies = new ArrayList<>(ids.size());
            for (Future<ReadReply> each : reading) {
                replies.add(each.get());
            }
            return replies;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a document could not be read", e.getCause());
        }
    }
}
