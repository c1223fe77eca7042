package org.crabro.perf.serving;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.perf.harness.ChildJvm;
import org.crabro.perf.harness.Figures;
import org.crabro.ranking.onnx.MeasuredModel;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.ranking.onnx.PreparedModels;

/**
 * Prints how much anonymous memory a loaded model adds to its process. The arguments are the file,
 * {@code plain} or the number of threads of the highest level, and the number of tokens.
 */
public final class ModelMemory {
    static final String PLAIN = "plain";

    private static final int RUNS = 3;

    private ModelMemory() {}

    /** Measures in a process of its own and returns MB. */
    static void measure(Figures figures, Path file, String what, int tokens)
            throws IOException, InterruptedException {
        ChildJvm.measure(
                figures,
                // A small heap, which is touched at the start.
                List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"),
                ModelMemory.class,
                file.toString(),
                what,
                Integer.toString(tokens));
    }

    /** Prints one figure. */
    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        int tokens = Integer.parseInt(arguments[2]);
        Path small = Files.createTempFile("small", ".onnx");
        TransformerFile.write(new ModelShape("small", 1, 8, 2, 8, 2_000), small);
        // The libraries are loaded before.
        try (var model = MeasuredModel.open(small, ModelSettings.sequential(1))) {
            float _ = model.run(tokens);
        }
        Files.delete(small);
        long before = anonymous();
        try (MeasuredModel model = open(file, arguments[1])) {
            for (int i = 0; i < RUNS; i++) {
                float _ = model.run(tokens);
            }
            System.out.println(
                    ChildJvm.line(
                            "anonymous memory, " + arguments[1],
                            "MB",
                            (anonymous() - before) / 1e6));
        }
    }

    private static MeasuredModel open(Path file, String what) throws Exception {
        if (what.equals(PLAIN)) {
            return MeasuredModel.open(file, ModelSettings.sequential(1));
        }
        // As in a server.
        PreparedModels.keepIn(file.resolveSibling("prepared"));
        return MeasuredModel.openLevels(file, Integer.parseInt(what));
    }

    private static long anonymous() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/smaps_rollup"))) {
            return lines.filter(line -> line.startsWith("Anonymous:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1_024)
                    .sum();
        }
    }
}
