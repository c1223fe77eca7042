package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.crabro.ranking.onnx.Embedder.Target;
import org.crabro.ranking.onnx.EmbeddingRefusedException.Reason;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With a model whose value for a text is the sum of its tokens. */
class BatchedRunsTest {
    private static final TensorType TYPE = TensorType.parse("tensor<float>(x[1])");
    private static final long UNKNOWN_TOKEN = -1;

    private final ExecutorService callers = Executors.newCachedThreadPool();

    /** The lengths of the texts of each run. */
    private final List<List<Integer>> runs = Collections.synchronizedList(new ArrayList<>());

    /** The deadline of each run. */
    private final List<Long> deadlines = Collections.synchronizedList(new ArrayList<>());

    /** Ends runs of texts with several tokens. */
    private volatile Optional<RuntimeException> failure = Optional.empty();

    /** Runs of the model wait for it. */
    private volatile CountDownLatch gate = new CountDownLatch(0);

    @AfterEach
    void stop() {
        gate.countDown();
        callers.close();
    }

    @Test
    void runsALoneTextAtOnce() {
        try (BatchedRuns batched = batched(1)) {
            assertThat(run(batched, Purpose.DOCUMENT, row(3, 5))).containsExactly(15.0);
            assertThat(run(batched, Purpose.DOCUMENT, row(2, 1))).containsExactly(2.0);
            assertThat(runs).containsExactly(List.of(3), List.of(2));
        }
    }

    @Test
    void runsTextsTogetherThatWaitedForTheModel() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            List<Future<List<Double>>> others = new ArrayList<>();
            for (int i = 1; i <= 10; i++) {
                others.add(start(batched, Purpose.DOCUMENT, row(4, i)));
                awaitWaiting(batched, i);
            }

            gate.countDown();

