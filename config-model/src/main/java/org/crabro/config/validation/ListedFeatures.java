package org.crabro.config.validation;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.FieldType.Primitive;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.type.RankFeature.FieldInfoOutput;

/**
 * The rank features that a query with all features ({@code ranking.listFeatures}) returns in
 * addition to those of the rank profile: features of the query and of the match in each searchable
 * field.
 */
final class ListedFeatures {
    /** The number of query terms, from the first, whose features are returned. */
    private static final int TERMS = 5;

    private final Map<String, Expression> features = new LinkedHashMap<>();

    ListedFeatures(Map<String, SchemaField> fields) {
        add("nativeRank", "nativeFieldMatch", "nativeProximity", "nativeAttributeMatch");
        add("now", "queryTermCount", "random");
        for (int term = 0; term < TERMS; term++) {
            String name = "term(" + term + ").";
            add(name + "connectedness", name + "significance", name + "weight");
        }
        fields.forEach((name, field) -> {
            if (field.isIndexedText()) {
                addText(name, field.field().type() instanceof Primitive);
            } else if (SchemaCompiler.isAttribute(field)) {
                addAttribute(name);
            }
        });
    }

    private void addText(String field, boolean isOne) {
        addAll(field, "bm25", "fieldLength", "matchCount", "matches");
        String match = "fieldMatch(" + field + ")";
        add(match, match + ".completeness", match + ".earliness", match + ".fieldCompleteness");
        add(match + ".importance", match + ".matches", match + ".orderness", match + ".proximity");
        add(match + ".queryCompleteness", match + ".relatedness", match + ".segments");
        addAll(field, "nativeFieldMatch", "nativeProximity", "elementCompleteness");
        addAll(field, "elementSimilarity");
        if (isOne) {
            addAll(field, "textSimilarity");
        }
        for (int term = 0; term < TERMS; term++) {
            String name = "fieldTermMatch(%s,%d).".formatted(field, term);
            add(name + "firstPosition", name + "occurrences");
        }
    }

    private void addAttribute(String field) {
        addAll(field, "matchCount", "matches", "nativeAttributeMatch");
        String match = "attributeMatch(" + field + ")";
        add(match, match + ".completeness", match + ".queryCompleteness", match + ".weight");
        add(match + ".importance", match + ".matches", match + ".normalizedWeight");
    }

    private void addAll(String field, String... names) {
        for (String name : names) {
            add(name + "(" + field + ")");
        }
    }

    private void add(String... names) {
        for (String name : names) {
            features.put(name, ExpressionParser.parse(name));
        }
    }

    /**
     * Returns {@code fieldInfo} of fields, which the rank property {@code fieldInfo.enable} adds.
     */
    static Map<String, Expression> fieldInfo(Set<String> fields) {
        var features = new LinkedHashMap<String, Expression>();
        for (String field : fields) {
            for (FieldInfoOutput output : FieldInfoOutput.values()) {
                String name =
                        "fieldInfo(%s).%s".formatted(field, output.name().toLowerCase(Locale.ROOT));
                features.put(name, ExpressionParser.parse(name));
            }
        }
        return features;
    }

    /** Returns them by name, in order. */
    Map<String, Expression> get() {
        return features;
    }
}
