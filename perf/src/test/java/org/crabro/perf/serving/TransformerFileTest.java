package org.crabro.perf.serving;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.crabro.ranking.onnx.MeasuredModel;
import org.crabro.ranking.onnx.ModelSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransformerFileTest {
    private static final ModelShape SMALL = new ModelShape("small", 2, 32, 4, 64, 3_000);

    @TempDir private Path folder;

    @Test
    void anAdaptiveModelGivesTheNumbersOfAPlainOne() throws IOException, OrtException {
        Path file = TransformerFile.write(SMALL, folder.resolve("small.onnx"));
        float expected;
        try (var plain = MeasuredModel.openByHand(file, 1)) {
            expected = plain.run(20);
        }

        // A normalized value.
        assertThat(expected).isFinite().isBetween(-6f, 6f).isNotZero();
        try (var adaptive = MeasuredModel.openLevels(file, 2)) {
            for (int i = 0; i < 8; i++) {
                assertThat(adaptive.run(20)).isEqualTo(expected);
            }
        }
    }

    @Test
    void theFileHasTheWeightsOfItsShape() throws IOException {
        Path file = TransformerFile.write(SMALL, folder.resolve("small.onnx"));

        // Words, positions and types, then four projections and two layers for each layer.
        long weights = 32L * (3_000 + 512 + 2) + 2L * (4 * 32 * 32 + 2 * 32 * 64);
        assertThat(Files.size(file)).isBetween(4 * weights, 4 * weights + 20_000);
    }

    @Test
    void clientsRunTheModelUntilTheEnd() throws Exception {
        Path file = TransformerFile.write(SMALL, folder.resolve("small.onnx"));
        try (var model = MeasuredModel.open(file, ModelSettings.DEFAULT)) {
            ServingLoad.Result result = ServingLoad.of(model, 3, 10, 0.2);

            assertThat(result.throughput()).isPositive();
            assertThat(result.p50()).isPositive().isLessThanOrEqualTo(result.p95());
            assertThat(result.p95()).isLessThanOrEqualTo(result.p99());
        }
    }

    @Test
    void drawsALineForEachVariant() {
        var results =
                List.of(
                        new ServingLoad.Result(1, 10, 100, 100, 120, 130),
                        new ServingLoad.Result(4, 30, 130, 130, 200, 210));

        String svg =
                LatencyPlot.of(
                        "small: p95", Map.of("intra-op <1>", results), ServingLoad.Result::p95);

        assertThat(svg)
                .startsWith("<svg ")
                .endsWith("</svg>\n")
                .contains("points=\"70,350 630,30\"")
                .contains("intra-op &lt;1>")
                .contains(">small: p95</text>");
    }
}