            assertThat(first.get()).containsExactly(1.0);
            for (int i = 1; i <= 10; i++) {
                assertThat(others.get(i - 1).get()).containsExactly(4.0 * i);
            }
            assertThat(runs).containsExactly(List.of(1), Collections.nCopies(10, 4));
        }
    }

    @Test
    void runsTextsOfSimilarLengthTogether() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            Future<List<Double>> others =
                    start(
                            batched,
                            Purpose.DOCUMENT,
                            row(20, 1),
                            row(100, 1),
                            row(19, 1),
                            row(99, 1),
                            row(21, 1));
            awaitWaiting(batched, 5);

            gate.countDown();

            assertThat(others.get()).containsExactly(20.0, 100.0, 19.0, 99.0, 21.0);
            assertThat(first.get()).isNotEmpty();
            assertThat(runs).containsExactly(List.of(1), List.of(20, 19, 21), List.of(100, 99));
        }
    }

    @Test
    void boundsTheTextsAndTheTokensOfARun() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            Future<List<Double>> shortTexts =
                    start(batched, Purpose.DOCUMENT, Collections.nCopies(150, row(2, 1)));
            awaitWaiting(batched, 150);
            Future<List<Double>> longTexts =
                    start(batched, Purpose.DOCUMENT, Collections.nCopies(5, row(500, 1)));
            awaitWaiting(batched, 155);

            gate.countDown();

            assertThat(shortTexts.get()).hasSize(150);
            assertThat(longTexts.get()).hasSize(5);
            assertThat(first.get()).isNotEmpty();
            assertThat(runs.stream().map(List::size)).containsExactly(1, 64, 64, 22, 2, 2, 1);
        }
    }

    @Test
    void boundsTheBytesOfTheOutput() throws Exception {
        try (var batched = new BatchedRuns(tried(1), 1, BatchLimits.OUTPUT_BYTES / 10)) {
            Future<List<Double>> first = blocking(batched);
            Future<List<Double>> others =
                    start(batched, Purpose.DOCUMENT, Collections.nCopies(5, row(5, 1)));
            awaitWaiting(batched, 5);

            gate.countDown();

            assertThat(others.get()).hasSize(5);
            assertThat(first.get()).isNotEmpty();
            assertThat(runs.stream().map(List::size)).containsExactly(1, 2, 2, 1);
        }
    }

    @Test
    void runsQueriesBeforeDocuments() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            Future<List<Double>> documents =
                    start(batched, Purpose.DOCUMENT, Collections.nCopies(3, row(4, 1)));
            awaitWaiting(batched, 3);
            Future<List<Double>> query = start(batched, Purpose.QUERY, row(5, 1));
            awaitWaiting(batched, 4);

            gate.countDown();

            assertThat(query.get()).containsExactly(5.0);
            assertThat(documents.get()).hasSize(3);
            assertThat(first.get()).isNotEmpty();
            assertThat(runs).containsExactly(List.of(1), List.of(5), List.of(4, 4, 4));
        }
    }

    @Test
    void sharesTheTextsOfACallAmongIdleThreads() {
        try (BatchedRuns batched = batched(4)) {
            gate = new CountDownLatch(1);
            Future<List<Double>> call =
                    start(batched, Purpose.DOCUMENT, Collections.nCopies(16, row(4, 1)));
            await().until(() -> runs.size() == 4);

            gate.countDown();

            await().until(call::isDone);
            assertThat(runs.stream().map(List::size)).containsExactly(4, 4, 4, 4);
        }
    }

    @Test
    void runsUnequalTextsAloneIfTheModelMixesThem() throws Exception {
        TextRuns alone = new TextRuns(this::sums, "alone", true);
        try (var batched = new BatchedRuns(alone, 1, 4)) {
            Future<List<Double>> first = blocking(batched);
            Future<List<Double>> others =
                    start(batched, Purpose.DOCUMENT, Collections.nCopies(3, row(4, 1)));
            awaitWaiting(batched, 3);

            gate.countDown();

            assertThat(others.get()).hasSize(3);
            assertThat(first.get()).isNotEmpty();
            assertThat(runs).containsExactly(List.of(1), List.of(4), List.of(4), List.of(4));
        }
    }

    @Test
    void refusesTextsBeyondTheBoundOfWaitingTexts() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            List<Future<List<Double>>> waiting = new ArrayList<>();
            int calls = BatchLimits.WAITING_TEXTS / BatchLimits.CALL_TEXTS;
            for (int i = 0; i < calls; i++) {
                waiting.add(
                        start(
                                batched,
                                Purpose.DOCUMENT,
                                Collections.nCopies(BatchLimits.CALL_TEXTS, row(2, 1))));
            }
            awaitWaiting(batched, BatchLimits.WAITING_TEXTS);

            assertThatExceptionOfType(EmbeddingRefusedException.class)
                    .isThrownBy(() -> run(batched, Purpose.DOCUMENT, row(2, 1)))
                    .withMessage("4096 texts wait for the model of the embedder, at most 4096")
                    .extracting(EmbeddingRefusedException::reason)
                    .isEqualTo(Reason.OVERLOADED);

            gate.countDown();
            assertThat(first.get()).isNotEmpty();
            for (Future<List<Double>> call : waiting) {
                assertThat(call.get()).hasSize(BatchLimits.CALL_TEXTS);
            }
        }
    }

    @Test
    void endsACallAtItsDeadlineWhileTheModelRuns() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            var soon = new Target(Purpose.DOCUMENT, TYPE, Duration.ofMillis(1));

            assertThatExceptionOfType(EmbeddingRefusedException.class)
                    .isThrownBy(() -> batched.run(List.of(row(7, 1)), soon, BatchedRunsTest::sum))
                    .withMessage("the embedding was not computed in time")
                    .extracting(EmbeddingRefusedException::reason)
                    .isEqualTo(Reason.TIMED_OUT);

            gate.countDown();
            assertThat(first.get()).isNotEmpty();
            assertThat(run(batched, Purpose.DOCUMENT, row(2, 1))).containsExactly(2.0);
            assertThat(runs).as("the late text is not run").containsExactly(List.of(1), List.of(2));
        }
    }

    @Test
    void aRunWaitsForACoreUntilTheLatestDeadlineOfItsTexts() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            long before = System.nanoTime();
            Future<List<Double>> soon = start(batched, Duration.ofHours(1));
            awaitWaiting(batched, 1);
            Future<List<Double>> late = start(batched, Duration.ofHours(3));
            awaitWaiting(batched, 2);
            Future<List<Double>> next = start(batched, Duration.ofHours(2));
            awaitWaiting(batched, 3);
            long after = System.nanoTime();

            gate.countDown();

            for (Future<List<Double>> each : List.of(first, soon, late, next)) {
                assertThat(each.get()).isNotEmpty();
            }
            assertThat(runs).containsExactly(List.of(1), List.of(4, 4, 4));
            long threeHours = Duration.ofHours(3).toNanos();
            assertThat(deadlines.getLast()).isBetween(before + threeHours, after + threeHours);
        }
    }

    @Test
    void failsAllTextsOfARunThatGetsNoCore() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            Future<List<Double>> one = start(batched, Purpose.DOCUMENT, row(4, 1));
            Future<List<Double>> other = start(batched, Purpose.DOCUMENT, row(4, 2));
            awaitWaiting(batched, 2);
            failure = Optional.of(new ModelBusyException("1024 model runs wait already"));

            gate.countDown();

            for (Future<List<Double>> each : List.of(one, other)) {
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(each::get)
                        .havingCause()
                        .isInstanceOf(ModelBusyException.class);
            }
            assertThat(first.get()).isNotEmpty();
            assertThat(runs).containsExactly(List.of(1), List.of(4, 4));
        }
    }

    @Test
    void dropsTextsFromALaterRunWhoseCallersHaveLeft() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            Future<List<Double>> good = start(batched, Purpose.DOCUMENT, row(4, 1));
            awaitWaiting(batched, 1);
            Thread leaving =
                    Thread.ofVirtual()
                            .start(() -> {
                                assertThatExceptionOfType(EmbeddingRefusedException.class)
                                        .isThrownBy(() ->
                                                run(
                                                        batched,
                                                        Purpose.DOCUMENT,
                                                        row(4, UNKNOWN_TOKEN)));
                            });
            awaitWaiting(batched, 2);
            CountDownLatch firstRun = gate;
            gate = new CountDownLatch(1);
            firstRun.countDown();
            await().until(() -> runs.size() == 2);

            leaving.interrupt();
            leaving.join();
            gate.countDown();

            assertThat(good.get()).containsExactly(4.0);
            assertThat(first.get()).isNotEmpty();
            assertThat(runs)
                    .as("the run of both fails, and one is run again")
                    .containsExactly(List.of(1), List.of(4, 4), List.of(4));
        }
    }

    @Test
    void aDefectOfTheModelEndsItsCallAndNoOther() {
        try (BatchedRuns batched =
                new BatchedRuns(new TextRuns(_ -> brokenOnce(), "b", false), 1, 4)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> run(batched, Purpose.DOCUMENT, row(1, 1)))
                    .withCauseInstanceOf(LinkageError.class);

            assertThat(run(batched, Purpose.DOCUMENT, row(1, 1))).containsExactly(7.0);
        }
    }

    private List<OnnxModel.Output> brokenOnce() {
        runs.add(List.of());
        if (runs.size() == 1) {
            throw new LinkageError("no such library");
        }
        return List.of(new OnnxModel.Output(FloatBuffer.wrap(new float[] {7}), 3, 1));
    }

    @Test
    void failsOnlyTheTextThatTheModelCannotCompute() throws Exception {
        try (BatchedRuns batched = batched(1)) {
            Future<List<Double>> first = blocking(batched);
            Future<List<Double>> good = start(batched, Purpose.DOCUMENT, row(4, 1));
            awaitWaiting(batched, 1);
            Future<List<Double>> bad = start(batched, Purpose.DOCUMENT, row(4, UNKNOWN_TOKEN));
            awaitWaiting(batched, 2);

            gate.countDown();

            assertThat(good.get()).containsExactly(4.0);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(bad::get)
                    .havingCause()
                    .withMessage("no such token");
            assertThat(first.get()).isNotEmpty();
        }
    }

    @Test
    void failsACallWhoseOutputCannotBeRead() {
        try (BatchedRuns batched = batched(2)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            batched.run(
                                    Collections.nCopies(8, row(1, 1)),
                                    new Target(Purpose.DOCUMENT, TYPE, Target.NO_TIMEOUT),
                                    (_, _) -> {
                                        throw new IllegalArgumentException("unfit");
                                    }))
                    .withMessage("unfit");
        }
    }

    @Test
    void rejectsCallsAfterItsClose() {
        BatchedRuns batched = batched(1);
        batched.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> run(batched, Purpose.DOCUMENT, row(1, 1)));
    }

    @Test
    void givesEachCallItsOwnResults() throws Exception {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        try (BatchedRuns batched = batched(3)) {
            List<List<TextRow>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(
                        IntStream.range(0, 1 + random.nextInt(9))
                                .mapToObj(_ -> row(1 + random.nextInt(60), 1 + random.nextInt(99)))
                                .toList());
            }
            List<Future<List<Double>>> results =
                    calls.stream().map(each -> start(batched, Purpose.DOCUMENT, each)).toList();
            for (int i = 0; i < calls.size(); i++) {
                assertThat(results.get(i).get(1, TimeUnit.MINUTES))
                        .as("seed %d", seed)
                        .isEqualTo(
                                calls.get(i).stream()
                                        .map(row -> (double) row.ids()[0] * row.length())
                                        .toList());
            }
        }
    }

    /** Returns runs whose model has passed its trials. */
    private BatchedRuns batched(int threads) {
        return new BatchedRuns(tried(threads), threads, 4);
    }

    private TextRuns tried(int threads) {
        assertThat(threads).isPositive();
        var tried = new TextRuns(this::sums, "sums", false);
        for (int i = 0; i < 3; i++) {
            tried.run(List.of(row(2, 1), row(3, 1)));
        }
        runs.clear();
        return tried;
    }

    /** Starts a call that blocks the model until the gate is opened. */
    private Future<List<Double>> blocking(BatchedRuns batched) {
        gate = new CountDownLatch(1);
        Future<List<Double>> call = start(batched, Purpose.DOCUMENT, row(1, 1));
        await().until(() -> runs.size() == 1);
        return call;
    }

    private static void awaitWaiting(BatchedRuns batched, int count) {
        await().until(() -> batched.waitingTexts() == count);
    }

    private Future<List<Double>> start(BatchedRuns batched, Purpose purpose, TextRow... rows) {
        return start(batched, purpose, List.of(rows));
    }

    private Future<List<Double>> start(BatchedRuns batched, Purpose purpose, List<TextRow> rows) {
        return callers.submit(() -> run(batched, purpose, rows));
    }

    private Future<List<Double>> start(BatchedRuns batched, Duration timeout) {
        var target = new Target(Purpose.DOCUMENT, TYPE, timeout);
        return callers.submit(() -> batched.run(List.of(row(4, 1)), target, BatchedRunsTest::sum));
    }

    private static List<Double> run(BatchedRuns batched, Purpose purpose, TextRow... rows) {
        return run(batched, purpose, List.of(rows));
    }

    private static List<Double> run(BatchedRuns batched, Purpose purpose, List<TextRow> rows) {
        return batched.run(
                rows, new Target(purpose, TYPE, Target.NO_TIMEOUT), BatchedRunsTest::sum);
    }

    private static double sum(TextRow row, OnnxModel.Output output) {
        assertThat(output.values().limit()).isGreaterThanOrEqualTo(row.length());
        double sum = 0;
        for (int i = 0; i < row.length(); i++) {
            sum += output.values().get(i);
        }
        return sum;
    }

    private List<OnnxModel.Output> sums(List<TextRow> rows) {
        CountDownLatch awaited = gate;
        deadlines.add(RunDeadline.nanos());
        runs.add(rows.stream().map(TextRow::length).toList());
        try {
            awaited.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (failure.isPresent() && rows.getFirst().length() > 1) {
            throw failure.get();
        }
        int length = rows.stream().mapToInt(TextRow::length).max().orElse(0);
        var values = FloatBuffer.allocate(rows.size() * length);
        for (int i = 0; i < rows.size(); i++) {
            for (int token = 0; token < rows.get(i).length(); token++) {
                if (rows.get(i).ids()[token] == UNKNOWN_TOKEN) {
                    throw new IllegalStateException("no such token");
                }
                values.put(i * length + token, (float) rows.get(i).ids()[token]);
            }
        }
        var all = new OnnxModel.Output(values, 3, 1);
        return IntStream.range(0, rows.size()).mapToObj(i -> all.row(i, rows.size())).toList();
    }

    private static TextRow row(int length, long token) {
        long[] ids = new long[length];
        long[] mask = new long[length];
        Arrays.fill(ids, token);
        Arrays.fill(mask, 1);
        return new TextRow(ids, mask, new long[length]);
    }
}
