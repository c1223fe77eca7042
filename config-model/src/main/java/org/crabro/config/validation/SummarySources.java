package org.crabro.config.validation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.application.Findings;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.TypeDeclaration;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.FieldType;

/** The fields, and parts of fields by path, whose values summaries show. */
final class SummarySources {
    private static final Set<String> COLLECTIONS = Set.of("array", "map", "weightedset");
    private static final String POSITION = "position";

    private final Map<String, SchemaField> fields;
    private final Set<String> structs;
    private final boolean isIndexed;
    private final Findings findings;

    /**
     * @param isIndexed whether the type has mode index
     */
    SummarySources(
            SchemaDeclaration schema,
            Map<String, SchemaField> fields,
            boolean isIndexed,
            Findings findings) {
        this.fields = fields;
        this.structs =
                schema.types().structs().stream()
                        .map(struct -> struct.name().text())
                        .collect(Collectors.toSet());
        this.isIndexed = isIndexed;
        this.findings = findings;
    }

    /** Returns the field with a source as its name, or the field with the source as its part. */
    Optional<SchemaField> field(String source) {
        return Optional.ofNullable(fields.get(base(source)));
    }

    /** Returns the type of a field or of a part; empty if there is none of that name. */
    Optional<FieldType> type(String source) {
        return FieldParts.type(source, fields);
    }

    static boolean isPart(String source) {
        return source.indexOf('.') >= 0;
    }

    /** Returns the name of the field that a source is, or is a part of. */
    static String base(String source) {
        int dot = source.indexOf('.');
        return dot < 0 ? source : source.substring(0, dot);
    }

    /**
     * Returns whether a summary field shows the value around its sources with only these parts. It
     * does if it is a struct or a collection itself.
     *
     * @param type the declared type of the summary field
     */
    boolean isFiltered(Name name, Optional<TypeDeclaration> type, List<String> sources) {
        if (sources.stream().noneMatch(SummarySources::isPart)) {
            return false;
        }
        if (isIndexed) {
            findings.warn(
                    "%s: '%s' is empty in hits of types with mode index: its source is a part of a field"
                            .formatted(name.at(), name.text()));
        }
        boolean isCompound =
                type.map(this::isCompound)
                        .orElseGet(() ->
                                field(name.text())
                                        .map(field -> isCompound(field.field().type()))
                                        .orElse(false));
        boolean isOneField = sources.stream().map(SummarySources::base).distinct().count() == 1;
        if (isCompound && !isOneField) {
            findings.warn(
                    "%s: '%s' is shown as one text: its sources are parts of several fields"
                            .formatted(name.at(), name.text()));
        }
        return isCompound && isOneField;
    }

    private boolean isCompound(TypeDeclaration type) {
        return COLLECTIONS.contains(type.name())
                || structs.contains(type.name())
                || type.name().equals(POSITION);
    }

    private static boolean isCompound(FieldType type) {
        return switch (type) {
            case FieldType.ArrayOf _,
                    FieldType.MapOf _,
                    FieldType.WeightedSetOf _,
                    FieldType.StructOf _ ->
                    true;
            case FieldType.Primitive _, FieldType.ReferenceOf _, FieldType.TensorOf _ -> false;
        };
    }
}
