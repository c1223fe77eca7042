package org.crabro.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MixedTensorTest {
    private static final TensorType MIXED = TensorType.parse("tensor<int8>(x[2],c{})");
    private static final TensorType SPARSE = TensorType.parse("tensor(a{},b{})");

    @Test
    void keepsSubspacesInTheOrderOfTheirLabelsBytes() {
        var tensor =
                MixedTensor.of(
                        MIXED,
                        Map.of(
                                List.of("\uffff"), new double[] {1, 2},
                                List.of("😀"), new double[] {3, 4},
                                List.of(""), new double[] {5, 6},
                                List.of("a"), new double[] {7, 8}));

        assertThat(tensor.addresses())
                .containsExactly(List.of(""), List.of("a"), List.of("\uffff"), List.of("😀"));
        assertThat(tensor.cell(0, 1)).isEqualTo(6);
        assertThat(tensor.cell(3, 0)).isEqualTo(3);
    }

    @Test
    void narrowsCellsToTheType() {
        var tensor = MixedTensor.of(MIXED, Map.of(List.of("a"), new double[] {1.9, -300}));

        assertThat(tensor.cell(0, 0)).isEqualTo(1);
        assertThat(tensor.cell(0, 1)).isEqualTo(-44);
    }

    @Test
    void isTheSameOfSubspacesThatLieInOrder() {
        List<List<String>> addresses = List.of(List.of("a"), List.of("b"));

        assertThat(MixedTensor.ofSorted(MIXED, addresses, new double[] {1.9, -300, 3, 4}))
                .isEqualTo(
                        MixedTensor.of(
                                MIXED,
                                Map.of(
                                        List.of("b"), new double[] {3, 4},
                                        List.of("a"), new double[] {1.9, -300})));
    }

    @Test
    void refusesSubspacesThatDoNotLieInOrderOrDoNotFit() {
        refuses(MIXED, List.of(List.of("b"), List.of("a")), 4, "unsorted labels: [a] after [b]");
        refuses(MIXED, List.of(List.of("a"), List.of("a")), 4, "unsorted labels: [a] after [a]");
        refuses(MIXED, List.of(List.of("a")), 3, "3 cells of 1 subspaces");
        refuses(SPARSE, List.of(List.of("a")), 1, "labels [a] for");
        refuses(TensorType.parse("tensor(x[2])"), List.of(), 0, "no mapped dimension");
    }

    private static void refuses(
            TensorType type, List<List<String>> addresses, int cells, String problem) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MixedTensor.ofSorted(type, addresses, new double[cells]))
                .withMessageContaining(problem);
    }

    @Test
    void isEqualByTypeLabelsAndCells() {
        var one = MixedTensor.of(SPARSE, Map.of(List.of("a", "b"), new double[] {1}));

        assertThat(one)
                .isEqualTo(MixedTensor.of(SPARSE, Map.of(List.of("a", "b"), new double[] {1})))
                .hasSameHashCodeAs(
                        MixedTensor.of(SPARSE, Map.of(List.of("a", "b"), new double[] {1})))
                .isNotEqualTo(MixedTensor.of(SPARSE, Map.of(List.of("a", "c"), new double[] {1})))
                .isNotEqualTo(MixedTensor.of(SPARSE, Map.of(List.of("a", "b"), new double[] {2})))
                .isNotEqualTo(MixedTensor.of(SPARSE, Map.of()));
    }

    @Test
    void refusesWhatDoesNotFitItsType() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MixedTensor.of(TensorType.parse("tensor(x[2])"), Map.of()))
                .withMessageContaining("no mapped dimension");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MixedTensor.of(MIXED, Map.of(List.of("a"), new double[1])))
                .withMessageContaining("1 cells at [a]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MixedTensor.of(MIXED, Map.of(List.of("a", "b"), new double[2])))
                .withMessageContaining("[a, b]");
    }
}
