package org.crabro.config.validation;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.TensorOf;

/**
 * Makes the summary {@code snippets} of a schema that does not declare one: what a person or a
 * language model reads of a hit. It has the fields of the default summary without tensors and
 * bytes. Of long texts it shows the parts that match.
 */
final class SnippetSummary {
    private SnippetSummary() {}

    /** Adds the summary to {@code summaries}, which have the default one, if they lack it. */
    static void addTo(Map<String, DocumentSummary> summaries, SummarySources sources) {
        DocumentSummary whole = Objects.requireNonNull(summaries.get("default"));
        summaries.computeIfAbsent(DocumentSummary.SNIPPETS, _ -> of(whole, sources));
    }

    private static DocumentSummary of(DocumentSummary whole, SummarySources sources) {
        return new DocumentSummary(
                DocumentSummary.SNIPPETS,
                whole.fields().stream().flatMap(field -> shown(field, sources)).toList());
    }

    private static Stream<SummaryField> shown(SummaryField field, SummarySources sources) {
        List<FieldType> types =
                field.sources().stream().map(sources::type).flatMap(Optional::stream).toList();
        if (types.stream().anyMatch(SnippetSummary::isUnreadable)) {
            return Stream.empty();
        }
        boolean isWhole =
                field.transform() == Transform.NONE || field.transform() == Transform.BOLDED;
        boolean isText = !types.isEmpty() && types.stream().allMatch(FieldType::isText);
        return Stream.of(
                isWhole && isText && !field.filtered()
                        ? new SummaryField(
                                field.name(), field.sources(), Transform.DYNAMIC, field.elements())
                        : field);
    }

    private static boolean isUnreadable(FieldType type) {
        return type == Primitive.RAW || type instanceof TensorOf;
    }
}
