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
import org.crabro.content.match.TypedColumns;
import org.crabro.content.run.Block;
import org.crabro.content.run.ColumnValues;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.SummarySettings;

/**
 * Which fields a hit is returned with. Immutable.
 *
 * @param warnings fields asked for that there are not
 * @param notes what a person who traces the query may want to know
 */
record SummaryFields(List<Shown> fields, List<String> warnings, List<String> notes) {
    /** A field of the document and what it is called in a hit. */
    record Shown(String name, Field source) {}

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
        boolean all = settings.fields().isEmpty();
        var fields = new ArrayList<Shown>();
        for (SummaryField field : summary.fields()) {
            if (all || settings.fields().contains(field.name())) {
                schema.documentType()
                        .field(field.source())
                        .ifPresent(source -> fields.add(new Shown(field.name(), source)));
            }
        }
        var warnings = new ArrayList<String>();
        var notes = new ArrayList<String>();
        for (String name : settings.fields()) {
            boolean listed = fields.stream().anyMatch(shown -> shown.name().equals(name));
            if (listed || OF_THE_ID.contains(name)) {
                continue;
            }
            Optional<Field> field = schema.documentType().field(name);
            if (field.isPresent()) {
                fields.add(new Shown(name, field.get()));
                notes.add(
                        "field '%s' is not in document summary '%s': taken from the document"
                                .formatted(name, summary.name()));
            } else {
                warnings.add("Field '%s' does not exist in '%s'.".formatted(name, schema.name()));
            }
        }
        return new SummaryFields(fields, warnings, notes);
    }

    /** Returns the fields of {@code row} that are set, as {@code values} decodes them. */
    Map<String, FieldValue> read(Block block, int row, ColumnValues values) {
        var shown = new LinkedHashMap<String, FieldValue>();
        for (Shown field : fields) {
            Optional<FieldValue> value =
                    TypedColumns.column(block, field.source())
                            .flatMap(column -> values.value(column, row));
            value.ifPresent(present -> shown.put(field.name(), present));
        }
        return shown;
    }
}
