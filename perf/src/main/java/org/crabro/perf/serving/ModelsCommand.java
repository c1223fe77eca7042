package org.crabro.perf.serving;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.perf.harness.Command;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Machine;
import org.crabro.ranking.onnx.MeasuredModel;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.ranking.onnx.PreparedModels;

/**
 * Measures large models under concurrent runs, with fixed and with adaptive numbers of threads.
 * Prints a table for each model, and writes plots.
 */
public final class ModelsCommand implements Command {
    /** The trained model, if its artifact is on the class path. */
    private static final List<String> TRAINED =
            List.of("/all-minilm-l6-v2.onnx", "/all-minilm-l6-v2-q.onnx");

    private static final String SYNTAX =
            "'models' takes '--seconds N', '--tokens N', '--clients N', '--model NAME', '--plots FOLDER' or nothing.";

    @Override
    public String name() {
        return "models";
    }

    @Override
    public String summary() {
        return "[--seconds N] [--tokens N] [--clients N] [--model NAME] [--plots FOLDER]: large models under load, with fixed and adaptive threads";
    }

    /**
     * The options.
     *
     * @param clients the maximum number
     * @param model the only one to measure; empty for all
     */
    private record Options(
            double seconds, int tokens, int clients, String model, Optional<Path> plots) {
        static Options of(List<String> words) {
            double seconds = 8;
            int tokens = 128;
            int clients = 4 * cores();
            String model = "";
            Optional<Path> plots = Optional.empty();
            for (int i = 0; i < words.size(); i += 2) {
                String value = i + 1 < words.size() ? words.get(i + 1) : "";
                switch (words.get(i)) {
                    case "--seconds" -> seconds = Double.parseDouble(value);
                    case "--tokens" -> tokens = Integer.parseInt(value);
                    case "--clients" -> clients = Integer.parseInt(value);
                    case "--model" -> model = value;
                    case "--plots" -> plots = Optional.of(Path.of(value));
                    default -> throw new IllegalArgumentException(SYNTAX);
                }
            }
            return new Options(seconds, tokens, clients, model, plots);
        }
    }

    /** A way to run a model. */
    private record Variant(String name, Opening opening) {}

    /** Loads a model. */
    private interface Opening {
        MeasuredModel open(Path file) throws Exception;
    }

    private static List<Variant> variants() {
        int cores = cores();
        return List.of(
                new Variant(
                        "intra-op %d, spinning".formatted(cores),
                        file -> MeasuredModel.openByHand(file, cores)),
                new Variant(
                        "intra-op %d".formatted(cores),
                        file -> MeasuredModel.open(file, ModelSettings.sequential(cores))),
                new Variant(
                        "intra-op 1",
                        file -> MeasuredModel.open(file, ModelSettings.sequential(1))),
                new Variant("adaptive", file -> MeasuredModel.open(file, ModelSettings.DEFAULT)));
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public int run(List<String> words, PrintStream out) throws Exception {
        Options options;
        try {
            options = Options.of(words);
        } catch (IllegalArgumentException _) {
            out.println(SYNTAX);
            return 2;
        }
        Path folder = Files.createTempDirectory("crabro-models");
        try {
            Machine.describe(folder).forEach(out::println);
            PreparedModels.keepIn(folder.resolve("prepared"));
            for (Map.Entry<String, Path> model : models(folder, options).entrySet()) {
                measure(model.getKey(), model.getValue(), options, out);
            }
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.toList().reversed()) {
                    Files.delete(file);
                }
            }
        }
        return 0;
    }

    private static Map<String, Path> models(Path folder, Options options) throws IOException {
        Map<String, Path> models = new LinkedHashMap<>();
        for (ModelShape shape : List.of(ModelShape.bertBase(), ModelShape.miniLm())) {
            if (isMeasured(shape.name(), options)) {
                models.put(
                        shape.name(),
                        TransformerFile.write(shape, folder.resolve(shape.name() + ".onnx")));
            }
        }
        for (String resource : TRAINED) {
            String name = resource.substring(1, resource.lastIndexOf('.'));
            try (InputStream bytes = ModelsCommand.class.getResourceAsStream(resource)) {
                if (bytes != null && isMeasured(name, options)) {
                    Path file = folder.resolve(resource.substring(1));
                    Files.copy(bytes, file);
                    models.put(name, file);
                }
            }
        }
        return models;
    }

    private static boolean isMeasured(String name, Options options) {
        return options.model.isEmpty() || options.model.equals(name);
    }

    private static void measure(String name, Path file, Options options, PrintStream out)
            throws Exception {
        out.printf(
                "%n%s, %,d MB, %d tokens, %.1f s for each line%n",
                name, Files.size(file) / 1_000_000, options.tokens, options.seconds);
        out.printf(
                "%-24s %8s %10s %10s %10s %10s %10s%n",
                "", "clients", "runs/s", "mean ms", "p50 ms", "p95 ms", "p99 ms");
        Map<String, List<ServingLoad.Result>> results = new LinkedHashMap<>();
        for (Variant variant : variants()) {
            var all = new ArrayList<ServingLoad.Result>();
            try (MeasuredModel model = variant.opening.open(file)) {
                for (int clients : clients(options.clients)) {
                    ServingLoad.Result result =
                            ServingLoad.of(model, clients, options.tokens, options.seconds);
                    all.add(result);
                    out.println(line(variant.name, result));
                }
            }
            results.put(variant.name, all);
        }
        memory(file, options, out);
        if (options.plots.isPresent()) {
            Path plots = Files.createDirectories(options.plots.get());
            plot(plots, name, "p95", "95th percentile, ms", results, ServingLoad.Result::p95);
            plot(plots, name, "mean", "mean latency, ms", results, ServingLoad.Result::average);
            plot(plots, name, "runs", "runs a second", results, ServingLoad.Result::throughput);
        }
    }

    private static List<Integer> clients(int max) {
        return IntStream.iterate(1, each -> each <= max, each -> 2 * each).boxed().toList();
    }

    private static String line(String variant, ServingLoad.Result result) {
        return "%-24s %8d %10s %10s %10s %10s %10s"
                .formatted(
                        variant,
                        result.clients(),
                        Figures.number(result.throughput()),
                        Figures.number(result.average()),
                        Figures.number(result.p50()),
                        Figures.number(result.p95()),
                        Figures.number(result.p99()));
    }

    /** Compares a plain session with the two levels of an adaptive model with two threads. */
    private static void memory(Path file, Options options, PrintStream out)
            throws IOException, InterruptedException {
        if (!Files.exists(Path.of("/proc/self/smaps_rollup"))) {
            out.println("memory is measured on Linux only");
            return;
        }
        var figures = new Figures();
        ModelMemory.measure(figures, file, ModelMemory.PLAIN, options.tokens);
        ModelMemory.measure(figures, file, "1", options.tokens);
        ModelMemory.measure(figures, file, "2", options.tokens);
        figures.lines().forEach(out::println);
    }

    private static void plot(
            Path folder,
            String model,
            String figure,
            String title,
            Map<String, List<ServingLoad.Result>> results,
            ToDoubleFunction<ServingLoad.Result> value)
            throws IOException {
        Files.writeString(
                folder.resolve(model + "-" + figure + ".svg"),
                LatencyPlot.of(model + ": " + title, results, value));
    }
}
