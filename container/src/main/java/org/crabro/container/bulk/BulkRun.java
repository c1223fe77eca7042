package org.crabro.container.bulk;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.crabro.container.document.DocumentMetrics;
import org.crabro.container.document.DocumentMetrics.Operation;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ReadReply;
import org.crabro.container.document.WriteReply;
import org.crabro.document.Document;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;

/**
 * One bulk request under way.
 *
 * <pre>
 *   body ─► pieces ─► lines, read by many threads ─► in their order: batches ─► answers
 *        reader                 threads                        the request's own thread
 * </pre>
 *
 * <p>No more than a window of pieces is between both ends; where it is full nothing is read, and so
 * the client waits. Batches follow each other, so operations on one document keep their order.
 */
final class BulkRun {
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** What a piece takes besides its bytes. */
    private static final int PIECE_OVERHEAD = 1 << 10;

    /** Answers of reads are sent when they have as many bytes. */
    private static final int FLUSHED_BYTES = 256 << 10;

    private final OperationLines lines;
    private final LineReads reads;
    private final BulkWrites writes;
    private final Principal principal;
    private final BulkAdmission admission;
    private final BulkSettings settings;
    private final Duration timeout;
    private final AnswerLines answers;
    private final Content.Sink sink;
    private final DocumentMetrics metrics;
    private final BlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final Semaphore window;

    /** What the reader gives to the request's own thread, in the order of the body. */
    private sealed interface Step {
        /** A piece, and what its lines will have said. */
        record Read(Piece piece, Future<List<BulkLine>> lines) implements Step {}

        /** The body is over, or cannot be read further: then why. */
        record End(Optional<Exception> problem) implements Step {}
    }

    BulkRun(
            OperationLines lines,
            LineReads reads,
            BulkWrites writes,
            Principal principal,
            BulkAdmission admission,
            Duration timeout,
            AnswerLines answers,
            Content.Sink sink,
            DocumentMetrics metrics) {
        this.lines = lines;
        this.reads = reads;
        this.writes = writes;
        this.principal = principal;
        this.admission = admission;
        this.settings = admission.settings();
        this.timeout = timeout;
        this.answers = answers;
        this.sink = sink;
        this.metrics = metrics;
        this.window = new Semaphore(settings.windowBytes());
    }

    /**
     * Carries out the operations of {@code body} and writes their answers, but the last.
     *
     * @return why the body was not read to its end, where that is its sender's fault
     * @throws IOException if the client went away
     */
    Optional<String> run(BodySource body) throws IOException, InterruptedException {
        Thread reader =
                Thread.ofVirtual()
                        .name("bulk-body")
                        .start(() -> readAll(new PieceReader(body, admission)));
        try {
            return writeAll();
        } finally {
            reader.interrupt();
            reader.join();
            letGo();
        }
    }

    private void readAll(PieceReader pieces) {
        Optional<Exception> problem = Optional.empty();
        try {
            for (Optional<Piece> next = pieces.next(); next.isPresent(); next = pieces.next()) {
                Piece piece = next.get();
                window.acquire(cost(piece));
                steps.add(
                        new Step.Read(piece, admission.threads().submit(() -> lines.read(piece))));
            }
        } catch (IOException | RuntimeException | InterruptedException e) {
            problem = Optional.of(e);
        }
        steps.add(new Step.End(problem));
    }

    /** Gives back what pieces hold that nobody will answer. */
    private void letGo() throws InterruptedException {
        for (Step step : steps) {
            if (step instanceof Step.Read(Piece piece, Future<List<BulkLine>> read)) {
                read.cancel(false);
                admission.release(piece.reserved());
            }
        }
        steps.clear();
    }

    /** Returns whether nothing more is read before something is answered. */
    boolean isFull() {
        return window.hasQueuedThreads();
    }

    /** Returns how much of the window a piece takes. */
    private int cost(Piece piece) {
        return Math.min(piece.text().length() + PIECE_OVERHEAD, settings.windowBytes());
    }

    private Optional<String> writeAll() throws IOException, InterruptedException {
        Deque<BulkLine> pending = new ArrayDeque<>();
        while (true) {
            switch (steps.take()) {
                case Step.Read first -> {
                    List<Piece> taken = new ArrayList<>();
                    try {
                        take(first, taken, pending);
                        // What is read by now goes along: fewer forces serve more operations.
                        while (pending.size() < settings.batchWrites()
                                && steps.peek() instanceof Step.Read next
                                && next.lines().isDone()) {
                            steps.remove();
                            take(next, taken, pending);
                        }
                        writePending(pending);
                    } finally {
                        for (Piece piece : taken) {
                            admission.release(piece.reserved());
                            window.release(cost(piece));
                        }
                    }
                }
                case Step.End(Optional<Exception> problem) -> {
                    return problem.isEmpty() ? Optional.empty() : Optional.of(told(problem.get()));
                }
            }
        }
    }

    private static void take(Step.Read step, List<Piece> taken, Deque<BulkLine> pending)
            throws InterruptedException {
        taken.add(step.piece());
        pending.addAll(result(step.lines()));
    }

    private static List<BulkLine> result(Future<List<BulkLine>> read) throws InterruptedException {
        try {
            return read.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("lines could not be read", e.getCause());
        }
    }

    private static String told(Exception problem) throws IOException, InterruptedException {
        return switch (problem) {
            case InvalidRequestException e -> String.valueOf(e.getMessage());
            case IOException e -> throw e;
            case InterruptedException e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new IllegalStateException(problem);
        };
    }

    private void writePending(Deque<BulkLine> pending) throws IOException, InterruptedException {
        while (!pending.isEmpty()) {
            List<BulkLine> batch = batch(pending);
            if (batch.getFirst() instanceof BulkLine.Get) {
                read(batch);
            } else {
                write(batch);
            }
            flush(0);
        }
    }

