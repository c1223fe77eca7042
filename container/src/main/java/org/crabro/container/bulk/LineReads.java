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
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/** Reads the documents that lines ask for, some at a time, and writes them as answers. */
final class LineReads {
    /** How many are read, and held, at once. */
    static final int AT_ONCE = 64;

    private final DocumentReads reads;
    private final Principal principal;
    private final Duration timeout;
    private final TensorFormat format;

    LineReads(DocumentReads reads, Principal principal, Duration timeout, TensorFormat format) {
        this.reads = reads;
        this.principal = principal;
        this.timeout = timeout;
        this.format = format;
    }

    Duration timeout() {
        return timeout;
    }

    TensorFormat format() {
        return format;
    }

    /** Returns what was found for each line, in their order. */
    List<ReadReply> read(List<BulkLine.Get> lines) throws InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ReadReply>> reading = new ArrayList<>(lines.size());
            for (BulkLine.Get line : lines) {
                reading.add(threads.submit(() -> reads.read(principal, deadline, line.id())));
            }
            List<ReadReply> replies = new ArrayList<>(lines.size());
            for (Future<ReadReply> each : reading) {
                replies.add(each.get());
            }
            return replies;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a document could not be read", e.getCause());
        }
    }
}
