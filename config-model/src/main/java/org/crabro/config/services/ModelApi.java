package org.crabro.config.services;

import java.nio.file.Path;
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
     */
    public record PackagedModel(String name, Path file, Format format, ModelSettings settings) {}
}
