package org.crabro.container.bulk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.memory.MemoryShare;

/**
 * One bulk request under way.
 *
 * <pre>
 *   body ─► pieces ─► lines, read by many threads ─► in their order: batches ─► answers
 *        reader                 threads                  divider     a thread    the request's
 *                                                                      each       own thread
 * </pre>
 *
 * <p>At most one window of pieces is in progress. If the window is full, the reader stops, and the
 * client has to wait. Several batches are executed in parallel, but no batch runs together with an
 * earlier one that has one of its documents. So operations on one document keep their order.
 */
final class BulkRun {
    /** Overhead of a piece, in bytes of the window. */
    private static final int PIECE_OVERHEAD = 1 << 10;

    private final OperationLines lines;
    private final LineWork work;
    private final BulkAdmission admission;
    private final BulkSettings settings;
    private final LineAnswers answers;
    private final BlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final BlockingQueue<Under> batches = new LinkedBlockingQueue<>();
    private final Semaphore window;
    private final Semaphore room;

    private final LineRoom lineRoom;

    /** The memory of the request; its pieces have their own. */
    private final MemoryShare memory = MemoryShare.current();

    /** Passed from the reader to the divider, in the order of the body. */
    private sealed interface Step {
        /** A piece, and the future operations of its lines. */
        record Read(Piece piece, Future<OperationLines.Read> lines) implements Step {}

        /** The end of the body, with the reason if it was not read to its end. */
        record End(Optional<Exception> problem) implements Step {}
    }

    /** Passed from the divider to the thread of the request, in the order of the body. */
    private sealed interface Under {
        /** A batch in progress, its start, and its future outcomes. */
        record Way(LineBatch batch, long sinceNanos, FutureTask<LineOutcome[]> outcomes)
                implements Under {}

        /**
         * The end of the batches, with the reason if the body was not read or divided to its end.
         */
        record End(Optional<Exception> problem) implements Under {}
    }

    BulkRun(OperationLines lines, LineWork work, BulkAdmission admission, LineAnswers answers) {
        this.lines = lines;
        this.work = work;
        this.admission = admission;
        this.settings = admission.settings();
        this.answers = answers;
        this.window = new Semaphore(settings.windowBytes());
        this.room = new Semaphore(settings.batches().batchesAtOnce());
        this.lineRoom = new LineRoom(admission);
    }

    /**
     * Carries out the operations of {@code body} and writes their answers, except the totals.
     *
     * @return why the body was not read to its end, if the client caused it
     * @throws IOException if the client has disconnected
     */
    Optional<String> run(BodySource body) throws IOException, InterruptedException {
        Thread reader =
                Thread.ofVirtual()
                        .name("bulk-body")
                        .start(() -> readAll(new PieceReader(body, admission)));
        Thread divider = Thread.ofVirtual().name("bulk-divide").start(this::divideAll);
        try {
            return answerAll();
        } finally {
            reader.interrupt();
            divider.interrupt();
            reader.join();
            divider.join();
            release();
        }
    }

    private void readAll(PieceReader pieces) {
        Optional<Exception> problem = Optional.empty();
        try {
            for (Optional<Piece> next = pieces.next(); next.isPresent(); next = pieces.next()) {
                Piece piece = next.get();
                lineRoom.tookBefore(piece.reserved());
                window.acquire(cost(piece));
                steps.add(
                        new Step.Read(
                                piece,
                                admission
                                        .threads()
                                        .submit(() -> {
                                            OperationLines.Read read = read(piece);
                                            pieces.reuse(piece);
                                            return read;
                                        })));
                lines.checkBlankLines();
            }
        } catch (IOException | RuntimeException | InterruptedException e) {
            problem = Optional.of(e);
        }
        steps.add(new Step.End(problem));
    }

    private OperationLines.Read read(Piece piece) {
        MemoryShare ofPiece = memory.part();
        // Many requests share the threads that read lines, so these do not wait for memory.
        ofPiece.waitUntil(System.nanoTime());
        return ofPiece.call(() -> lines.read(piece, new LeftOutOfLines(lineRoom, settings)));
    }

