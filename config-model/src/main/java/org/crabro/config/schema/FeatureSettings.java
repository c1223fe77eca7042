package org.crabro.config.schema;

import java.util.Map;

/**
 * How the features of a rank profile are computed.
 *
 * @param properties settings of features, such as {@code bm25(title).k1}
 * @param fields the scoring settings of fields; fields with default settings are left out
 * @param usesModel whether document frequencies come from a significance model; otherwise they are
 *     counted
 */
public record FeatureSettings(
        Map<String, String> properties, Map<String, FieldRanking> fields, boolean usesModel) {
    public FeatureSettings {
        properties = Map.copyOf(properties);
        fields = Map.copyOf(fields);
    }
}
