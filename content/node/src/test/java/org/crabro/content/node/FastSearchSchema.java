package org.crabro.content.node;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SortSettings;
import org.crabro.config.schema.SummaryRules;
import org.crabro.config.schema.ValueRules;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.json.WeightRules;
import org.crabro.ranking.kernel.DistanceMetric;

/** Schemas whose fields are all attributes with {@code fast-search}. */
final class FastSearchSchema {
    private FastSearchSchema() {}

    /**
     * Returns a schema with the name of a type.
     *
     * @param aspects of each field
     * @param shown the field of the default summary
     */
    static Schema of(
            DocumentType type,
            Set<Aspect> aspects,
            String shown,
            Map<String, RankProfile> profiles) {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (Field field : type.fields()) {
            var plain =
                    new SchemaField(
                            field,
                            aspects,
                            MatchMode.WORD,
                            DistanceMetric.EUCLIDEAN,
                            new IndexingScript(List.of()));
            var fast =
                    new ValueRules(
                            DistanceMetric.EUCLIDEAN, WeightRules.NONE, SortSettings.NONE, true);
            fields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            plain.aspects(),
                            plain.matching(),
                            plain.script(),
                            fast,
                            plain.ranking()));
        }
        Schema plain = new Schema(type.name(), type, fields);
        var summary =
                new DocumentSummary(
                        "default", List.of(new DocumentSummary.SummaryField(shown, shown)));
        return new Schema(
                plain.name(),
                type,
                fields,
                plain.names(),
                profiles,
                new SummaryRules(
                        Map.of("default", summary), plain.summaries().snippets(), true, true));
    }
}
