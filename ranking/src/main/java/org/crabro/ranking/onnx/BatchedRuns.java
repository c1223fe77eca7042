package org.crabro.ranking.onnx;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.crabro.ranking.onnx.EmbeddingRefusedException.Reason;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.jspecify.annotations.Nullable;

/**
 * Computes the texts of concurrent calls together. A text that finds a thread idle runs at once.
 * While all threads run the model, texts wait. The next idle thread takes several of them with
 * similar lengths, so that a run has little padding.
 *
 * <p>Texts of queries are taken before texts of documents. Otherwise the text that has waited
 * longest is taken first, with others of similar length. If several threads are idle, they share
 * the waiting texts equally.
 *
 * <p>Thread-safe. The threads of this object run the model, so that a caller whose deadline passes
 * does not wait for the run. A run waits for a free core until the latest deadline of its texts.
 */
final class BatchedRuns implements AutoCloseable {
    private static final long THREAD_IDLE_SECONDS = 10;

    private final TextRuns runs;
    private final int threadCount;
    private final int tokensMax;
    private final ThreadPoolExecutor threads;
    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of arrival. The lock guards this and the following fields. */
    private final List<Waiting<?>> waiting = new ArrayList<>();

    /** Threads that take texts until none waits. */
    private int active;

    /** Those of them that run the model. */
    private int running;

    private boolean isClosed;

