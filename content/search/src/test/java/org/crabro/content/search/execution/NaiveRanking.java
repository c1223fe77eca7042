package org.crabro.content.search.execution;

import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Document;
import org.crabro.document.FieldValue;

/** The features of the specification, document by document. */
final class NaiveRanking {
    private final NaiveSearch search;

    NaiveRanking(NaiveSearch search) {
        this.search = search;
    }

    /** The score of a profile of {@link Mails#PROFILES}, written down once more in Java. */
    double score(String profile, Document document) {
        double score =
                switch (profile) {
                    case "unranked" -> 0;
                    case "default" -> attribute("size", document);
                    case "words" ->
                            bm25("title", document)
                                    + 2 * bm25("body", document)
                                    + bm25("tags", document);
                    case "near" -> closeness("vector", document);
                    case "hybrid" ->
                            10 * closeness("vector", document)
                                    + bm25("body", document)
                                    + matches("lang", document);
                    case "fresh" ->
                            Math.max(0, 1 - age(document) / 7_776_000)
                                    + 100 * logarithmicFreshness(document);
                    case "broken" -> attribute("weight", document) / attribute("size", document);
                    case "steps" ->
                            document.value("read")
                                            .equals(Optional.of(new FieldValue.BoolValue(true)))
                                    ? 2.5
                                    : attribute("price", document);
                    default -> throw new IllegalArgumentException(profile);
                };
        return Double.isFinite(score) ? score : Double.NEGATIVE_INFINITY;
    }

    private static double attribute(String field, Document document) {
        return document.value(field)
                .map(value ->
                        switch (value) {
                            case FieldValue.IntValue(int whole) -> (double) whole;
                            case FieldValue.LongValue(long whole) -> (double) whole;
                            case FieldValue.FloatValue(float real) -> (double) real;
                            case FieldValue.DoubleValue(double real) -> real;
                            default -> throw new IllegalArgumentException(field);
                        })
                .orElse(Double.NaN);
    }

    private static double age(Document document) {
        double sent = attribute("sent", document);
        return Double.isNaN(sent) ? 1e10 : Math.max(0, Mails.NOW - sent);
    }

    private static double logarithmicFreshness(Document document) {
        double max = 7_776_000;
        double half = 604_800;
        double scale = half * half / (max - 2 * half);
        double seconds = Math.min(age(document), max);
        return (Math.log(max + scale) - Math.log(seconds + scale))
                / (Math.log(max + scale) - Math.log(scale));
    }

    private double matches(String field, Document document) {
        return search.terms().stream()
                        .flatMap(List::stream)
                        .filter(term -> term.field().field().name().equals(field))
                        .anyMatch(
                                term -> search.occurrences(term.leaf(), term.field(), document) > 0)
                ? 1
                : 0;
    }

    private double closeness(String field, Document document) {
        return search.searches().stream()
                .filter(nearest -> nearest.field().equals(field))
                .mapToDouble(nearest ->
                        search.distance(nearest, document)
                                .map(distance -> 1 / (1 + distance))
                                .orElse(0.0))
                .max()
                .orElse(0);
    }

    double bm25(String name, Document document) {
        SchemaField field = Mails.SCHEMA.field(name).orElseThrow();
        double tokens = 0;
        double texts = 0;
        for (Document other : search.scope()) {
            int length = NaiveSearch.length(field, other);
            tokens += length;
            texts += length > 0 ? 1 : 0;
        }
        double average = tokens / texts;
        double count = search.scope().size();
        double score = 0;
        for (List<NaiveSearch.SearchedLeaf> term : search.terms()) {
            for (NaiveSearch.SearchedLeaf termFilter : term) {
                if (!termFilter.field().equals(field)) {
                    continue;
                }
                int occurrences = search.occurrences(termFilter.leaf(), field, document);
                if (occurrences > 0) {
                    long having =
                            search.scope().stream()
                                    .filter(other ->
                                            search.occurrences(termFilter.leaf(), field, other) > 0)
                                    .count();
                    double idf = Math.log(1 + (count - having + 0.5) / (having + 0.5));
                    double length = NaiveSearch.length(field, document) / average;
                    score +=
                            idf
                                    * (occurrences * 2.2)
                                    / (occurrences + 1.2 * (1 - 0.75 + 0.75 * length));
                }
            }
        }
        return score;
    }
}
