package org.crabro.config.services;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.crabro.ranking.onnx.ModelSettings;

/**
 * The models that a container cluster evaluates on request: all those of the package.
 *
 * @param models by name, names distinct
 */
public record ModelApi(List<PackagedModel> models) {
    public ModelApi {
        models = List.copyOf(models);
    }

    /** The format of the file of a model. */
    public enum Format {
        ONNX,
        /** Trees as JSON. */
        XGBOOST,
        /** Trees as Universal Binary JSON. */
        XGBOOST_BINARY,
        LIGHTGBM
    }

    /**
     * A model.
     *
     * @param name the path of its file below {@code models/}, without extension, {@code _} for
     *     {@code /} and {@code .}
     * @param settings for ONNX models
     * @param batching of requests to ONNX models
     */
    public record PackagedModel(
            String name, Path file, Format format, ModelSettings settings, Batching batching) {
        /** A model without batches. */
        public PackagedModel(String name, Path file, Format format, ModelSettings settings) {
            this(name, file, format, settings, Batching.NONE);
        }
    }

    /**
     * How concurrent requests are evaluated in one run.
     *
     * @param size the maximum number of requests; 1 for none
     * @param delay the time that the first of them waits for others
     */
    public record Batching(int size, Duration delay) {
        /** The maximum size. */
        public static final int SIZE_MAX = 1_024;

        /** The maximum delay. */
        public static final Duration DELAY_MAX = Duration.ofSeconds(1);

        /** No batches. */
        public static final Batching NONE = new Batching(1, Duration.ZERO);
    }
}
