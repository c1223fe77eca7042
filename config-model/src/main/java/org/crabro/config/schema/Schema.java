package org.crabro.config.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.DocumentSummary.Elements;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.time.TimeParts;
import org.crabro.text.SpecialTokens;

/**
 * A document type and how it is searched.
 *
 * @param documentType the stored fields: document fields first, in order, then those outside
 * @param fields by name, in the order of the type; without imported fields
 * @param names further names that queries can use
 * @param rankProfiles by name; a compiled schema always has {@code default} and {@code unranked}
 */
public record Schema(
        String name,
        DocumentType documentType,
        Map<String, SchemaField> fields,
        FieldNames names,
        Map<String, RankProfile> rankProfiles,
        SummaryRules summaries) {
    public Schema {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        rankProfiles = Map.copyOf(rankProfiles);
    }

    /** A type with fields only, without the rank profiles of a compiled schema. */
    public Schema(String name, DocumentType documentType, Map<String, SchemaField> fields) {
        this(name, documentType, fields, FieldNames.NONE, Map.of(), SummaryRules.NONE);
    }

    /** Returns whether a summary shows only those elements of a field that a query looks for. */
    public boolean showsMatchedElements() {
        for (DocumentSummary summary : summaries.byName().values()) {
            for (SummaryField field : summary.fields()) {
                if (field.elements() instanceof Elements.Matched) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the schema with other rules for words of texts.
     *
     * @param normalized whether words of indexed texts are normalized to NFKC
     * @param special words with separators inside
     */
    public Schema with(boolean normalized, SpecialTokens special) {
        if (!normalized && special.isEmpty()) {
            return this;
        }
        var changed = new LinkedHashMap<String, SchemaField>();
        fields.forEach((key, field) ->
                changed.put(key, field.with(normalized && field.isIndexedText(), special)));
        return new Schema(name, documentType, changed, names, rankProfiles, summaries);
    }

    /**
     * Returns the schema as a content cluster uses it.
     *
     * @param rules how the cluster makes snippets
     * @param isIndexed whether the cluster has the type in mode index
     */
    public Schema in(SnippetRules rules, boolean isIndexed) {
        return with(names, summaries.in(rules, isIndexed));
    }

    private Schema with(FieldNames newNames, SummaryRules newSummaries) {
        return new Schema(name, documentType, fields, newNames, rankProfiles, newSummaries);
    }

    /** Returns the field that queries may call {@code name}, which can be imported. */
    public Optional<SchemaField> field(String name) {
        return named(unaliased(name));
    }

    /** Returns the field with {@code name}, which can be imported. */
    public Optional<SchemaField> named(String name) {
        SchemaField own = fields.get(name);
        return own != null
                ? Optional.of(own)
                : Optional.ofNullable(names.imports().get(name)).map(ImportedField::field);
    }

    /** Returns the fields that queries can read: those of the type, and the imported ones. */
    public Collection<SchemaField> readable() {
        if (names.imports().isEmpty()) {
            return fields.values();
        }
        var all = new ArrayList<>(fields.values());
        names.imports().values().forEach(imported -> all.add(imported.field()));
        return all;
    }

    /** Returns the searched part of a field that queries may call {@code name}. */
    public Optional<FieldPart> part(String name) {
        String path = unaliased(name);
        int dot = path.indexOf('.');
        return dot < 0
                ? Optional.empty()
                : named(path.substring(0, dot))
                        .flatMap(field -> FieldPart.of(path, Map.of(field.field().name(), field)));
    }

    /** Returns the field, or the searched part of a field, that queries may call {@code name}. */
    public Optional<SchemaField> fieldOrPart(String name) {
        return field(name).or(() -> part(name).map(FieldPart::field));
    }

    /**
     * Returns what is a time in the field, or the part of a field, that queries may call {@code
     * name}.
     */
    public TimeParts times(String name) {
        List<String> path = List.of(unaliased(name).split("\\.", -1));
        return named(path.getFirst())
                .map(field -> field.values().times().at(path.subList(1, path.size())))
                .orElse(TimeParts.NONE);
    }

    /** Returns the types that selections may name, with their times. */
    public static SelectionTypes selectable(Collection<Schema> schemas) {
        var times = new LinkedHashMap<String, Map<String, TimeParts>>();
        for (Schema schema : schemas) {
            Map<String, TimeParts> ofType = schema.times();
            if (!ofType.isEmpty()) {
                times.put(schema.name(), ofType);
            }
        }
        return SelectionTypes.of(schemas.stream().map(Schema::documentType).toList())
                .withTimes(times);
    }

    /** Returns what is a time in the own fields, by their names; without the others. */
    public Map<String, TimeParts> times() {
        var times = new LinkedHashMap<String, TimeParts>();
        fields.forEach((key, field) -> {
            if (!field.values().times().isEmpty()) {
                times.put(key, field.values().times());
            }
        });
        return times;
    }

    /** Returns the field that contains a part; a field that is no part is returned itself. */
    public Field whole(Field fieldOrPart) {
        return part(fieldOrPart.name()).map(FieldPart::whole).orElse(fieldOrPart);
    }

    /** Returns the field set that queries may call {@code name}. */
    public Optional<Fieldset> fieldset(String name) {
        Fieldset fieldset = names.fieldsets().get(name);
        return Optional.ofNullable(
                fieldset != null ? fieldset : names.fieldsets().get(unaliased(name)));
    }

    /** Returns the name for which {@code name} is an alias; otherwise {@code name}. */
    public String unaliased(String name) {
        return names.aliases().isEmpty() || named(name).isPresent()
                ? name
                : names.aliases().getOrDefault(name, name);
    }
}
