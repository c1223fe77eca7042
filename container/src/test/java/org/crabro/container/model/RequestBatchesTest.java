package org.crabro.container.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.config.services.ModelApi.Batching;
import org.crabro.config.services.ModelApi.Format;
import org.crabro.config.services.ModelApi.PackagedModel;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.RequestMemory;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.ranking.onnx.RunDeadline;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Tensor;
import org.junit.jupiter.api.Test;

class RequestBatchesTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    /** The numbers of rows of each run. */
    private final List<Integer> runs = new CopyOnWriteArrayList<>();

    @Test
    void requestsAtOnceAreOneRun() throws Exception {
        var batches = new RequestBatches(this::twice, new Batching(3, LONG));

        assertThat(evaluate(batches, "[[1,2]]", "[[3,4],[5,6]]", "[[7,8]]"))
                .containsExactly(
                        "tensor(d0[1],d1[2]):[[2.0, 4.0]]",
                        "tensor(d0[2],d1[2]):[[6.0, 8.0], [10.0, 12.0]]",
                        "tensor(d0[1],d1[2]):[[14.0, 16.0]]");

        assertThat(runs).containsExactly(4);
    }

    @Test
    void aLoneRequestRunsAfterTheDelay() throws Exception {
        var batches = new RequestBatches(this::twice, new Batching(3, Duration.ofMillis(1)));

        assertThat(evaluate(batches, "[[1,2]]"))
                .containsExactly("tensor(d0[1],d1[2]):[[2.0, 4.0]]");

        assertThat(runs).containsExactly(1);
    }

    @Test
    void aFailureOfOneRequestIsNotThatOfTheOthers() throws Exception {
        var batches =
                new RequestBatches(
                        (inputs, _) -> {
                            DenseTensor input = inputs.getFirst();
                            for (int i = 0; i < input.size(); i++) {
                                if (input.cell(i) < 0) {
                                    throw new ModelFailedException("m", "negative");
                                }
                            }
                            return twice(inputs, 0);
                        },
                        new Batching(2, LONG));

        assertThat(evaluate(batches, "[[-1,2]]", "[[3,4]]"))
                .containsExactly(
                        "onnx-model 'm' failed: negative", "tensor(d0[1],d1[2]):[[6.0, 8.0]]");
    }

    @Test
    void allRequestsAreRejectedIfNoCoreIsFree() {
        var batches =
                new RequestBatches(
                        (_, _) -> {
                            throw new ModelBusyException("busy");
                        },
                        new Batching(1, LONG));

        assertThatExceptionOfType(ModelBusyException.class)
                .isThrownBy(() -> batches.evaluate(List.of(tensor("[[1,2]]")), 0))
                .withMessage("busy");
    }

    @Test
    void aRequestLeavesAtItsDeadlineIfItsRunHasNotStarted() throws Exception {
        var gate = new CountDownLatch(1);
        var batches =
                new RequestBatches(
                        (inputs, output) -> {
                            awaitOpen(gate);
                            return twice(inputs, output);
                        },
                        new Batching(2, Duration.ofMillis(1)));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> patient = threads.submit(() -> result(batches, "[[1,2]]"));

            assertThatExceptionOfType(ModelBusyException.class)
                    .isThrownBy(() ->
                            RunDeadline.within(
                                    System.nanoTime() + 10_000_000,
                                    () -> batches.evaluate(List.of(tensor("[[3,4]]")), 0)))
                    .withMessage("no core was free for the model in time");

            Thread closing = Thread.ofPlatform().start(batches::close);
            await().until(() -> closing.getState() == Thread.State.WAITING);
            gate.countDown();
            closing.join();
            assertThat(patient.get()).isEqualTo("tensor(d0[1],d1[2]):[[2.0, 4.0]]");
        }
    }

    @Test
    void aRequestThatIsTooLateIsNotEvaluated() {
        var batches = new RequestBatches(this::twice, new Batching(2, Duration.ofMillis(1)));

        assertThatExceptionOfType(ModelBusyException.class)
                .isThrownBy(() ->
                        RunDeadline.within(
                                System.nanoTime() - 1,
                                () -> batches.evaluate(List.of(tensor("[[3,4]]")), 0)));

        batches.close();
        assertThat(runs).isEmpty();
    }

    @Test
    void aBatchWaitsForACoreUntilTheLatestDeadlineOfItsRequests() throws Exception {
        var deadlines = new CopyOnWriteArrayList<Long>();
        var batches =
                new RequestBatches(
                        (inputs, output) -> {
                            deadlines.add(RunDeadline.nanos());
                            return twice(inputs, output);
                        },
                        new Batching(3, LONG));
        long now = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<Future<String>>();
            for (int hours : List.of(1, 3, 2)) {
                results.add(
                        threads.submit(() ->
                                RunDeadline.within(
                                        now + Duration.ofHours(hours).toNanos(),
                                        () -> result(batches, "[[1,2]]"))));
            }
            for (Future<String> each : results) {
                assertThat(each.get()).isEqualTo("tensor(d0[1],d1[2]):[[2.0, 4.0]]");
            }
        }

        assertThat(deadlines).containsExactly(now + Duration.ofHours(3).toNanos());
    }

    @Test
    void aModelGivesTheSameInABatch() throws Exception {
        Path file = Path.of("../ranking/src/test/resources/org/crabro/ranking/onnx/mlp.onnx");
        var rows = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            rows.add(Collections.nCopies(16, i + 0.5).toString());
        }
        try (ApplicationModels alone = models(file, Batching.NONE);
                ApplicationModels batched = models(file, new Batching(2, LONG));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Tensor>> results =
                    rows.stream().map(row -> threads.submit(() -> score(batched, row))).toList();

            for (int i = 0; i < 2; i++) {
                assertThat(results.get(i).get()).isEqualTo(score(alone, rows.get(i)));
            }
        }
    }

    @Test
    void refusesARequestWithoutMemoryForTheJoinedInputs() {
        var batches = new RequestBatches(this::twice, new Batching(3, LONG));
        DenseTensor input = DenseTensor.parse("tensor(d0[100000],d1[2]):{}");

        try (MemoryShare request = new RequestMemory(4 << 20).open()) {
            request.run(() ->
                    assertThatExceptionOfType(MemoryRefusedException.class)
                            .isThrownBy(() -> batches.evaluate(List.of(input), 0))
                            .matches(MemoryRefusedException::isTooLarge));
        }
        assertThat(runs).isEmpty();
    }

    private static ApplicationModels models(Path file, Batching batching) {
        return ApplicationModels.open(
                List.of(
                        new PackagedModel(
                                "mlp", file, Format.ONNX, ModelSettings.DEFAULT, batching)));
    }

    private static Tensor score(ApplicationModels models, String row) {
        return models.forComponents()
                .evaluatorOf("mlp")
                .bind("features", "[" + row + "]")
                .evaluate();
    }

    private DenseTensor twice(List<DenseTensor> inputs, int output) {
        assertThat(output).isZero();
        DenseTensor input = inputs.getFirst();
        var cells = new double[input.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = 2 * input.cell(i);
        }
        runs.add(cells.length / 2);
        return DenseTensor.of(input.type(), cells);
    }

    private static DenseTensor tensor(String rows) {
        int count = rows.split("],", -1).length;
        return DenseTensor.parse("tensor(d0[%d],d1[2]):%s".formatted(count, rows));
    }

    private static String result(RequestBatches batches, String request) {
        try {
            return batches.evaluate(List.of(tensor(request)), 0).toString();
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void awaitOpen(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<String> evaluate(RequestBatches batches, String... requests)
            throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var parts = new ArrayList<Future<String>>();
            for (String request : requests) {
                parts.add(threads.submit(() -> result(batches, request)));
            }
            var results = new ArrayList<String>();
            for (Future<String> part : parts) {
                results.add(part.get());
            }
            return results;
        }
    }
}
