package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RankModelsTest {
    private static final RankModel TWICE =
            RankModelFiles.model("twice", "tensor<float>(d0[1],d1[2])");

    private final AtomicInteger loaded = new AtomicInteger();

    static Stream<String> expected() throws IOException {
        return Files.readAllLines(RankModelFiles.path("expected.csv")).stream();
    }

    /** Sums of floats differ in their last bits by the order in which they are added. */
    @ParameterizedTest
    @MethodSource("expected")
    void computesWhatNumPyDoes(String line) {
        String[] parts = line.split(",", -1);
        double[][] inputs = values(parts[1]);
        double[][] outputs = values(parts[2]);
        RankModel model =
                RankModelFiles.model(
                        parts[0],
                        Arrays.stream(inputs)
                                .map(input -> type(parts[0], input.length))
                                .toArray(String[]::new));
        RankModels models = RankModels.forContent(List.of(model), loaded);
        try (ModelRuns runs = models.begin().orElseThrow()) {
            double[][] computed = runs.once(model, List.of(inputs));

            for (int i = 0; i < outputs.length; i++) {
                assertThat(computed[i]).containsExactly(outputs[i], within(1e-5));
            }
            assertThat(computed).hasNumberOfRows(outputs.length);
        } finally {
            models.retire();
        }
    }

    private static double[][] values(String text) {
        return Arrays.stream(text.split("/"))
                .map(each -> Arrays.stream(each.split(" ")).mapToDouble(Double::parseDouble))
                .map(each -> each.toArray())
                .toArray(double[][]::new);
    }

    private static String type(String model, int size) {
        boolean isFlat =
                List.of("unsaid", "lookup", "lookups").contains(model)
                        || (model.equals("mixed") && size == 1);
        return isFlat || model.startsWith("same")
                ? "tensor(d0[%d])".formatted(size)
                : "tensor(d0[1],d1[%d])".formatted(size);
    }

    @Test
    void runsOnceForEqualInputs() {
        RankModels models = RankModels.forContent(List.of(TWICE), loaded);
        try (ModelRuns runs = models.begin().orElseThrow()) {
            double[][] first = runs.once(TWICE, List.of(new double[] {1, 2}));

            assertThat(runs.once(TWICE, List.of(new double[] {1, 2}))).isSameAs(first);
            assertThat(runs.count()).isEqualTo(1);
            assertThat(runs.once(TWICE, List.of(new double[] {1, 3}))[0]).containsExactly(2, 6);
            assertThat(runs.count()).isEqualTo(2);
        } finally {
            models.retire();
        }
    }

    @Test
    void loadsAFileOnceForInputsOfAllSizes() {
        RankModel three = RankModelFiles.model("pair", "tensor(a[1],b[3])", "tensor(a[1],b[3])");
        RankModel four = RankModelFiles.model("pair", "tensor(a[1],b[4])", "tensor(a[1],b[4])");

        RankModels models = RankModels.forContent(List.of(three, four, three), loaded);

        assertThat(loaded).hasValue(1);
        models.retire();
    }

    /** The loop goes on for 2^62 steps. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endsARunAtTheDeadline(boolean isContainer) {
        RankModel model = RankModelFiles.model("endless", "tensor<float>(d0[1])");
        RankModels models =
                isContainer
                        ? RankModels.forContainer(List.of(model), loaded)
                        : RankModels.forContent(List.of(model), loaded);
        try (ModelRuns runs = models.begin(System.nanoTime() + 50_000_000).orElseThrow()) {
            assertThatExceptionOfType(ModelBusyException.class)
                    .isThrownBy(() -> runs.once(model, List.of(new double[] {1})))
                    .withMessage("onnx-model 'endless' was ended at the deadline of the request");
        }
        models.retire();
    }

    @Test
    void closesModelsWhenTheLastQueryHasEnded() {
        RankModels models = RankModels.forContent(List.of(TWICE), loaded);
        ModelRuns first = models.begin().orElseThrow();
        ModelRuns second = models.begin().orElseThrow();

        models.retire();
        assertThat(models.begin()).isPresent().hasValueSatisfying(ModelRuns::close);
        first.close();
        assertThat(second.once(TWICE, List.of(new double[] {1, 2}))[0]).containsExactly(2, 4);
        assertThat(loaded).hasValue(1);
        second.close();

        assertThat(loaded).hasValue(0);
        assertThat(models.begin()).isEmpty();
    }

    @Test
    void closesWhatWasLoadedWhereOneCannotBe() {
        RankModel broken =
                new RankModel(
                        "broken",
                        RankModelFiles.path("unknown-operation.onnx"),
                        ModelSettings.DEFAULT,
                        TWICE.inputs(),
                        TWICE.outputs(),
                        false);

        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> RankModels.forContent(List.of(TWICE, broken), loaded))
                .withMessageContaining("NoSuchThing");
        assertThat(loaded).hasValue(0);
    }

    @Test
    void reportsWhatAModelCannotCompute() {
        RankModel lookup = RankModelFiles.model("lookup", "tensor(d0[1])");
        RankModels models = RankModels.forContent(List.of(lookup), loaded);
        try (ModelRuns runs = models.begin().orElseThrow()) {
            ModelRun run = runs.start(lookup, Set.of(0));
            run.input(0, 0, new double[] {4}, 1);

            assertThatExceptionOfType(ModelFailedException.class)
                    .isThrownBy(() -> run.run(1))
                    .withMessageStartingWith("onnx-model 'lookup' failed: ")
                    .withMessageContaining("out of data bounds");

            double[] row = new double[3];
            run.input(0, 0, new double[] {3}, 1);
            run.run(1);
            run.output(0, 0, row, 1);
            assertThat(row).containsExactly(0, 6, 7);
        } finally {
            models.retire();
        }
    }

    /** Rows computed in one call give the results of single rows, to the last bit. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    mlp; tensor(d0[1],d1[16]); ; 64
                    mlp; tensor(d0[2],d1[16]); ; 1
                    twice; tensor(d0[1],d1[2]); ; 1
                    pair; tensor(d0[1],d1[2]); tensor(d0[1],d1[2]); 1
                    mixed; tensor(d0[1]); tensor(d0[1],d1[4]); 1
                    centered; tensor(d0[1],d1[2]); ; 1
                    lookups; tensor(d0[1]); ; 1
                    """)
    void computesRowsAtOnceWhereEachIsAsAlone(String name, String one, String other, int rows) {
        RankModel model =
                other == null
                        ? RankModelFiles.model(name, one)
                        : RankModelFiles.model(name, one, other);
        RankModels models = RankModels.forContent(List.of(model), loaded);
        try (ModelRuns runs = models.begin().orElseThrow()) {
            assertThat(runs.start(model, Set.of(0)).rows()).isEqualTo(rows);
        } finally {
            models.retire();
        }
    }

    @Test
    void readsOnlyTheCellsOfAnInput() {
        RankModels models = RankModels.forContent(List.of(TWICE), loaded);
        try (ModelRuns runs = models.begin().orElseThrow()) {
            ModelRun run = runs.start(TWICE, Set.of(0));

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> run.input(0, 0, new double[3], 3))
                    .withMessage("3 cells for input 'x' of onnx-model 'twice', which takes 2");
        } finally {
            models.retire();
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsAsSettingsSay(ExecutionMode mode) {
        RankModel model =
                new RankModel(
                        "twice",
                        TWICE.file(),
                        new ModelSettings(2, 2, mode, false),
                        TWICE.inputs(),
                        TWICE.outputs(),
                        false);
        RankModels models = RankModels.forContainer(List.of(model), loaded);
        try (ModelRuns runs = models.begin().orElseThrow()) {
            assertThat(runs.once(model, List.of(new double[] {1, 2}))[0]).containsExactly(2, 4);
        } finally {
            models.retire();
        }
    }

    @Test
    void runsForManyThreadsAtOnce() {
        RankModel pair = RankModelFiles.model("pair", "tensor(a[1],b[2])", "tensor(a[1],b[2])");
        RankModels models = RankModels.forContent(List.of(pair), loaded);
        try (ModelRuns runs = models.begin().orElseThrow()) {
            double[] dots =
                    IntStream.range(0, 200)
                            .parallel()
                            .mapToDouble(i -> {
                                ModelRun run = runs.start(pair, Set.of(1));
                                double[] dot = new double[1];
                                run.input(0, 0, new double[] {i, 1}, 2);
                                run.input(1, 0, new double[] {2, i}, 2);
                                run.run(1);
                                run.output(1, 0, dot, 0);
                                return dot[0];
                            })
                            .toArray();

            assertThat(dots)
                    .containsExactly(IntStream.range(0, 200).mapToDouble(i -> 3.0 * i).toArray());
        } finally {
            models.retire();
        }
    }
}
