package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.io.InputStream;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.crabro.ranking.onnx.threads.RunRequest;
import org.crabro.ranking.onnx.threads.ThreadLevels;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With MiniLM, quantised. */
class ModelSessionsTest {
    private static final String OUTPUT = "last_hidden_state";
    private static final ModelSettings TWO_LEVELS =
            new ModelSettings(2, 1, ExecutionMode.ADAPTIVE, true);

    @TempDir private static Path folder;

    private static Path model;

    @BeforeAll
    static void unpack() throws IOException {
        NativeLibraries.unpackInto(Path.of("target", "native"));
        model = folder.resolve("mini.onnx");
        try (InputStream bytes =
                Objects.requireNonNull(
                        ModelSessionsTest.class.getResourceAsStream("/all-minilm-l6-v2-q.onnx"))) {
            Files.copy(bytes, model);
        }
    }

    @Test
    void weightsOfAFileAreShared() {
        try (ModelWeights weights = ModelWeights.map(model)) {
            assertThat(weights.count()).isGreaterThan(20);
        }
    }

    @Test
    void sharedWeightsGiveTheSameResultsToTheLastBit() throws OrtException {
        float[] expected;
        try (OnnxModel fixed = OnnxModel.open(model, ModelSettings.sequential(1))) {
            expected = run(fixed);
            assertThat(fixed.loadedCount()).isEqualTo(1);
        }

        try (OnnxModel adaptive = OnnxModel.open(model, TWO_LEVELS)) {
            assertThat(run(adaptive)).containsExactly(expected);
            adaptive.loadAll();

            // More than an idle model needs to try each level.
            for (int i = 0; i < 12; i++) {
                assertThat(run(adaptive)).containsExactly(expected);
            }
        }
    }

    @Test
    void virtualThreadsRunModelsOnPlatformThreads() throws Exception {
        var threads = new CopyOnWriteArrayList<Boolean>();
        var results = new CopyOnWriteArrayList<String>();
        ModelSessions.Options options = OrtSession.SessionOptions::new;
        try (ModelSessions sessions =
                ModelSessions.open(model, TWO_LEVELS, ModelSessions.Place.CONTAINER, options)) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            results.add(
                                    sessions.run(
                                            1_000,
                                            RunDeadline.nanos(),
                                            _ -> {
                                                threads.add(Thread.currentThread().isVirtual());
                                                return "done";
                                            }));
                            String _ =
                                    sessions.run(
                                            1_000,
                                            RunDeadline.nanos(),
                                            _ -> {
                                                throw new OrtException("failed");
                                            });
                        } catch (OrtException e) {
                            results.add(String.valueOf(e.getMessage()));
                        }
                    })
                    .join();
        }

        assertThat(threads).containsExactly(false);
        assertThat(results).containsExactly("done", "failed");
    }

    @Test
    void listenersGetTheRunsOfAModel() {
        var events = new CopyOnWriteArrayList<String>();
        RunListener listener = listener(events);
        RunListeners.add(listener);
        try (OnnxModel adaptive = OnnxModel.open(model, TWO_LEVELS);
                OnnxModel fixed = OnnxModel.open(model, ModelSettings.sequential(1))) {
            run(adaptive);
            run(fixed);
        } finally {
            RunListeners.remove(listener);
        }

        assertThat(events)
                .containsExactly("mini arrived", "mini ended", "mini arrived", "mini ended");
    }

    @Test
    void aRunIsRejectedIfNoCoreIsFreeInTime() {
        var events = new CopyOnWriteArrayList<String>();
        RunListener listener = listener(events);
        ThreadLevels others = OnnxEnvironment.CORES.levels(1);
        List<RunRequest> running =
                IntStream.range(0, 2 * Runtime.getRuntime().availableProcessors())
                        .mapToObj(_ ->
                                OnnxEnvironment.CORES.enter(
                                        others, 1, System.nanoTime() + Long.MAX_VALUE / 2))
                        .toList();
        RunListeners.add(listener);
        try (OnnxModel adaptive = OnnxModel.open(model, TWO_LEVELS)) {
            assertThatExceptionOfType(ModelBusyException.class)
                    .isThrownBy(() ->
                            RunDeadline.within(System.nanoTime() + 1_000, () -> run(adaptive)))
                    .withMessage("no core was free for the model in time");
        } finally {
            RunListeners.remove(listener);
            running.forEach(each -> {
                var _ = OnnxEnvironment.CORES.exit(each, false);
            });
        }
        assertThat(events).containsExactly("mini arrived", "mini rejected");
    }

    private static RunListener listener(List<String> events) {
        return new RunListener() {
            @Override
            public void arrived(String model) {
                add(model, "arrived");
            }

            @Override
            public void ended(String model, int threads, long waitedNanos, long runNanos) {
                add(model, "ended");
            }

            @Override
            public void rejected(String model) {
                add(model, "rejected");
            }

            @Override
            public void notLoaded(String model, int threads, Exception reason) {
                add(model, "not loaded");
            }

            @Override
            public void notPrepared(String model, Exception reason) {
                add(model, "not prepared");
            }

            // Other tests may run models of other files.
            private void add(String model, String event) {
                if (model.equals("mini")) {
                    events.add(model + " " + event);
                }
            }
        };
    }

    private static float[] run(OnnxModel model) {
        long[] ids = {101, 7592, 2088, 102};
        long[] mask = {1, 1, 1, 1};
        FloatBuffer values =
                model.run(
                                Map.of(
                                        "input_ids",
                                        ids,
                                        "attention_mask",
                                        mask,
                                        "token_type_ids",
                                        new long[4]),
                                1,
                                OUTPUT)
                        .values();
        float[] cells = new float[values.remaining()];
        values.get(cells);
        return Arrays.copyOf(cells, cells.length);
    }
}
