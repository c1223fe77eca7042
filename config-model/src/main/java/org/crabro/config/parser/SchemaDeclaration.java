package org.crabro.config.parser;

import java.util.List;

/**
 * A schema as written.
 *
 * @param documents a valid schema has one
 * @param fields those outside the document
 * @param ignored what the file holds that changes nothing here
 */
public record SchemaDeclaration(
        Name name,
        List<Document> documents,
        List<FieldDeclaration> fields,
        List<Fieldset> fieldsets,
        List<RankProfileDeclaration> rankProfiles,
        List<Summary> summaries,
        List<IgnoredElement> ignored) {
    public SchemaDeclaration {
        documents = List.copyOf(documents);
        fields = List.copyOf(fields);
        fieldsets = List.copyOf(fieldsets);
        rankProfiles = List.copyOf(rankProfiles);
        summaries = List.copyOf(summaries);
        ignored = List.copyOf(ignored);
    }

    /** What clients feed. */
    public record Document(Name name, List<FieldDeclaration> fields) {
        public Document {
            fields = List.copyOf(fields);
        }
    }

    /** Fields that are searched together. */
    public record Fieldset(Name name, List<Name> fields) {
        public Fieldset {
            fields = List.copyOf(fields);
        }
    }

    /** A choice of fields to return. */
    public record Summary(Name name, List<Name> parents, List<SummaryField> fields) {
        public Summary {
            parents = List.copyOf(parents);
            fields = List.copyOf(fields);
        }
    }

    /**
     * A field of a summary.
     *
     * @param sources none where it shows the field of its own name
     */
    public record SummaryField(Name name, List<Name> sources) {
        public SummaryField {
            sources = List.copyOf(sources);
        }
    }
}
