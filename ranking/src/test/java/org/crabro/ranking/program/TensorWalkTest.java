package org.crabro.ranking.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.crabro.ranking.tensor.TensorData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random expressions have the values that tensor-walk.py, written from the definitions alone,
 * computes.
 */
class TensorWalkTest {
    /** Sums of floats differ by their order. */
    private static final double BOUND = 2e-5;

    static List<String> rows() throws IOException {
        try (var text =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        TensorWalkTest.class.getResourceAsStream(
                                                "tensor-walk.csv")),
                                UTF_8))) {
            return text.lines().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isWorthWhatItsDefinitionSays(String row) {
        List<String> parts = List.of(row.split(" ; ", -1));
        Map<String, TensorData> given = new HashMap<>();
        for (String each : parts.subList(2, parts.size())) {
            int end = each.indexOf('=');
            given.put(each.substring(0, end), Evaluated.tensor(each.substring(end + 1)));
        }
        TensorData expected = Evaluated.tensor(parts.get(1));

        compare(Evaluated.of(parts.getFirst(), given), expected);
        compare(Evaluated.folded(parts.getFirst(), given), expected);
    }

    private static void compare(TensorData actual, TensorData expected) {
        assertThat(actual.type()).isEqualTo(expected.type());
        Map<String, double[]> subspaces = subspaces(actual);
        Map<String, double[]> wanted = subspaces(expected);
        assertThat(subspaces.keySet()).isEqualTo(wanted.keySet());
        wanted.forEach((labels, cells) -> {
            double[] subspace = Objects.requireNonNull(subspaces.get(labels));
            for (int i = 0; i < cells.length; i++) {
                if (Double.isFinite(cells[i])) {
                    assertThat(subspace[i])
                            .as("cell %d of %s", i, labels)
                            .isCloseTo(cells[i], within(BOUND * Math.max(1, Math.abs(cells[i]))));
                } else {
                    assertThat(Double.valueOf(subspace[i]))
                            .as("cell %d of %s", i, labels)
                            .isEqualTo(Double.valueOf(cells[i]));
                }
            }
        });
    }

    private static Map<String, double[]> subspaces(TensorData tensor) {
        var subspaces = new TreeMap<String, double[]>();
        int size = tensor.subspaceSize();
        for (int i = 0; i < tensor.subspaceCount(); i++) {
            subspaces.put(
                    String.join(",", tensor.labels(i)),
                    Arrays.copyOfRange(tensor.cells(), i * size, (i + 1) * size));
        }
        return subspaces;
    }
}
