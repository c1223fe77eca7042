package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelWarmUpTest {
    static List<KernelWarmUp.Loops> loops() {
        return List.of(
                vectors(DistanceMetric.ANGULAR, "tensor<bfloat16>(x[64])"),
                vectors(DistanceMetric.EUCLIDEAN, "tensor<float>(x[17])"),
                vectors(DistanceMetric.HAMMING, "tensor<int8>(x[128])"),
                vectors(DistanceMetric.GEODEGREES, "tensor<double>(x[2])"),
                vectors(DistanceMetric.DOTPRODUCT, "tensor<float>(x[1000000000])"),
                new KernelWarmUp.Numbers());
    }

    @ParameterizedTest
    @MethodSource("loops")
    void comesToAnEnd(KernelWarmUp.Loops loops) {
        assertThat(KernelWarmUp.run(loops, () -> {})).isTrue();
        assertThat(KernelWarmUp.run(loops, () -> {})).isTrue();
    }

    @Test
    void comesBackWhereItIsInterruptedAndCanBeRunAgain() {
        KernelWarmUp.Loops loops = vectors(DistanceMetric.ANGULAR, "tensor<float>(x[32])");

        Thread.currentThread().interrupt();
        boolean isDone = KernelWarmUp.run(loops, () -> {});
        boolean isInterrupted = Thread.interrupted();

        assertThat(isInterrupted).isTrue();
        assertThat(isDone).isEqualTo(!Distances.isVectorized());
        assertThat(KernelWarmUp.run(loops, () -> {})).isTrue();
    }

    private static KernelWarmUp.Loops vectors(DistanceMetric metric, String field) {
        return new KernelWarmUp.Vectors(metric, TensorType.parse(field));
    }
}
