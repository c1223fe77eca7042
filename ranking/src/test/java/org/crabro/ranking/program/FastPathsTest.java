package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.tensor.TensorBuilder;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each fast path is taken, and gives the result of the computation with intermediate tensors. */
class FastPathsTest {
    private static final long SEED = Long.getLong("crabro.seed", new Random().nextLong());

    private final Random random = new Random(SEED);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sum(a * b) | x[37] | x[37] | sum of products",
                "sum(b * b) | x[9] | x[33] | sum of products",
                "sum(l2_normalize(b, x) * b) + sum(a * b) | x[33] | x[33] | sum of products",
                "reduce(join(a, b, f(p,q)(p * q)), sum, x) | x[5] | x[5] | sum of products",
                "sum(a * b) | x[8] | x[8],y[3] | sum of products",
                "sum(sum(a * b, x)) | x[8],y[2] | x[8],z[3] | sum of products",
                "sum(matmul(a, b, x) * 2) | x[8],y[2] | x[8],z[3] | sum of products",
                "sum(a * b * b) | x[8] | x[8] | sum of products",
                "sum(a * b) | k{} | k{} | sparse sum of products",
                "sum(b * a) | k{},l{} | k{},l{} | sparse sum of products",
                "sum(reduce(sum(a * b, x), max, p)) | t{},x[9] | p{},x[9] | largest sum",
                "sum(reduce(sum(a * b, x), max, t)) | t{},x[9] | p{},x[9] | largest sum",
                "sum(reduce(sum(a * b, x), max, p), t) | t[4],x[9] | p{},x[9] | largest sum",
                "sum(reduce(matmul(a, b, x), max, p)) | t{},x[9] | o{},p{},x[9] | reduce",
                "sum(reduce(sum(a * b, x), max, o, p)) | t{},x[9] | o{},p{},x[9] | largest sum",
                "sum(reduce(sum(a * unpack_bits(b), x), max, p)) | t{},x[16] | p{},x[2] | largest sum",
                "sum(reduce(sum(unpack_bits(b, float, little) * a, x), max, o, p)) | t[5],x[16] |"
                        + " o{},p{},x[2] | largest sum",
                "sum(hamming(a, b)) | x[13] | x[13] | differing bits",
                "sum(a * unpack_bits(b)) | x[64] | x[8] | sum of bits",
                "sum(unpack_bits(b, int8, little) * a) | x[64] | x[8] | sum of bits",
            })
    void givesWhatTheTensorsInBetweenGive(
            String text, String left, String right, String operation) {
        boolean hasBits = text.contains("hamming") || text.contains("unpack");
        for (int round = 0; round < 50; round++) {
            TensorData a = tensor(left, hasBits && right.equals(left));
            TensorData b = tensor(right, hasBits);
            for (boolean isConstant : new boolean[] {true, false}) {
                Map<String, TensorData> features = new HashMap<>(Map.of("a", a, "b", b));
                Expression expression =
                        ExpressionParser.parse(text)
                                .replacing(feature ->
                                        isConstant && feature.name().equals("a")
                                                ? new TensorExpression.Value(a)
                                                : feature);
                Function<Expression.Feature, TensorType> types =
                        feature -> Objects.requireNonNull(features.get(feature.name())).type();
                RankProgram fast = RankProgram.compile(expression, types);
                double expected =
                        Evaluated.of(RankProgram.compilePlainly(expression, types), features)
                                .cells()[0];

                assertThat(Evaluated.of(fast, features).cells()[0])
                        .as("%s with a = %s, b = %s, seed %d", text, a, b, SEED)
                        .isCloseTo(expected, within(1e-5 * Math.max(1, Math.abs(expected))));
                if (isConstant || !operation.startsWith("sparse")) {
                    assertThat(fast.toString()).contains(operation);
                }
            }
        }
    }

    private TensorData tensor(String dimensions, boolean isOfBytes) {
        TensorType written = TensorType.parse("tensor(" + dimensions + ")");
        CellType cells =
                isOfBytes
                        ? CellType.INT8
                        : List.of(CellType.DOUBLE, CellType.FLOAT, CellType.BFLOAT16)
                                .get(random.nextInt(3));
        var builder = new TensorBuilder(new TensorType(cells, written.dimensions()));
        int count = written.isDense() ? 4 * written.cellCount() : random.nextInt(60);
        for (int i = 0; i < count; i++) {
            builder.set(
                    written.dimensions().stream()
                            .map(dimension ->
                                    switch (dimension) {
                                        case Dimension.Indexed(_, int size) ->
                                                "" + random.nextInt(size);
                                        case Dimension.Mapped _ -> "l" + random.nextInt(5);
                                    })
                            .toList(),
                    isOfBytes ? random.nextInt(256) - 128 : random.nextGaussian());
        }
        return builder.build();
    }
}
