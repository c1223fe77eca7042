package org.crabro.container.query;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.config.application.NearestName;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.Schema;
import org.crabro.protocol.search.SortKey;

/**
 * Rejects the names in a request that mean nothing: a request with {@code strict=true}. Other
 * requests ignore them, as Vespa does.
 */
final class StrictChecks {
    /**
     * The beginnings of names that end in names of the application or of ranking, in lower case.
     */
    private static final List<String> BEGINNINGS =
            List.of(
                    "input.",
                    "ranking.features.",
                    "rankfeature.",
                    "ranking.properties.",
                    "rankproperty.",
                    "ranking.matching.",
                    "ranking.matchphase.",
                    "ranking.elementgap.",
                    "collapsesize.",
                    "source.",
                    "provider.",
                    "llm.");

    /** A value of the sender in a statement, or in an input. */
    private static final Pattern REFERENCE = Pattern.compile("@([\\w-]+(?:\\.[\\w-]+)*)");

    private StrictChecks() {}

    static boolean areAsked(Parameters parameters) {
        return parameters.truth(Parameter.STRICT, false);
    }

    /**
     * Checks the names of parameters. Names that a value refers to as {@code @name} are those of
     * the sender, and a query profile declares its own.
     *
     * @param request the parameters of the request itself
     * @throws IllegalQueryException if one of them is unknown
     */
    static void names(Parameters request, RequestProfile profile) {
        ignored(request, profile).stream()
                .findFirst()
                .ifPresent(name -> {
                    throw unknown("parameter", name, candidates(profile));
                });
    }

    /**
     * Returns the names of parameters that mean nothing. Each value is read once, because a request
     * can have many of both.
     */
    static List<String> ignored(Parameters request, RequestProfile profile) {
        var ofProfile = new HashSet<String>();
        profile.ofProfile()
                .values()
                .keySet()
                .forEach(name -> ofProfile.add(name.toLowerCase(Locale.ROOT)));
        List<String> own =
                request.values().keySet().stream()
                        .filter(name -> !isDeclared(name, ofProfile))
                        .toList();
        if (own.isEmpty()) {
            return own;
        }
        var referred = new HashSet<String>();
        request.values().values().forEach(value -> addReferences(value, referred));
        profile.ofProfile().values().values().forEach(value -> addReferences(value, referred));
        return own.stream().filter(name -> !referred.contains(name)).toList();
    }

    private static boolean isDeclared(String name, Set<String> ofProfile) {
        String lower = name.toLowerCase(Locale.ROOT);
        return Parameter.named(name).isPresent()
                || ofProfile.contains(lower)
                || BEGINNINGS.stream().anyMatch(lower::startsWith);
    }

    private static void addReferences(String value, Set<String> into) {
        if (value.indexOf('@') < 0) {
            return;
        }
        Matcher matcher = REFERENCE.matcher(value);
        while (matcher.find()) {
            into.add(matcher.group(1));
        }
    }

    private static Set<String> candidates(RequestProfile profile) {
        var names = new HashSet<>(Parameter.allNames());
        names.addAll(profile.ofProfile().values().keySet());
        return names;
    }

    /**
     * Checks the fields that hits show.
     *
     * @throws IllegalQueryException if no schema has one of them
     */
    static void shown(Collection<String> fields, List<Schema> schemas) {
        for (String field : fields) {
            boolean isThere =
                    field.equals(SummaryNames.ID)
                            || field.equals(SummaryNames.TYPE)
                            || SummaryNames.FEATURES.contains(field)
                            || schemas.stream()
                                    .anyMatch(schema ->
                                            isField(field, schema)
                                                    || summaryFields(schema).contains(field));
            if (!isThere) {
                throw unknown("field", field, fieldNames(schemas));
            }
        }
    }

    /**
     * Checks the fields that sort hits.
     *
     * @throws IllegalQueryException if no schema has one of them
     */
    static void sorting(List<SortKey> keys, List<Schema> schemas) {
        for (SortKey key : keys) {
            if (key instanceof SortKey.FieldValueOf value
                    && schemas.stream().noneMatch(schema -> isField(value.field(), schema))) {
                throw unknown("field to sort by", value.field(), fieldNames(schemas));
            }
        }
    }

    /** Rejects what a request that is not strict reports beside its hits. */
    static void problems(List<ResultError> problems) {
        if (!problems.isEmpty()) {
            ResultError first = problems.getFirst();
            throw new IllegalQueryException(first.code(), first.message());
        }
    }

    private static boolean isField(String written, Schema schema) {
        String path = schema.unaliased(written);
        return schema.field(path).isPresent() || schema.field(path.split("[.{]", 2)[0]).isPresent();
    }

    private static Set<String> summaryFields(Schema schema) {
        return schema.summaries().byName().values().stream()
                .flatMap(summary -> summary.fields().stream())
                .map(SummaryField::name)
                .collect(Collectors.toSet());
    }

    private static Set<String> fieldNames(List<Schema> schemas) {
        return schemas.stream()
                .flatMap(schema -> schema.readable().stream())
                .map(field -> field.field().name())
                .collect(Collectors.toSet());
    }

    private static IllegalQueryException unknown(
            String what, String name, Collection<String> candidates) {
        return new IllegalQueryException(
                ErrorCode.INVALID_PARAMETER,
                "there is no %s '%s'%s".formatted(what, name, NearestName.hint(name, candidates)));
    }
}