    /** Returns whether the window is full: the reader waits until a batch is answered. */
    boolean isFull() {
        return window.hasQueuedThreads();
    }

    /** Returns the bytes of the window that a piece takes. */
    private int cost(Piece piece) {
        return Math.min(piece.text().length() + PIECE_OVERHEAD, settings.windowBytes());
    }

    private void divideAll() {
        Optional<Exception> problem;
        try {
            problem = divide();
        } catch (RuntimeException | InterruptedException e) {
            problem = Optional.of(e);
        }
        batches.add(new Under.End(problem));
    }

    private Optional<Exception> divide() throws InterruptedException {
        List<Under.Way> begun = new ArrayList<>();
        var open = new LineBatch(settings);
        long first = 1;
        while (true) {
            switch (steps.take()) {
                case Step.Read(Piece piece, Future<OperationLines.Read> lines) -> {
                    OperationLines.Read read = result(lines);
                    if (!open.addsAll(read, first)) {
                        for (BulkLine line : read.lines()) {
                            if (!open.accepts(line)) {
                                begin(open, begun);
                                open = new LineBatch(settings);
                            }
                            open.add(line, first + line.line());
                        }
                    }
                    first += read.count();
                    open.ends(cost(piece), piece.reserved() + read.reserved(), read.memory());
                    // Lines that are already read join the batch, so that one fsync serves more
                    // operations.
                    if (!(steps.peek() instanceof Step.Read next && next.lines().isDone())) {
                        begin(open, begun);
                        open = new LineBatch(settings);
                    }
                }
                case Step.End(Optional<Exception> problem) -> {
                    if (!open.isEmpty()) {
                        begin(open, begun);
                    }
                    return problem;
                }
            }
        }
    }

    private static OperationLines.Read result(Future<OperationLines.Read> read)
            throws InterruptedException {
        try {
            return read.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("lines could not be read", e.getCause());
        }
    }

    /** Submits a batch. */
    private void begin(LineBatch batch, List<Under.Way> begun) throws InterruptedException {
        room.acquire();
        begun.removeIf(before -> before.outcomes().isDone());
        for (Under.Way before : begun) {
            if (batch.follows(before.batch())) {
                awaitDone(before.outcomes());
            }
        }
        var outcomes = new FutureTask<>(() -> memory.call(() -> work.carryOut(batch)));
        var way = new Under.Way(batch, System.nanoTime(), outcomes);
        begun.add(way);
        batches.add(way);
        Thread.ofVirtual().name("bulk-batch").start(outcomes);
    }

    private static void awaitDone(Future<?> task) throws InterruptedException {
        try {
            task.get();
        } catch (ExecutionException _) {
            // Reported where its outcomes are answered.
        }
    }

    private Optional<String> answerAll() throws IOException, InterruptedException {
        while (true) {
            switch (batches.take()) {
                case Under.Way(LineBatch batch, long since, FutureTask<LineOutcome[]> outcomes) -> {
                    try {
                        answers.answer(batch, outcomes.get(), System.nanoTime() - since);
                    } catch (ExecutionException e) {
                        throw new IllegalStateException("a batch failed", e.getCause());
                    } finally {
                        outcomes.cancel(true);
                    }
                    batch.release();
                    lineRoom.release(batch.reserved());
                    window.release(batch.heldOfWindow());
                    room.release();
                }
                case Under.End(Optional<Exception> problem) -> {
                    return problem.isEmpty() ? Optional.empty() : Optional.of(told(problem.get()));
                }
            }
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

    /** Ends the rest of the run, and releases the memory of pieces. */
    private void release() throws InterruptedException {
        for (Under each : batches) {
            if (each instanceof Under.Way(LineBatch batch, _, FutureTask<LineOutcome[]> outcomes)) {
                outcomes.cancel(true);
                batch.release();
            }
        }
        for (Step step : steps) {
            if (step instanceof Step.Read(_, Future<OperationLines.Read> read)) {
                read.cancel(false);
            }
        }
        lineRoom.close();
    }
}
