package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import org.crabro.ranking.tensor.TensorBuilder;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Random tensors, dense, sparse and mixed, against operations on lists of cells. */
class RandomTensorsTest {
    private static final long SEED = Long.getLong("crabro.seed", new Random().nextLong());
    private static final int ROUNDS = 400;

    /** By name: mapped ones are m and n, indexed ones a size each. */
    private static final Map<String, Integer> SIZES = Map.of("x", 3, "y", 2, "z", 4);

    private final Random random = new Random(SEED);

    @Test
    void joins() {
        Map<String, DoubleBinaryOperator> operators =
                Map.of("+", (a, b) -> a + b, "*", (a, b) -> a * b, "-", (a, b) -> a - b);
        for (int round = 0; round < ROUNDS; round++) {
            TensorData a = tensor(dimensions());
            TensorData b = tensor(dimensions());

            operators.forEach((operator, function) ->
                    check(
                            "a " + operator + " b",
                            a,
                            b,
                            NaiveTensor.of(a).join(NaiveTensor.of(b), function)));
            check(
                    "join(a, b, f(p,q)(if(p > q, p * q, q)))",
                    a,
                    b,
                    NaiveTensor.of(a).join(NaiveTensor.of(b), (p, q) -> p > q ? p * q : q));
        }
    }

    @Test
    void reduces() {
        for (int round = 0; round < ROUNDS; round++) {
            TensorData a = tensor(dimensions());
            var names = new HashSet<String>();
            for (Dimension dimension : a.type().dimensions()) {
                if (random.nextBoolean()) {
                    names.add(dimension.name());
                }
            }
            boolean all = names.isEmpty() || names.size() == a.type().dimensions().size();
            List<String> every = a.type().dimensions().stream().map(Dimension::name).toList();
            for (String aggregator :
                    List.of("sum", "prod", "count", "avg", "min", "max", "median")) {
                String list = names.isEmpty() ? "" : ", " + String.join(", ", names);

                check(
                        "reduce(a, " + aggregator + list + ")",
                        a,
                        a,
                        NaiveTensor.of(a).reduce(aggregator, all ? Set.copyOf(every) : names));
            }
        }
    }

    @Test
    void sumsProducts() {
        for (int round = 0; round < ROUNDS; round++) {
            TensorData a = tensor(dimensions());
            TensorData b = tensor(dimensions());
            NaiveTensor product = NaiveTensor.of(a).join(NaiveTensor.of(b), (p, q) -> p * q);
            var names = new HashSet<String>();
            a.type().dimensions().forEach(dimension -> names.add(dimension.name()));
            b.type().dimensions().forEach(dimension -> names.add(dimension.name()));

            check("sum(a * b)", a, b, product.reduce("sum", names));
            for (String name : names) {
                check("sum(a * b, " + name + ")", a, b, product.reduce("sum", Set.of(name)));
                check(
                        "sum(reduce(a * b, max, " + name + "))",
                        a,
                        b,
                        product.reduce("max", Set.of(name)).reduce("sum", names));
            }
        }
    }

    @Test
    void splitsAndJoins() {
        for (int round = 0; round < ROUNDS; round++) {
            List<String> names = dimensions();
            TensorData a = tensor(names);
            TensorData b = tensor(names);
            NaiveTensor left = NaiveTensor.of(a);

            check(
                    "merge(a, b, f(p,q)(p - q))",
                    a,
                    b,
                    left.merge(NaiveTensor.of(b), (p, q) -> p - q));
            for (String name : names) {
                String label = SIZES.containsKey(name) ? "1" : "l1";
                check("a{" + name + ":" + label + "}", a, b, left.slice(name, label));
                check("rename(a, " + name + ", a0)", a, b, left.rename(Map.of(name, "a0")));
                check("rename(a, " + name + ", zz)", a, b, left.rename(Map.of(name, "zz")));
                if (SIZES.containsKey(name)) {
                    var others = new ArrayList<>(dimensions());
                    others.remove(name);
                    others.add(name);
                    TensorData other = tensor(others);
                    check(
                            "concat(a, b, " + name + ")",
                            a,
                            other,
                            left.concat(NaiveTensor.of(other), name, size(name)));
                }
            }
        }
    }

    private void check(String text, TensorData a, TensorData b, NaiveTensor expected) {
        Map<String, TensorData> features = new HashMap<>(Map.of("a", a, "b", b));
        TensorData data = Evaluated.of(text, features);

        assertThat(data.toString())
                .as("%s with a = %s, b = %s, seed %d", text, a, b, SEED)
                .isEqualTo(expected.data(data.type()).toString());
    }

    private List<String> dimensions() {
        var names = new ArrayList<String>();
        for (String name : List.of("m", "n", "x", "y", "z")) {
            if (random.nextInt(5) < 2) {
                names.add(name);
            }
        }
        return names;
    }

    /** Small whole numbers, so that the order in which they are added does not matter. */
    private TensorData tensor(List<String> names) {
        List<Dimension> dimensions =
                names.stream()
                        .sorted()
                        .<Dimension>map(name ->
                                SIZES.containsKey(name)
                                        ? new Dimension.Indexed(name, size(name))
                                        : new Dimension.Mapped(name))
                        .toList();
        CellType cells = dimensions.isEmpty() ? CellType.DOUBLE : cells();
        var builder = new TensorBuilder(new TensorType(cells, dimensions));
        int count = random.nextInt(12);
        for (int i = 0; i < count; i++) {
            List<String> address =
                    dimensions.stream()
                            .map(dimension ->
                                    switch (dimension) {
                                        case Dimension.Indexed(_, int size) ->
                                                "" + random.nextInt(size);
                                        case Dimension.Mapped _ -> "l" + random.nextInt(3);
                                    })
                            .toList();
            builder.set(address, random.nextInt(9) - 4);
        }
        return builder.build();
    }

    private static int size(String name) {
        return SIZES.getOrDefault(name, 0);
    }

    private CellType cells() {
        return List.of(CellType.values()).get(random.nextInt(4));
    }
}
