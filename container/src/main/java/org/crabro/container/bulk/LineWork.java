package org.crabro.container.bulk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.crabro.component.LanguageModelException;
import org.crabro.component.QueryError;
import org.crabro.container.document.BulkWrites;
import org.crabro.container.document.GenerationStatus;
import org.crabro.container.document.IndexedWrites;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.RowWrites;
import org.crabro.container.document.WriteResult;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the lines of a batch: all writes in one call, operations that depend on stored
 * documents concurrently, but those of one document in order, and reads concurrently.
 *
 * <p>If the content node is overloaded, it retries until the deadline. Safe for use by many
 * threads.
 */
final class LineWork {
    private static final Logger LOG = LoggerFactory.getLogger(LineWork.class);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** After this time, a language model is called again. */
    private static final Duration GENERATE_AGAIN = Duration.ofMillis(500);

    /** Threads of a batch for operations that depend on stored documents. */
    private static final int DEPENDENT_AT_ONCE = 64;

    private final BulkWrites writes;
    private final RowWrites conditional;
    private final IndexedWrites dependent;
    private final LineReads reads;
    private final Principal principal;
    private final BulkOptions options;

    /**
     * @param conditional writes single rows
     * @param dependent carries out the other operations that depend on stored documents
     */
    LineWork(
            BulkWrites writes,
            RowWrites conditional,
            IndexedWrites dependent,
            LineReads reads,
            Principal principal,
            BulkOptions options) {
        this.writes = writes;
        this.conditional = conditional;
        this.dependent = dependent;
        this.reads = reads;
        this.principal = principal;
        this.options = options;
    }

    /** Executes a batch and returns the outcome of each line; blocks until all are available. */
    LineOutcome[] carryOut(LineBatch batch) throws InterruptedException {
        List<BulkLine> lines = batch.lines();
        var outcomes = new LineOutcome[lines.size()];
        List<Write.Row> rows = new ArrayList<>(outcomes.length);
        int[] rowIndexes = new int[outcomes.length];
        Map<DocumentId, List<Integer>> chains = new HashMap<>();
        List<Integer> gets = new ArrayList<>();
        for (int i = 0; i < outcomes.length; i++) {
            switch (lines.get(i)) {
                case BulkLine.Unconditional(_, Write.Row row, _, _) -> {
                    rowIndexes[rows.size()] = i;
                    rows.add(row);
                }
                case BulkLine.ByItself each ->
                        chains.computeIfAbsent(each.id(), _ -> new ArrayList<>()).add(i);
                case BulkLine.Get _ -> gets.add(i);
                case BulkLine.Refused(_, _, _, int status, String message) ->
                        outcomes[i] = new WriteStatus(status, message);
            }
        }
        if (options.isDryRun()) {
            for (int i = 0; i < rows.size(); i++) {
                outcomes[rowIndexes[i]] = WriteStatus.OK;
            }
            await(start(lines, chains, outcomes));
        } else {
            List<FutureTask<Void>> working = start(lines, chains, outcomes);
            try {
                write(rows, rowIndexes, outcomes);
            } finally {
                await(working);
            }
        }
        read(lines, gets, outcomes);
        return outcomes;
    }

    private void write(List<Write.Row> rows, int[] indexes, LineOutcome[] outcomes)
            throws InterruptedException {
        if (rows.isEmpty()) {
            return;
        }
        Deadline deadline = Deadline.after(options.timeout());
        int[] asked = indexes;
        List<Write.Row> left = rows;
        while (true) {
            List<WriteResult> answered = writes.write(principal, deadline, left);
            List<Write.Row> refused = new ArrayList<>();
            int[] again = {};
            Duration pause = Duration.ZERO;
            for (int i = 0; i < answered.size(); i++) {
                WriteResult reply = answered.get(i);
                outcomes[asked[i]] = status(reply, left.get(i).id());
                if (reply instanceof WriteResult.Answered(WriteReply.Overloaded(Duration after))) {
                    if (again.length == 0) {
                        again = new int[answered.size()];
                    }
                    again[refused.size()] = asked[i];
                    refused.add(left.get(i));
                    pause = shorter(after);
                }
            }
            if (refused.isEmpty() || deadline.remaining().compareTo(pause) <= 0) {
                return;
            }
            Thread.sleep(pause);
            asked = again;
            left = refused;
        }
    }

    private WriteStatus status(WriteResult reply, DocumentId id) {
        if (reply instanceof WriteResult.Answered(WriteReply.Stored stored)) {
            return options.isTraced()
                    ? WriteStatus.OK.with(List.of(stored.noteFor(principal)))
                    : WriteStatus.OK;
        }
        return WriteStatus.of(reply, id, options.timeout(), options.isStrict());
    }

    private static Duration shorter(Duration after) {
        return after.compareTo(LONGEST_PAUSE) < 0 ? after : LONGEST_PAUSE;
    }

