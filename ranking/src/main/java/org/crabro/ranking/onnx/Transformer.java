package org.crabro.ranking.onnx;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The model of a text: takes the numbers of its tokens under the names of its inputs, and returns
 * an output of the rank that an embedder needs. Thread-safe.
 */
final class Transformer implements AutoCloseable {
    /** The size of the last dimension that is assumed if the model declares none. */
    private static final long UNKNOWN_SIZE = 1 << 12;

    private final OnnxModel model;
    private final Names names;
    private final List<String> shape;
    private final long size;
    private final BatchedRuns runs;

    /**
     * The names of the inputs and the output.
     *
     * @param typeIds empty if the model has no such input
     */
    record Names(String ids, String mask, String typeIds, String output) {}

    /**
     * @param shape the names of the dimensions of the output
     * @throws InvalidModelException if the model has no such inputs or output, or one of another
     *     rank
     */
    Transformer(OnnxModel model, Names names, String... shape) {
        this.model = model;
        this.names = names;
        this.shape = Arrays.asList(shape);
        long[] nothing = new long[0];
        model.requireInputs(inputs(nothing, nothing, nothing).keySet());
        long[] outputShape = model.outputShape(names.output());
        requireRank(outputShape.length);
        size = outputShape[outputShape.length - 1];
        runs =
                new BatchedRuns(
                        new TextRuns(this::run, model.name(), model.isOfOneRow(names.ids())),
                        model.runsAtOnce(),
                        Float.BYTES * (size > 0 ? size : UNKNOWN_SIZE));
    }

    /** Returns the size of the last dimension, or -1 if the model does not declare it. */
    long size() {
        return size;
    }

    /**
     * Runs the model for each text and returns what {@code read} makes of the outputs, in the order
     * of the texts. Texts of concurrent calls are computed together.
     *
     * @param texts any number; type ids are not read where the model takes none
     * @throws EmbeddingRefusedException if too many texts wait, or the timeout passes
     */
    <T> List<T> run(
            List<TextRow> texts,
            Embedder.Target target,
            BiFunction<TextRow, OnnxModel.Output, T> read) {
        if (texts.size() <= BatchLimits.CALL_TEXTS) {
            return runs.run(texts, target, read);
        }
        long deadline = System.nanoTime() + target.timeout().toNanos();
        var results = new ArrayList<T>(texts.size());
        for (int from = 0; from < texts.size(); from += BatchLimits.CALL_TEXTS) {
            int to = Math.min(texts.size(), from + BatchLimits.CALL_TEXTS);
            var left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            results.addAll(
                    runs.run(
                            texts.subList(from, to),
                            new Embedder.Target(target.purpose(), target.type(), left),
                            read));
        }
        return results;
    }

    /** Waits for the runs in progress. No call may be in progress. */
    @Override
    public void close() {
        runs.close();
    }

    private List<OnnxModel.Output> run(List<TextRow> texts) {
        int length = texts.stream().mapToInt(TextRow::length).max().orElse(0);
        OnnxModel.Output output =
                model.run(
                        inputs(
                                padded(texts, length, TextRow::ids),
                                padded(texts, length, TextRow::mask),
                                names.typeIds().isEmpty()
                                        ? new long[0]
                                        : padded(texts, length, TextRow::typeIds)),
                        texts.size(),
                        names.output());
        requireRank(output.rank());
        return IntStream.range(0, texts.size())
                .mapToObj(row -> output.row(row, texts.size()))
                .toList();
    }

    /** Padding is 0; the model does not attend to it. */
    private static long[] padded(List<TextRow> texts, int length, Function<TextRow, long[]> input) {
        if (texts.size() == 1) {
            return input.apply(texts.getFirst());
        }
        long[] rows = new long[Math.multiplyExact(texts.size(), length)];
        for (int i = 0; i < texts.size(); i++) {
            long[] row = input.apply(texts.get(i));
            System.arraycopy(row, 0, rows, i * length, row.length);
        }
        return rows;
    }

    private Map<String, long[]> inputs(long[] ids, long[] mask, long[] typeIds) {
        var inputs = new HashMap<String, long[]>();
        inputs.put(names.ids(), ids);
        inputs.put(names.mask(), mask);
        if (!names.typeIds().isEmpty()) {
            inputs.put(names.typeIds(), typeIds);
        }
        return inputs;
    }

    private void requireRank(int rank) {
        if (rank != shape.size()) {
            throw new InvalidModelException(
                    "Expected %d output dimensions for output name '%s': %s, got %d"
                            .formatted(shape.size(), names.output(), shape, rank));
        }
    }
}
