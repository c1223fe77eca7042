package org.crabro.server.warmup;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.FieldType;
import org.crabro.tensor.TensorType;

/**
 * Queries that one schema allows: by words, by numbers, by vectors and with groups, with each of
 * its rank profiles. Each query is a map of request parameters.
 */
final class WarmUpQueries {
    /** More rank profiles share the code that these have compiled. */
    private static final int PROFILES_MAX = 8;

    /** Few enough that a search selects by cached, quantized vectors. */
    private static final int FEW_HITS = 1;

    private static final int TARGET_HITS = 20;

    /** The fields of words without a field. */
    private static final String FIELDSET = "default";

    /** A word of no document. */
    private static final String UNKNOWN = "unknown";

    private final Schema schema;
    private final Optional<String> embedder;
    private final List<Map<String, String>> queries = new ArrayList<>();

    private WarmUpQueries(Schema schema, Optional<String> embedder) {
        this.schema = schema;
        this.embedder = embedder;
    }

    /**
     * Returns the queries of a schema, at least one.
     *
     * @param embedder the embedder for vectors that queries are compared with
     */
    static List<Map<String, String>> of(Schema schema, Optional<String> embedder) {
        var made = new WarmUpQueries(schema, embedder);
        made.add("true", Map.of());
        made.words();
        made.numbers();
        schema.rankProfiles().values().stream()
                .sorted(Comparator.comparing(RankProfile::name))
                .limit(PROFILES_MAX)
                .forEach(made::ranked);
        return List.copyOf(made.queries);
    }

    private void words() {
        schema.fieldset(FIELDSET)
                .ifPresent(_ -> {
                    add("userInput(@words)", Map.of("words", word(1), "hits", "3"));
                    add("userInput(@words)", Map.of("words", word(2) + " " + UNKNOWN));
                });
        for (SchemaField field : fields(SchemaField::isIndexedText)) {
            String name = field.field().name();
            add("%s contains \"%s\"".formatted(name, word(0)), Map.of());
            add(name, "%s contains \"%s\"".formatted(name, word(1)), Map.of("hits", "3"));
            add(
                    "{defaultIndex: \"%s\"}userInput(@words)".formatted(name),
                    Map.of("words", word(1) + " " + word(2)));
        }
    }

    private void numbers() {
        for (SchemaField field : fields(WarmUpQueries::isNumber)) {
            String name = field.field().name();
            add("%s > 20 order by %s desc".formatted(name, name), Map.of());
            add(
                    "true limit 0 | all(group(%s) max(5) each(output(count())))".formatted(name),
                    Map.of());
        }
    }

    /** Adds the queries of a rank profile: words, vectors for which it has an input, and both. */
    private void ranked(RankProfile profile) {
        Optional<String> words =
                schema.fieldset(FIELDSET).isPresent()
                        ? Optional.of("userInput(@words)")
                        : fields(SchemaField::isIndexedText).stream()
                                .findFirst()
                                .map(field ->
                                        "{defaultIndex: \"%s\"}userInput(@words)"
                                                .formatted(field.field().name()));
        Map<String, String> ranking =
                Map.of("ranking", profile.name(), "words", word(3) + " " + word(4));
        add(words.orElse("true"), ranking);
        for (SchemaField field : fields(WarmUpQueries::isVector)) {
            TensorType type = ((FieldType.TensorOf) field.field().type()).type();
            input(profile, type)
                    .ifPresent(input -> {
                        var parameters = new HashMap<>(ranking);
                        String vector = "input.query(%s)".formatted(input);
                        parameters.put(vector, vector(type));
                        String few = nearest(FEW_HITS, field, input);
                        add(few, parameters);
                        embedder.ifPresent(id -> {
                            var embedded = new HashMap<>(parameters);
                            embedded.put(vector, "embed(%s, @words)".formatted(id));
                            add(few, embedded);
                        });
                        String nearest = nearest(TARGET_HITS, field, input);
                        words.ifPresent(
                                each -> add("(%s or %s)".formatted(each, nearest), parameters));
                    });
        }
    }

    private static String nearest(int targetHits, SchemaField field, String input) {
        return "{targetHits: %d}nearestNeighbor(%s, %s)"
                .formatted(targetHits, field.field().name(), input);
    }

    private static Optional<String> input(RankProfile profile, TensorType field) {
        return profile.inputs().entrySet().stream()
                .filter(input -> input.getValue().type().dimensions().equals(field.dimensions()))
                .map(Map.Entry::getKey)
                .sorted()
                .findFirst();
    }

    private static String vector(TensorType type) {
        return DoubleStream.iterate(0.1, cell -> -cell)
                .limit(type.cellCount())
                .mapToObj(Double::toString)
                .collect(Collectors.joining(",", "[", "]"));
    }

    private List<SchemaField> fields(Predicate<SchemaField> chosen) {
        return schema.fields().values().stream().filter(chosen).limit(2).toList();
    }

    private static boolean isNumber(SchemaField field) {
        return field.aspects().contains(Aspect.ATTRIBUTE)
                && field.field().type() instanceof FieldType.Primitive primitive
                && primitive.isNumber();
    }

    private static boolean isVector(SchemaField field) {
        return field.isSearchable()
                && field.field().type() instanceof FieldType.TensorOf(var type)
                && WarmUpDocuments.isVector(type);
    }

    private static String word(int index) {
        return WarmUpDocuments.WORDS.get(index);
    }

    private void add(String condition, Map<String, String> parameters) {
        add("*", condition, parameters);
    }

    /**
     * Adds a query.
     *
     * @param fields the fields of each hit
     */
    private void add(String fields, String condition, Map<String, String> parameters) {
        var all = new HashMap<>(parameters);
        all.put("yql", "select %s from %s where %s".formatted(fields, schema.name(), condition));
        all.put("timeout", "5s");
        queries.add(Map.copyOf(all));
    }
}
