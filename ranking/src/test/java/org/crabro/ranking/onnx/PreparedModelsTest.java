package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** With MiniLM, quantised. Only Linux describes the processor. */
@EnabledOnOs(OS.LINUX)
class PreparedModelsTest {
    private static final ModelSessions.Options OPTIONS = SessionOptions::new;
    private static final long MUCH = 1L << 40;

    /** A text in a model that has no effect: a field of the format, and its length. */
    private static final byte[] REMARK = {6 << 3 | 2, 1, 'x'};

    @TempDir private static Path models;

    private static Path model;
    private static Path other;

    @TempDir private Path temporary;
    private Path folder;

    @BeforeAll
    static void unpack() throws IOException {
        NativeLibraries.unpackInto(Path.of("target", "native"));
        model = models.resolve("mini.onnx");
        try (InputStream bytes =
                Objects.requireNonNull(
                        PreparedModelsTest.class.getResourceAsStream("/all-minilm-l6-v2-q.onnx"))) {
            Files.copy(bytes, model);
        }
        other = Files.copy(model, models.resolve("other.onnx"));
        Files.write(other, REMARK, StandardOpenOption.APPEND);
    }

    @BeforeEach
    void choose() {
        folder = temporary.resolve("copies");
    }

    @Test
    void copiesGiveTheSameResultsToTheLastBit() throws Exception {
        float[] expected;
        Set<String> inputs;
        try (var options = new SessionOptions();
                OrtSession session =
                        OnnxEnvironment.SHARED.createSession(model.toString(), options)) {
            expected = run(session);
            inputs = session.getInputNames();
        }

        try (PreparedModels.Copy copy = copy(PreparedModels.in(folder, MUCH), model)) {
            for (int threads : new int[] {1, 2}) {
                try (var options = new SessionOptions()) {
                    options.setIntraOpNumThreads(threads);
                    try (OrtSession session = copy.load(options)) {
                        assertThat(run(session)).containsExactly(expected);
                        assertThat(session.getInputNames()).isEqualTo(inputs);
                    }
                }
            }
        }
    }

    @Test
    void copiesAreMadeOnceAndUsedAfterARestart() throws Exception {
        PreparedModels before = PreparedModels.in(folder, MUCH);
        copy(before, model).close();
        List<Path> made = files();

        copy(before, model).close();
        copy(PreparedModels.in(folder, MUCH), model).close();

        assertThat(files()).hasSize(2).containsExactlyElementsOf(made);
        assertThat(modified(made)).isEqualTo(modified(files()));
    }

    @Test
    void modelsAndProcessorsHaveTheirOwnCopies() throws IOException {
        List<String> processor = List.of("processor : 0", "flags\t: avx avx2", "cpu MHz : 2000");

        Optional<String> name = PreparedName.of(model, processor);

        assertThat(PreparedName.of(model, List.of("flags\t: avx avx2", "cpu MHz : 2900")))
                .isEqualTo(name);
        assertThat(PreparedName.of(model, List.of("flags\t: avx"))).isPresent().isNotEqualTo(name);
        assertThat(PreparedName.of(other, processor)).isPresent().isNotEqualTo(name);
        assertThat(PreparedName.of(model, List.of("processor : 0"))).isEmpty();
    }

    @Test
    void theCopyThatIsUnusedForLongestMakesRoom() throws Exception {
        PreparedModels copies = PreparedModels.in(folder, 4 * Files.size(model));
        PreparedModels.Copy first = copy(copies, model);

        assertThat(copies.of(other, OPTIONS)).isEmpty();

        first.close();
        copy(copies, other).close();
        assertThat(files()).hasSize(2);
        copy(copies, model).close();
        assertThat(files()).hasSize(2);
    }

