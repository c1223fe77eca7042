package org.crabro.content.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.Schema;
import org.crabro.content.match.QueryRejectedException;
import org.crabro.content.run.Block;
import org.crabro.content.run.ColumnValues;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.SummarySettings;

/**
 * Which fields a hit is returned with. Immutable.
 *
 * @param warnings fields asked for that there are not
 * @param notes what a person who traces the query may want to know
 */
record SummaryFields(List<SummaryField> fields, List<String> warnings, List<String> notes) {
    /** What every hit has, made from its id. */
    private static final Set<String> OF_THE_ID = Set.of("documentid", "sddocname");

    /**
     * @throws QueryRejectedException if there is no such document summary
     */
    static SummaryFields of(SummarySettings settings, Schema schema) {
        DocumentSummary summary = schema.summaries().get(settings.documentSummary());
        if (summary == null) {
            throw new QueryRejectedException(
                    "there is no document summary '%s' in '%s'; there are %s"
                            .formatted(
                                    settings.documentSummary(),
                                    schema.name(),
                                    schema.summaries().keySet().stream().sorted().toList()));
        }
        if (settings.fields().isEmpty()) {
            return new SummaryFields(summary.fields(), List.of(), List.of());
        }
        var fields = new ArrayList<SummaryField>();
        for (SummaryField field : summary.fields()) {
            if (settings.fields().contains(field.name())) {
                fields.add(field);
            }
        }
        var warnings = new ArrayList<String>();
        var notes = new ArrayList<String>();
        for (String name : settings.fields()) {
            boolean listed = fields.stream().anyMatch(field -> field.name().equals(name));
            if (listed || OF_THE_ID.contains(name)) {
                continue;
            }
            if (schema.field(name).isPresent()) {
                fields.add(new SummaryField(name, name));
                notes.add(
                        "field '%s' is not in document summary '%s': taken from the document"
                                .formatted(name, summary.name()));
            } else {
                warnings.add("Field '%s' does not exist in '%s'.".formatted(name, schema.name()));
            }
        }
        return new SummaryFields(fields, warnings, notes);
    }

    /** Returns the fields of {@code row} that are set. */
    Map<String, FieldValue> read(Block block, int row) {
        var values = new LinkedHashMap<String, FieldValue>();
        for (SummaryField field : fields) {
            Optional<FieldValue> value =
                    block.column(field.source()).flatMap(column -> ColumnValues.value(column, row));
            value.ifPresent(present -> values.put(field.name(), present));
        }
        return values;
    }
}