    /** Starts the operations that depend on stored documents. */
    private List<FutureTask<Void>> start(
            List<BulkLine> lines, Map<DocumentId, List<Integer>> chains, LineOutcome[] outcomes) {
        Queue<List<Integer>> left = new ConcurrentLinkedQueue<>(chains.values());
        List<FutureTask<Void>> working = new ArrayList<>();
        for (int i = 0; i < Math.min(DEPENDENT_AT_ONCE, chains.size()); i++) {
            var work =
                    new FutureTask<Void>(
                            () -> {
                                for (List<Integer> chain = left.poll();
                                        chain != null;
                                        chain = left.poll()) {
                                    for (int index : chain) {
                                        outcomes[index] = write(lines.get(index));
                                    }
                                }
                            },
                            null);
            working.add(work);
            Thread.ofVirtual().name("bulk-dependent").start(work);
        }
        return working;
    }

    private static void await(List<FutureTask<Void>> working) throws InterruptedException {
        try {
            for (FutureTask<Void> work : working) {
                work.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("an operation failed", e.getCause());
        } finally {
            // If this thread stops waiting, all operations end.
            working.forEach(work -> work.cancel(true));
        }
    }

    private WriteStatus write(BulkLine line) {
        try (MemoryShare memory = MemoryShare.current().part()) {
            return memory.call(() -> writeCharged(line));
        }
    }

    private WriteStatus writeCharged(BulkLine line) {
        if (!(line instanceof BulkLine.ByItself each)) {
            throw new IllegalStateException("it depends on nothing: " + line);
        }
        Deadline deadline = Deadline.after(options.timeout());
        List<String> notes = new ArrayList<>();
        Consumer<Supplier<String>> noted =
                options.isTraced() ? done -> notes.add(done.get()) : _ -> {};
        try {
            while (true) {
                WriteResult reply = writeOrGenerate(each, deadline, noted);
                if (!(reply instanceof WriteResult.Answered(WriteReply.Overloaded(Duration after)))
                        || deadline.remaining().compareTo(shorter(after)) <= 0) {
                    return traced(status(reply, each.id()).or(each.note()), notes);
                }
                Thread.sleep(shorter(after));
            }
        } catch (InvalidDocumentException e) {
            return new WriteStatus(HttpStatus.BAD_REQUEST_400, String.valueOf(e.getMessage()));
        } catch (InvalidRequestException e) {
            return new WriteStatus(e.status(), String.valueOf(e.getMessage()));
        } catch (MemoryRefusedException e) {
            return WriteStatus.refused(e);
        } catch (LanguageModelException e) {
            return new WriteStatus(GenerationStatus.of(e.error().kind()), e.error().message());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return WriteStatus.timedOut(options.timeout());
        } catch (RuntimeException e) {
            LOG.error("{} of a bulk request failed", each.id(), e);
            return new WriteStatus(
                    HttpStatus.INTERNAL_SERVER_ERROR_500, "internal error; see the server's log");
        }
    }

    /** Returns that the server is overloaded if too many language models are called. */
    private WriteResult writeOrGenerate(
            BulkLine.ByItself line, Deadline deadline, Consumer<Supplier<String>> noted) {
        try {
            return write(line, deadline, noted);
        } catch (LanguageModelException e) {
            if (e.error().kind() == QueryError.Kind.OVERLOADED) {
                return new WriteResult.Answered(new WriteReply.Overloaded(GENERATE_AGAIN));
            }
            throw e;
        }
    }

    private WriteResult write(
            BulkLine.ByItself line, Deadline deadline, Consumer<Supplier<String>> noted) {
        return switch (line) {
            case BulkLine.Dependent(_, var operation, var processor, _) ->
                    dependent.write(
                            principal, deadline, operation, processor, options.isStrict(), noted);
            case BulkLine.Conditional(_, var row, _) -> conditional.write(principal, deadline, row);
        };
    }

    /** Returns {@code status} with the trace of earlier steps. */
    private static WriteStatus traced(WriteStatus status, List<String> notes) {
        if (notes.isEmpty()) {
            return status;
        }
        List<String> all = new ArrayList<>(notes);
        all.addAll(status.trace());
        return status.with(all);
    }

    private void read(List<BulkLine> lines, List<Integer> indexes, LineOutcome[] outcomes)
            throws InterruptedException {
        if (indexes.isEmpty()) {
            return;
        }
        List<BulkLine.Get> gets = new ArrayList<>(indexes.size());
        for (int index : indexes) {
            if (lines.get(index) instanceof BulkLine.Get get) {
                gets.add(get);
            }
        }
        List<LineOutcome> replies = reads.read(gets);
        for (int i = 0; i < replies.size(); i++) {
            outcomes[indexes.get(i)] = replies.get(i);
        }
    }
}