    /**
     * @param threads the number of runs at the same time
     * @param bytesOfToken the size of the output for a token
     */
    BatchedRuns(TextRuns runs, int threads, long bytesOfToken) {
        this.runs = runs;
        this.threadCount = threads;
        this.tokensMax =
                Math.clamp(
                        BatchLimits.OUTPUT_BYTES / Math.max(1, bytesOfToken),
                        1,
                        BatchLimits.RUN_TOKENS);
        this.threads =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        THREAD_IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name("embedding-", 0).factory());
        this.threads.allowCoreThreadTimeOut(true);
    }

    /** The texts of a call, and their results. */
    private static final class Call<T> {
        private final boolean isQuery;
        private final long deadlineNanos;
        private final BiFunction<TextRow, OnnxModel.Output, T> read;
        private final List<@Nullable T> results;
        private final CountDownLatch left;
        private volatile @Nullable RuntimeException failure;
        private volatile boolean isAbandoned;

        Call(int count, Embedder.Target target, BiFunction<TextRow, OnnxModel.Output, T> read) {
            this.isQuery = target.purpose() == Embedder.Purpose.QUERY;
            this.deadlineNanos = System.nanoTime() + target.timeout().toNanos();
            this.read = read;
            this.results = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                results.add(null);
            }
            this.left = new CountDownLatch(count);
        }

        /** Returns whether the result is not needed any more. */
        boolean isOver() {
            return isAbandoned || failure != null || deadlineNanos - System.nanoTime() <= 0;
        }

        void complete(int index, TextRow row, OnnxModel.Output output) {
            try {
                results.set(index, read.apply(row, output));
                left.countDown();
            } catch (RuntimeException e) {
                fail(e);
            }
        }

        /** Ends the call; its other texts are not run. */
        void fail(RuntimeException reason) {
            failure = reason;
            while (left.getCount() > 0) {
                left.countDown();
            }
        }
    }

    /** A text that waits. */
    private record Waiting<T>(Call<T> call, int index, TextRow row) {
        void complete(OnnxModel.Output output) {
            call.complete(index, row, output);
        }
    }

    /**
     * Runs the model for {@code rows} and returns what {@code read} makes of the output of each, in
     * their order.
     *
     * @param rows at most {@link BatchLimits#CALL_TEXTS}
     * @throws EmbeddingRefusedException if too many texts wait, or the timeout passes
     * @throws ModelBusyException if too many runs of the process wait for a core
     */
    <T> List<T> run(
            List<TextRow> rows,
            Embedder.Target target,
            BiFunction<TextRow, OnnxModel.Output, T> read) {
        var call = new Call<>(rows.size(), target, read);
        int starting = add(call, rows);
        for (int i = 0; i < starting; i++) {
            threads.execute(this::work);
        }
        await(call);
        RuntimeException failure = call.failure;
        if (failure != null) {
            throw failure;
        }
        var results = new ArrayList<T>(rows.size());
        for (@Nullable T result : call.results) {
            if (result == null) {
                throw new IllegalStateException("a text has no result");
            }
            results.add(result);
        }
        return results;
    }

    /** Returns the number of texts that wait for a thread. */
    int waitingTexts() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Adds the texts of a call, and returns the number of threads to start. */
    private <T> int add(Call<T> call, List<TextRow> rows) {
        lock.lock();
        try {
            if (isClosed) {
                throw new IllegalStateException("the embedder is closed");
            }
            if (waiting.size() + rows.size() > BatchLimits.WAITING_TEXTS) {
                throw new EmbeddingRefusedException(
                        Reason.OVERLOADED,
                        "%d texts wait for the model of the embedder, at most %d"
                                .formatted(waiting.size(), BatchLimits.WAITING_TEXTS));
            }
            for (int i = 0; i < rows.size(); i++) {
                waiting.add(new Waiting<>(call, i, rows.get(i)));
            }
            int starting = Math.min(threadCount - active, rows.size());
            active += starting;
            return starting;
        } finally {
            lock.unlock();
        }
    }

    private static void await(Call<?> call) {
        try {
            if (call.left.await(
                    Math.max(0, call.deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException _) {
            call.isAbandoned = true;
            Thread.currentThread().interrupt();
            throw new EmbeddingRefusedException(Reason.TIMED_OUT, "the caller was interrupted");
        }
        call.isAbandoned = true;
        throw new EmbeddingRefusedException(
                Reason.TIMED_OUT, "the embedding was not computed in time");
    }

    /** Runs the model until no text waits. */
    private void work() {
        while (true) {
            List<Waiting<?>> taken = take();
            if (taken.isEmpty()) {
                return;
            }
            boolean isThreadLost = true;
            try {
                compute(taken);
                isThreadLost = false;
            } finally {
                endRun(isThreadLost);
            }
        }
    }

    private void endRun(boolean isThreadLost) {
        lock.lock();
        try {
            running--;
            if (isThreadLost && !waiting.isEmpty() && !isClosed) {
                threads.execute(this::work);
            } else if (isThreadLost) {
                active--;
            }
        } finally {
            lock.unlock();
        }
    }

    private void compute(List<Waiting<?>> taken) {
        List<Waiting<?>> needed = new ArrayList<>(taken);
        // The callers of the others have left, or leave with a time-out.
        needed.removeIf(each -> each.call.isOver());
        if (needed.isEmpty()) {
            return;
        }
        List<TextRow> rows = new ArrayList<>(needed.size());
        needed.forEach(each -> rows.add(each.row));
        try {
            List<OnnxModel.Output> outputs =
                    RunDeadline.within(latestDeadline(needed), () -> runs.run(rows));
            for (int i = 0; i < outputs.size(); i++) {
                needed.get(i).complete(outputs.get(i));
            }
        } catch (ModelBusyException e) {
            // A run of fewer texts would not start either.
            needed.removeIf(each -> each.call.isOver());
            needed.forEach(each -> each.call.fail(e));
        } catch (RuntimeException e) {
            if (needed.size() == 1) {
                needed.getFirst().call.fail(e);
            } else {
                // Only the text that the model cannot compute fails.
                needed.forEach(each -> compute(List.of(each)));
            }
        } catch (Error e) {
            needed.forEach(
                    each -> each.call.fail(new IllegalStateException("the model cannot run", e)));
            throw e;
        }
    }

    private static long latestDeadline(List<Waiting<?>> texts) {
        long now = System.nanoTime();
        return now
                + texts.stream()
                        .mapToLong(each -> each.call.deadlineNanos - now)
                        .max()
                        .orElseThrow();
    }

    /** Takes texts that are run together; empty if none waits and the thread is to end. */
    private List<Waiting<?>> take() {
        lock.lock();
        try {
            waiting.removeIf(each -> each.call.isOver());
            if (waiting.isEmpty()) {
                active--;
                return List.of();
            }
            Optional<Waiting<?>> query = firstQuery();
            Waiting<?> first = query.orElseGet(waiting::getFirst);
            running++;
            if (runs.together() == TextRuns.Together.NEVER) {
                waiting.remove(first);
                return List.of(first);
            }
            List<Waiting<?>> others = new ArrayList<>(waiting);
            others.remove(first);
            if (query.isPresent()) {
                others.removeIf(each -> !each.call.isQuery);
            }
            int share = Math.ceilDiv(others.size() + 1, threadCount - running + 1);
            List<Waiting<?>> taken = together(first, others, share);
            Set<Waiting<?>> asSet = new HashSet<>(taken);
            waiting.removeIf(asSet::contains);
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private Optional<Waiting<?>> firstQuery() {
        for (Waiting<?> each : waiting) {
            if (each.call.isQuery) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Returns {@code first} and the others whose lengths are nearest to its length. */
    private List<Waiting<?>> together(Waiting<?> first, List<Waiting<?>> others, int share) {
        int length = first.row.length();
        int countMax = Math.min(share, BatchLimits.RUN_TEXTS);
        List<Waiting<?>> taken = new ArrayList<>();
        taken.add(first);
        boolean onlyEqual = runs.together() == TextRuns.Together.OF_EQUAL_LENGTH;
        others.sort(Comparator.comparingInt(each -> Math.abs(each.row.length() - length)));
        int longest = length;
        int sum = length;
        for (Waiting<?> each : others) {
            int next = Math.max(longest, each.row.length());
            int padded = next * (taken.size() + 1);
            if (taken.size() == countMax
                    || padded > tokensMax
                    || (onlyEqual && each.row.length() != length)
                    || padded - sum - each.row.length() > padded * BatchLimits.PADDING_SHARE) {
                break;
            }
            longest = next;
            sum += each.row.length();
            taken.add(each);
        }
        return taken;
    }

    /** Waits for the runs in progress. No call may be in progress. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            waiting.clear();
        } finally {
            lock.unlock();
        }
        threads.close();
    }
}
