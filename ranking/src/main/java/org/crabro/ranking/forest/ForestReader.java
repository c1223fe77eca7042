package org.crabro.ranking.forest;

import java.io.InputStream;
import java.util.function.ToDoubleFunction;

/**
 * Reads forests from the JSON that XGBoost's {@code dump_model} and LightGBM's {@code dump_model}
 * give, and from the files that XGBoost's {@code save_model} writes.
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
     * Reads what XGBoost's {@code dump_model(…, dump_format="json")} wrote: an array of trees. What
     * a row scores is the sum of its leaves: the file holds neither objective nor base score. Or
     * what {@code save_model("file.json")} wrote, which is as in {@link #xgboostModel}.
     *
     * @param categories gives the number that a category is worth that is a text
     * @throws InvalidForestException if it is none, or larger than {@code limits}
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
     * Reads what XGBoost's {@code save_model("file.ubj")} wrote. What a row scores is what its
     * objective, {@link Forest#link()}, makes of the sum of its leaves and the base score.
     *
     * @param categories gives the number that a category is worth that is a text
     * @throws InvalidForestException if it is none, is larger than {@code limits}, or is of a kind
     *     that has no one score
     */
    public static Forest xgboostModel(
            InputStream ubj, ForestLimits limits, ToDoubleFunction<String> categories) {
        try (var reader = new UbjReader(ubj, limits)) {
            return new XgboostModel(reader, limits, categories).read();
        }
    }

    /**
     * Reads what LightGBM's {@code dump_model()} gave, written as JSON. What a row scores is the
     * sum of its leaves, or what its objective makes of that: {@link Forest#link()}.
     *
     * @param categories gives the number that a category is worth that is a text
     * @throws InvalidForestException if it is none, or larger than {@code limits}
     */
    public static Forest lightgbm(
            InputStream json, ForestLimits limits, ToDoubleFunction<String> categories) {
        try (var parser = new ModelJson(json, limits)) {
            return new LightgbmTrees(parser, categories).read();
        }
    }
}
