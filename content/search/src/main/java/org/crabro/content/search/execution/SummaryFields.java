package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.Elements;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.FieldPath;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.Marking;
import org.crabro.protocol.search.SummarySettings;

/**
 * The fields that a hit is returned with. Immutable.
 *
 * @param marking how words of the query are marked
 * @param warnings about requested fields that do not exist
 * @param notes lines for the trace
 */
record SummaryFields(
        List<Shown> fields, Marking marking, List<String> warnings, List<String> notes) {
    /**
     * A field of a document, or a part of one.
     *
     * @param path of the part; empty for the field itself
     */
    record Source(SchemaField field, String path) {
        boolean isPart() {
            return !path.isEmpty();
        }
    }

    /**
     * A field of a hit.
     *
     * @param sources the fields and parts of the document that it is made of, at least one
     * @param elements the elements that are shown
     * @param filtered whether the value around the sources is shown with these parts only
     */
    record Shown(
            String name,
            List<Source> sources,
            Transform transform,
            Elements elements,
            boolean filtered) {
        Shown {
            sources = List.copyOf(sources);
        }

        /** A field as it is. */
        Shown(String name, SchemaField source) {
            this(name, List.of(new Source(source, "")), Transform.NONE, new Elements.All(), false);
        }

        boolean isUnchanged() {
            return isWhole() && transform == Transform.NONE && elements instanceof Elements.All;
        }

        /** Returns whether it is one field, and no part. */
        boolean isWhole() {
            return sources.size() == 1 && !sources.getFirst().isPart();
        }
    }

    /** The prefix of names of fields that are not rendered. */
    private static final String BESIDES = "$";

    /** The fields that every hit has, made from its id. */
    private static final Set<String> OF_THE_ID = Set.of("documentid", "sddocname");

    /**
     * @throws QueryRejectedException if there is no such document summary
     */
    static SummaryFields of(SummarySettings settings, Schema schema) {
        DocumentSummary summary = schema.summaries().byName().get(settings.documentSummary());
        if (summary == null) {
            throw new QueryRejectedException(
                    "there is no document summary '%s' in '%s'; there are %s"
                            .formatted(
                                    settings.documentSummary(),
                                    schema.name(),
                                    schema.summaries().byName().keySet().stream()
                                            .sorted()
                                            .toList()));
        }
        boolean all = settings.fields().isEmpty();
        var fields = new ArrayList<Shown>();
        for (SummaryField field : summary.fields()) {
            if (all || settings.fields().contains(field.name())) {
                List<Source> sources = sources(field, schema);
                if (!sources.isEmpty()) {
                    fields.add(
                            new Shown(
                                    field.name(),
                                    sources,
                                    field.transform(),
                                    field.elements(),
                                    field.filtered()));
                }
            }
        }
        var warnings = new ArrayList<String>();
        var notes = new ArrayList<String>();
        for (String name : settings.fields()) {
            boolean listed = fields.stream().anyMatch(shown -> shown.name().equals(name));
            if (listed || OF_THE_ID.contains(name)) {
                continue;
            }
            SchemaField field = schema.named(name).orElse(null);
            if (field != null) {
                fields.add(new Shown(name, field));
                notes.add(
                        "field '%s' is not in document summary '%s': taken from the document"
                                .formatted(name, summary.name()));
            } else {
                warnings.add("Field '%s' does not exist in '%s'.".formatted(name, schema.name()));
            }
        }
        for (String name : settings.besides()) {
            SchemaField field = schema.named(name).orElse(null);
            if (field == null) {
                warnings.add("Field '%s' does not exist in '%s'.".formatted(name, schema.name()));
            } else {
                fields.add(new Shown(BESIDES + name, field));
            }
        }
        return new SummaryFields(fields, settings.marking(), warnings, notes);
    }

    /** Returns what a field of a summary is made of; empty for parts in mode index. */
    private static List<Source> sources(SummaryField field, Schema schema) {
        var sources = new ArrayList<Source>();
        for (String name : field.sources()) {
            FieldPath.of(name, schema)
                    .ifPresent(path -> sources.add(new Source(path.field(), path.path())));
        }
        return schema.summaries().indexed() && sources.stream().anyMatch(Source::isPart)
                ? List.of()
                : sources;
    }

    /** Reads the fields of one row. */
    @FunctionalInterface
    interface RowReader {
        /** Returns the value of a field; empty if the row has none. */
        Optional<FieldValue> value(Field field);
    }

    /** Returns the names of all document fields that hits are made of. */
    Set<String> sources() {
        var names = new HashSet<String>();
        for (Shown field : fields) {
            field.sources().forEach(source -> names.add(source.field().field().name()));
        }
        return names;
    }

    /**
     * Returns the fields of a row that are set.
     *
     * @param values decodes the values of the row
     * @param shapes the transforms of this row
     */
    Map<String, FieldValue> read(RowReader values, SummaryTransforms shapes) {
        if (fields.isEmpty()) {
            return Map.of();
        }
        var shown = new LinkedHashMap<String, FieldValue>();
        for (Shown field : fields) {
            if (field.isUnchanged()) {
                values.value(field.sources().getFirst().field().field())
                        .ifPresent(value -> shown.put(field.name(), value));
                continue;
            }
            var parts = new LinkedHashMap<SchemaField, FieldValue>();
            for (Source source : field.sources()) {
                if (!parts.containsKey(source.field())) {
                    values.value(source.field().field())
                            .ifPresent(value -> parts.put(source.field(), value));
                }
            }
            shapes.shown(parts, field).ifPresent(value -> shown.put(field.name(), value));
        }
        return shown;
    }
}
