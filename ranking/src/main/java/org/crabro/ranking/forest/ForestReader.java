package org.crabro.ranking.forest;

import java.io.InputStream;
import java.util.function.ToDoubleFunction;

/**
 * Reads forests from the JSON of XGBoost's {@code dump_model} and LightGBM's {@code dump_model},
 * and from the files that XGBoost's {@code save_model} writes.
 *
 * {@snippet :
 * try (InputStream json = Files.newInputStream(path)) {
 *     Forest forest = ForestReader.xgboost(json, ForestLimits.DEFAULT, StringValue::of);
 * }
 * }
 */
public final class ForestReader {
    private ForestReader() {}

    /**
     * Reads the output of XGBoost's {@code dump_model(…, dump_format="json")}, an array of trees.
     * The score of a row is the sum of its leaves, because the file has neither objective nor base
     * score. Also reads the output of {@code save_model("file.json")}, as {@link #xgboostModel}
     * does.
     *
     * @param categories returns the number for a category that is a text
     * @throws InvalidForestException if the file is not valid, or larger than {@code limits}
     */
    public static Forest xgboost(
            InputStream json, ForestLimits limits, ToDoubleFunction<String> categories) {
        try (var parser = new ModelJson(json, limits)) {
            parser.next();
            return parser.isObject()
                    ? new XgboostModel(new JsonValues(parser, limits), limits, categories).read()
                    : new XgboostTrees(parser).read();
        }
    }

    /**
     * Reads the output of XGBoost's {@code save_model("file.ubj")}. The score of a row is the
     * objective, {@link Forest#link()}, applied to the sum of its leaves and the base score.
     *
     * @param categories returns the number for a category that is a text
     * @throws InvalidForestException if the file is not valid, is larger than {@code limits}, or
     *     has more than one score per row
     */
    public static Forest xgboostModel(
            InputStream ubj, ForestLimits limits, ToDoubleFunction<String> categories) {
        try (var reader = new UbjReader(ubj, limits)) {
            return new XgboostModel(reader, limits, categories).read();
        }
    }

    /**
     * Reads the output of LightGBM's {@code dump_model()}, written as JSON. The score of a row is
     * the sum of its leaves, or the objective, {@link Forest#link()}, applied to it.
     *
     * @param categories returns the number for a category that is a text
     * @throws InvalidForestException if the file is not valid, or larger than {@code limits}
     */
    public static Forest lightgbm(
            InputStream json, ForestLimits limits, ToDoubleFunction<String> categories) {
        try (var parser = new ModelJson(json, limits)) {
            return new LightgbmTrees(parser, categories).read();
        }
    }
}
