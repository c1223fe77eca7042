package org.crabro.ranking.onnx;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a model for several texts, and finds out whether their results are those of single runs. A
 * model with dynamic quantization, for example, computes one scale for all texts of a run, so its
 * results depend on the other texts.
 *
 * <p>The first runs of several texts are trials: each text is run alone too, the results of both
 * are compared, and those of single runs are returned. If they differ, later runs have only texts
 * of equal length, or one text. Thread-safe.
 */
final class TextRuns {
    /** Which texts may be run together. */
    enum Together {
        ALL,
        OF_EQUAL_LENGTH,
        NEVER
    }

    private static final Logger LOG = LoggerFactory.getLogger(TextRuns.class);

    /** Trials that have to succeed. */
    private static final int TRIALS = 3;

    /** The largest accepted difference of values, as a part of the largest value and at least 1. */
    private static final double TOLERANCE = 2e-5;

    private final Function<List<TextRow>, List<OnnxModel.Output>> model;
    private final String name;
    private final AtomicInteger trials = new AtomicInteger();
    private volatile Together together = Together.ALL;

    /**
     * @param model runs texts together
     * @param name of the model, for the log
     * @param isSingle whether the model takes only one text at a time
     */
    TextRuns(Function<List<TextRow>, List<OnnxModel.Output>> model, String name, boolean isSingle) {
        this.model = model;
        this.name = name;
        if (isSingle) {
            together = Together.NEVER;
        }
    }

    /** Returns which texts may be run together. */
    Together together() {
        return together;
    }

    /**
     * Returns the output for each text.
     *
     * @throws IllegalStateException if the model fails
     */
    List<OnnxModel.Output> run(List<TextRow> rows) {
        if (rows.size() == 1) {
            return model.apply(rows);
        }
        return trials.get() < TRIALS ? tried(rows) : model.apply(rows);
    }

    private List<OnnxModel.Output> tried(List<TextRow> rows) {
        List<OnnxModel.Output> alone =
                rows.stream().map(row -> model.apply(List.of(row)).getFirst()).toList();
        boolean isPadded = rows.stream().mapToInt(TextRow::length).distinct().count() > 1;
        double difference = difference(rows, alone);
        if (difference > TOLERANCE) {
            reduce(isPadded, difference);
        } else if (isPadded || together == Together.OF_EQUAL_LENGTH) {
            trials.incrementAndGet();
        }
        return alone;
    }

    /** Returns the relative difference of results; infinite if the model takes one text only. */
    private double difference(List<TextRow> rows, List<OnnxModel.Output> alone) {
        List<OnnxModel.Output> outputs;
        try {
            outputs = model.apply(rows);
        } catch (IllegalStateException e) {
            LOG.info("{} runs one text at a time: {}", name, e.getMessage());
            return Double.POSITIVE_INFINITY;
        }
        double most = 0;
        for (int i = 0; i < rows.size(); i++) {
            most = Math.max(most, difference(alone.get(i).values(), outputs.get(i).values()));
        }
        return most;
    }

    /** Values of padding follow those of the text. */
    private static double difference(FloatBuffer alone, FloatBuffer together) {
        double largest = 1;
        double difference = 0;
        for (int i = 0; i < alone.limit(); i++) {
            largest = Math.max(largest, Math.abs(alone.get(i)));
            difference = Math.max(difference, Math.abs(alone.get(i) - together.get(i)));
        }
        return difference / largest;
    }

    private synchronized void reduce(boolean wasPadded, double difference) {
        Together next =
                wasPadded && together == Together.ALL ? Together.OF_EQUAL_LENGTH : Together.NEVER;
        if (next.compareTo(together) > 0) {
            LOG.info(
                    "{}: results of texts that are run together differ by {}; from now on together: {}",
                    name,
                    difference,
                    next);
            together = next;
            trials.set(0);
        }
    }
}
