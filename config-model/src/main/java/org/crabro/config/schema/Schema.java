package org.crabro.config.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.document.DocumentType;

/**
 * A document type and how it is searched.
 *
 * @param documentType what is stored: document fields first, in order, then those outside
 * @param fields by name, in the order of the type
 * @param rankProfiles by name; {@code default} and {@code unranked} are always there
 * @param summaries by name; {@code default} is always there
 * @param aliases other names of fields in queries, with the fields' own
 * @param imports fields of other documents that this type's documents name, by their names here
 * @param snippets how texts are cut for summaries
 */
public record Schema(
        String name,
        DocumentType documentType,
        Map<String, SchemaField> fields,
        Map<String, Fieldset> fieldsets,
        Map<String, RankProfile> rankProfiles,
        Map<String, DocumentSummary> summaries,
        Map<String, String> aliases,
        Map<String, ImportedField> imports,
        SnippetRules snippets) {
    public Schema {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        fieldsets = Map.copyOf(fieldsets);
        rankProfiles = Map.copyOf(rankProfiles);
        summaries = Map.copyOf(summaries);
        aliases = Map.copyOf(aliases);
        imports = Map.copyOf(imports);
    }

    /** A type with fields and nothing else, not even the rank profiles that are always there. */
    public Schema(String name, DocumentType documentType, Map<String, SchemaField> fields) {
        this(
                name,
                documentType,
                fields,
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                SnippetRules.DEFAULT);
    }

    /** Returns whether a summary shows only those elements of a field that a query looks for. */
    public boolean showsMatchedElements() {
        for (DocumentSummary summary : summaries.values()) {
            for (SummaryField field : summary.fields()) {
                if (field.transform() == Transform.MATCHED_ELEMENTS) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the schema with fields of other documents. */
    public Schema withImports(Map<String, ImportedField> imported) {
        return with(imported, snippets);
    }

    /** Returns the schema with other rules for snippets. */
    public Schema with(SnippetRules rules) {
        return with(imports, rules);
    }

    private Schema with(Map<String, ImportedField> newImports, SnippetRules newSnippets) {
        return new Schema(
                name,
                documentType,
                fields,
                fieldsets,
                rankProfiles,
                summaries,
                aliases,
                newImports,
                newSnippets);
    }

    /** Returns the field that queries may call {@code name}. */
    public Optional<SchemaField> field(String name) {
        SchemaField field = fields.get(name);
        return Optional.ofNullable(
                field != null ? field : fields.get(aliases.getOrDefault(name, name)));
    }
}