    @Test
    void startsRemoveIncompleteAndUnusedCopies() throws Exception {
        copy(PreparedModels.in(folder, MUCH), model).close();
        Path unused = Files.createDirectory(folder.resolve("unused"));
        Files.writeString(unused.resolve("weights"), "w");
        Files.setLastModifiedTime(unused, FileTime.from(Instant.now().minus(Duration.ofDays(31))));
        Path incomplete = Files.createDirectory(folder.resolve("incomplete.part"));
        Files.writeString(incomplete.resolve("weights"), "w");

        PreparedModels.in(folder, MUCH);

        assertThat(unused).doesNotExist();
        assertThat(incomplete).doesNotExist();
        assertThat(files()).hasSize(2);
    }

    @Test
    void smallModelsHaveNoCopy() throws Exception {
        Path small = temporary.resolve("small.onnx");
        Files.write(small, new byte[1_000]);

        assertThat(PreparedModels.in(folder, MUCH).of(small, OPTIONS)).isEmpty();
        assertThat(files()).isEmpty();
    }

    @Test
    void modelsRunWithoutACopyThatCannotBeWritten() throws Exception {
        PreparedModels copies = PreparedModels.in(folder, MUCH);
        Files.delete(folder);
        var events = new ArrayList<String>();
        RunListener listener = new NotPrepared(events);
        RunListeners.add(listener);
        try (SessionSource source = SessionSource.of(model, Optional.of(copies), true, OPTIONS);
                var options = new SessionOptions();
                OrtSession session = source.load(options)) {
            assertThat(source).isInstanceOf(ModelWeights.class);
            assertThat(run(session)).isNotEmpty();
        } finally {
            RunListeners.remove(listener);
        }
        assertThat(events).containsExactly("mini");
    }

    @Test
    void brokenModelsLeaveNothingInTheFolder() throws Exception {
        Path broken = temporary.resolve("broken.onnx");
        byte[] bytes = Files.readAllBytes(model);
        // The end of the graph is missing.
        Files.write(broken, Arrays.copyOf(bytes, bytes.length - 100));
        PreparedModels copies = PreparedModels.in(folder, MUCH);

        assertThatThrownBy(() -> copies.of(broken, OPTIONS))
                .isInstanceOf(InvalidModelException.class);

        assertThat(files()).isEmpty();
    }

    /** Notes which models get no copy. */
    private record NotPrepared(List<String> models) implements RunListener {
        @Override
        public void arrived(String model) {}

        @Override
        public void ended(String model, int threads, long waitedNanos, long runNanos) {}

        @Override
        public void rejected(String model) {}

        @Override
        public void notLoaded(String model, int threads, Exception reason) {}

        @Override
        public void notPrepared(String model, Exception reason) {
            models.add(model);
        }
    }

    private static PreparedModels.Copy copy(PreparedModels copies, Path model) throws Exception {
        return copies.of(model, OPTIONS).orElseThrow();
    }

    /** Returns the files of all copies. */
    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<FileTime> modified(List<Path> files) throws IOException {
        var times = new ArrayList<FileTime>();
        for (Path each : files) {
            times.add(Files.getLastModifiedTime(each));
        }
        return times;
    }

    private static float[] run(OrtSession session) throws OrtException {
        long[] ids = {101, 7592, 2088, 102};
        long[] shape = {1, ids.length};
        try (OnnxTensor words = tensor(ids, shape);
                OnnxTensor mask = tensor(new long[] {1, 1, 1, 1}, shape);
                OnnxTensor types = tensor(new long[ids.length], shape);
                OrtSession.Result result =
                        session.run(
                                Map.of(
                                        "input_ids",
                                        words,
                                        "attention_mask",
                                        mask,
                                        "token_type_ids",
                                        types),
                                Set.of("last_hidden_state"))) {
            FloatBuffer values = ((OnnxTensor) result.get(0)).getFloatBuffer();
            var cells = new float[values.remaining()];
            values.get(cells);
            return cells;
        }
    }

    private static OnnxTensor tensor(long[] values, long[] shape) throws OrtException {
        return OnnxTensor.createTensor(OnnxEnvironment.SHARED, LongBuffer.wrap(values), shape);
    }
}
