package org.crabro.ranking.program;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntConsumer;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs report their work before they do it, so that a deadline can end them. */
class TensorWorkTest {
    /** Work reported in one step is at most about 20 ms. */
    private static final int LARGEST = 1 << 22;

    private static final Map<String, TensorData> FEATURES =
            Map.ofEntries(
                    entry("d", dense("tensor(x[1000],y[200])", 200_000)),
                    entry("v", dense("tensor(y[200],z[10])", 2_000)),
                    entry("f", dense("tensor<float>(x[1000],y[200])", 200_000)),
                    entry("b", dense("tensor<int8>(x[20000])", 20_000)),
                    entry("s", sparse("tensor(k{})", 1, 20_000, 1)),
                    entry("t", sparse("tensor(k{})", 1, 20_000, 1)),
                    entry("p", sparse("tensor(k{},l{})", 2, 20_000, 1)),
                    entry("m", sparse("tensor<float>(k{},x[20])", 1, 10_000, 20)),
                    entry("n", sparse("tensor<float>(q{},x[20])", 1, 500, 20)),
                    entry("l", sparse("tensor(l{})", 1, 100, 1)),
                    entry("j", sparse("tensor(j{})", 1, 1_000, 1)));

    private static TensorData dense(String type, int cells) {
        return TensorData.dense(
                TensorType.parse(type), new Random(1).doubles(cells, -9, 9).toArray());
    }

    private static TensorData sparse(String type, int mapped, int subspaces, int size) {
        var labels = new String[subspaces][];
        for (int i = 0; i < subspaces; i++) {
            labels[i] = mapped == 1 ? new String[] {"a" + i} : new String[] {"a" + i % 7, "b" + i};
        }
        return TensorData.mixed(
                TensorType.parse(type),
                labels,
                new Random(1).doubles((long) subspaces * size, -9, 9).toArray());
    }

    /** Counts units, and throws when there were enough. */
    private static final class Counter implements IntConsumer {
        private final long most;
        private long sum;
        private int largest;

        Counter(long most) {
            this.most = most;
        }

        @Override
        public void accept(int units) {
            sum += units;
            largest = Math.max(largest, units);
            if (sum > most) {
                throw new IllegalStateException("enough");
            }
        }
    }

    /** The units are those of the cells and subspaces that each operation goes through. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sum(d * f) | 200000",
                "sum(f * f) | 200000",
                "sum(sum(d * v, y)) | 2000000",
                "sum(map(d, f(a)(a * a))) | 200000",
                "sum(map(l, f(a)(sum(j * a)))) | 2000000",
                "sum(join(d, d, f(a,b)(a % b))) | 200000",
                "sum(s * t) | 640000",
                "sum(j * l) | 2000000",
                "sum(p * s) | 640000",
                "sum(merge(s, t, f(a,b)(a + b))) | 640000",
                "sum(reduce(p, sum, l)) | 640000",
                "reduce(d, median) | 3200000",
                "sum(concat(d, d, x)) | 400000",
                "sum(rename(p, k, j)) | 640000",
                "sum(m{k:a7}) | 320000",
                "sum(cell_order(d, max)) | 2000000",
                "sum(cell_cast(d, float)) | 200000",
                "sum(unpack_bits(b)) | 160000",
                "sum(map_subspaces(m, f(v)(sum(v)))) | 5000000",
                "sum(filter_subspaces(m, f(v)(sum(v) > 0))) | 5000000",
                "sum(tensor(i[200],j[200])(i * j + sum(l))) | 40000",
                "sum(tensor(i[20])(sum(d) * i)) | 200000",
                "sum(reduce(sum(n * m, x), max, k)) | 6250000",
            })
    void isReportedBeforeItIsDone(String text, long units) {
        Expression expression = ExpressionParser.parse(text);
        RankProgram program = RankProgram.compile(expression, TensorWorkTest::type);
        var whole = new Counter(Long.MAX_VALUE);
        program.evaluation(1, whole).tensor(values(program));

        assertThat(whole.sum).isGreaterThanOrEqualTo(units);
        assertThat(whole.largest).isLessThanOrEqualTo(LARGEST);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() ->
                        program.evaluation(1, new Counter(units / 2)).tensor(values(program)));
    }

    /** Many cells are not sorted for their median: the result is the same. */
    @ParameterizedTest
    @ValueSource(ints = {32_769, 32_770, 50_001})
    void medianOfManyCellsIsThatOfSortedOnes(int count) {
        var random = new Random(count);
        double[] cells = random.doubles(count, -1, 1).map(x -> Math.round(x * 100) / 0.3).toArray();
        cells[3] = Double.NEGATIVE_INFINITY;
        double[] sorted = cells.clone();
        Arrays.sort(sorted);
        TensorType type = TensorType.parse("tensor(x[%d])".formatted(count));
        double expected =
                count % 2 == 1
                        ? sorted[count / 2]
                        : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;

        assertThat(
                        Evaluated.of(
                                "reduce(c, median)",
                                Map.of("c", TensorData.dense(type, cells.clone()))))
                .isEqualTo(TensorData.number(expected));
        cells[7] = Double.NaN;
        assertThat(
                        Evaluated.of(
                                        "reduce(c, median)",
                                        Map.of("c", TensorData.dense(type, cells)))
                                .cells()[0])
                .isNaN();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"sum(sum(d * v, y)) | 2000000", "sum(j * l) | 2000000", "sum(d * f) | 200000"})
    void isReportedWhereConstantsAreComputed(String text, long units) {
        Expression expression =
                ExpressionParser.parse(text)
                        .replacing(feature ->
                                new TensorExpression.Value(
                                        Objects.requireNonNull(FEATURES.get(feature.toString()))));
        var whole = new Counter(Long.MAX_VALUE);
        RankProgram.compile(expression, TensorWorkTest::type, ModelRuns.none(), whole);

        assertThat(whole.sum).isGreaterThanOrEqualTo(units);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() ->
                        RankProgram.compile(
                                expression,
                                TensorWorkTest::type,
                                ModelRuns.none(),
                                new Counter(units / 2)));
    }

    private static TensorType type(Expression.Feature feature) {
        return Objects.requireNonNull(FEATURES.get(feature.toString())).type();
    }

    private static FeatureValues values(RankProgram program) {
        var given = new HashMap<Integer, TensorData>();
        List<Expression.Feature> features = program.features();
        for (int i = 0; i < features.size(); i++) {
            given.put(i, Objects.requireNonNull(FEATURES.get(features.get(i).toString())));
        }
        return new FeatureValues() {
            @Override
            public void read(int slot, double[] into, int count) {
                throw new IllegalStateException("slot " + slot + " is a tensor");
            }

            @Override
            public TensorData tensor(int slot, int row) {
                return Objects.requireNonNull(given.get(slot));
            }
        };
    }
}
