package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.Schema;
import org.crabro.container.query.SearchedApplication.Place;

/**
 * Limits how many hits with the same value of a field are shown. Fields are applied in order.
 *
 * @param fields empty to show all hits
 * @param summary the document summary that names the fields; empty if the names are those of
 *     documents
 */
public record Collapse(List<Field> fields, Optional<String> summary) {
    /** All hits are shown. */
    public static final Collapse NONE = new Collapse(List.of(), Optional.empty());

    public Collapse {
        fields = List.copyOf(fields);
    }

    /** A field, and the number of hits with the same value that are shown. */
    public record Field(String name, int size) {}

    /** Returns the fields of documents of a type, in the order of {@link #fields}. */
    List<String> sources(Schema schema) {
        return fields.stream().map(field -> source(field, schema)).toList();
    }

    /** Returns the name of a field in documents of a type. */
    public String source(Field field, Schema schema) {
        return summary
                .flatMap(name -> Optional.ofNullable(schema.summaries().byName().get(name)))
                .map(DocumentSummary::fields)
                .stream()
                .flatMap(List::stream)
                .filter(shown -> shown.name().equals(field.name()))
                .flatMap(shown -> shown.sources().stream())
                .findFirst()
                .orElse(field.name());
    }

    /**
     * Returns the collapse settings of a request.
     *
     * @throws IllegalQueryException if a size is not valid, or no schema has the summary
     */
    static Collapse of(Parameters parameters, List<Place> places) {
        int size = parameters.count(Parameter.COLLAPSE_SIZE).orElse(1);
        var fields = new ArrayList<Field>();
        for (String name : parameters.list(Parameter.COLLAPSE_FIELD)) {
            Optional<String> own = parameters.named("collapsesize." + name);
            fields.add(
                    new Field(
                            name,
                            own.map(text ->
                                            Parameter.COLLAPSE_SIZE.read(
                                                    text,
                                                    "a whole number from 0 on",
                                                    Parameters::countIn))
                                    .orElse(size)));
        }
        Optional<String> summary = parameters.text(Parameter.COLLAPSE_SUMMARY);
        if (summary.isPresent()
                && places.stream()
                        .noneMatch(place ->
                                place.schema().summaries().byName().containsKey(summary.get()))) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "collapse.summary: there is no document summary '" + summary.get() + "'");
        }
        return fields.isEmpty() ? NONE : new Collapse(fields, summary);
    }
}