    /** Writes what was answered, where that is more than {@code kept} bytes. */
    private void flush(int kept) throws IOException {
        if (answers.size() > kept) {
            Content.Sink.write(sink, false, answers.take());
        }
    }

    /** Takes the next lines that go together: reads see the writes before them, and no others. */
    private List<BulkLine> batch(Deque<BulkLine> pending) {
        var batch = new ArrayList<BulkLine>();
        boolean reads = pending.getFirst() instanceof BulkLine.Get;
        int most = reads ? LineReads.AT_ONCE : settings.batchWrites();
        long bytes = 0;
        while (!pending.isEmpty() && batch.size() < most) {
            BulkLine next = pending.getFirst();
            if (next instanceof BulkLine.Get != reads) {
                break;
            }
            if (next instanceof BulkLine.Write(_, EncodedWrite write, _)) {
                bytes += write.row().length;
                if (!batch.isEmpty() && bytes > settings.batchBytes()) {
                    break;
                }
            }
            batch.add(pending.removeFirst());
        }
        return batch;
    }

    private void read(List<BulkLine> batch) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        List<BulkLine.Get> gets = new ArrayList<>(batch.size());
        for (BulkLine line : batch) {
            if (line instanceof BulkLine.Get get) {
                gets.add(get);
            }
        }
        List<ReadReply> replies = reads.read(gets);
        long took = System.nanoTime() - begin;
        for (int i = 0; i < replies.size(); i++) {
            metrics.count(Operation.GET, answer(gets.get(i), replies.get(i)), took);
            flush(FLUSHED_BYTES);
        }
    }

    /** Writes an answer, and returns its status. */
    private int answer(BulkLine.Get get, ReadReply reply) {
        return switch (reply) {
            case ReadReply.Forbidden(String reason) ->
                    failed(get, HttpStatus.FORBIDDEN_403, reason);
            case ReadReply.Answered(GetReply found) ->
                    switch (found) {
                        case GetReply.Found(Document document, _) -> {
                            answers.found(get.line(), document, get.shown(), reads.format());
                            yield HttpStatus.OK_200;
                        }
                        case GetReply.Missing() -> {
                            answers.missing(get.line(), get.id());
                            yield HttpStatus.NOT_FOUND_404;
                        }
                        case GetReply.TimedOut() ->
                                failed(
                                        get,
                                        HttpStatus.GATEWAY_TIMEOUT_504,
                                        "Timeout after " + timeout.toMillis() + "ms");
                        case GetReply.Failed(String reason) ->
                                failed(get, HttpStatus.INTERNAL_SERVER_ERROR_500, reason);
                        case GetReply.WrongOwner(long stateVersion) ->
                                failed(
                                        get,
                                        HttpStatus.INTERNAL_SERVER_ERROR_500,
                                        "no node owns the document's partition by cluster state "
                                                + stateVersion);
                    };
        };
    }

    private int failed(BulkLine.Get get, int status, String message) {
        answers.failed(get.line(), Optional.of(get.id().toString()), status, message);
        return status;
    }

    private void write(List<BulkLine> batch) throws InterruptedException {
        long begin = System.nanoTime();
        List<EncodedWrite> rows = new ArrayList<>(batch.size());
        for (BulkLine line : batch) {
            if (line instanceof BulkLine.Write(_, EncodedWrite write, _)) {
                rows.add(write);
            }
        }
        WriteReply[] replies = patiently(rows);
        long took = System.nanoTime() - begin;
        int next = 0;
        for (BulkLine line : batch) {
            switch (line) {
                case BulkLine.Write(long number, EncodedWrite write, boolean isRemove) -> {
                    WriteStatus status = WriteStatus.of(replies[next++], timeout);
                    metrics.count(
                            isRemove ? Operation.REMOVE : Operation.PUT, status.status(), took);
                    if (status.status() == HttpStatus.OK_200) {
                        answers.ok(number, write.row());
                    } else {
                        answers.failed(
                                number,
                                Optional.of(write.id().toString()),
                                status.status(),
                                status.message());
                    }
                }
                case BulkLine.Refused(long number, var id, int status, String message) -> {
                    metrics.count(Operation.PUT, status, took);
                    answers.failed(number, id, status, message);
                }
                case BulkLine.Get get -> throw new IllegalStateException("a read: " + get);
            }
        }
    }

    /** Writes, and asks again for what found no room until there is some, or time has run out. */
    private WriteReply[] patiently(List<EncodedWrite> rows) throws InterruptedException {
        var replies = new WriteReply[rows.size()];
        if (rows.isEmpty()) {
            return replies;
        }
        Deadline deadline = Deadline.after(timeout);
        int[] indexes = new int[rows.size()];
        for (int i = 0; i < indexes.length; i++) {
            indexes[i] = i;
        }
        List<EncodedWrite> left = rows;
        while (true) {
            List<WriteReply> answered = writes.write(principal, deadline, left);
            List<EncodedWrite> refused = new ArrayList<>();
            Duration pause = Duration.ZERO;
            for (int i = 0; i < answered.size(); i++) {
                WriteReply reply = answered.get(i);
                replies[indexes[i]] = reply;
                if (reply instanceof WriteReply.Answered(FeedReply.Overloaded(Duration after))) {
                    indexes[refused.size()] = indexes[i];
                    refused.add(left.get(i));
                    pause = after.compareTo(LONGEST_PAUSE) < 0 ? after : LONGEST_PAUSE;
                }
            }
            if (refused.isEmpty() || deadline.remaining().compareTo(pause) <= 0) {
                return replies;
            }
            Thread.sleep(pause);
            left = refused;
        }
    }
}
