package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Random queries in user input, YQL and JSON. All forms of a query find the same documents, and
 * those that a plain model finds. {@code -Dcrabro.seed} repeats the queries of a run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryFormsIT {
    private static final long SEED = Long.getLong("crabro.seed", 20_261);
    private static final int QUERIES = Integer.getInteger("crabro.queries", 250);
    private static final int DOCUMENTS = 60;
    private static final String SELECT = "select * from sources * where ";

    private static final List<String> WORDS = List.of("whale", "boat", "sea", "moss", "fi", "wi");
    private static final List<String> TYPES = List.of("book", "essay", "letter");

    private static final String SCHEMA =
            """
            schema TYPE {
              document TYPE {
                field title type string { indexing: index | summary }
                field body type string { indexing: index | summary }
              }
              fieldset default { fields: title, body }
            }
            """;

    @TempDir static Path data;

    private final Map<String, Document> documents = new TreeMap<>();
    @AutoClose private StreamingServer server;

    private record Document(String type, List<String> title, List<String> body) {
        boolean has(String field, Function<List<String>, Boolean> test) {
            return (!field.equals("body") && test.apply(title))
                    || (!field.equals("title") && test.apply(body));
        }
    }

    /** A part of a query, with its forms. */
    private interface Part {
        boolean matches(Document document);

        String simple();

        String yql();

        String json();
    }

    private record WordIn(String field, String word) implements Part {
        @Override
        public boolean matches(Document document) {
            return document.has(field, words -> words.contains(word));
        }

        @Override
        public String simple() {
            return field.equals("default") ? word : field + ":" + word;
        }

        @Override
        public String yql() {
            return "%s contains \"%s\"".formatted(field, word);
        }

        @Override
        public String json() {
            return "{\"contains\":[\"%s\",\"%s\"]}".formatted(field, word);
        }
    }

    /** Words without a blank between them: all must match. */
    private record Unit(String first, String second) implements Part {
        private Part both() {
            return new Composite(
                    "and", List.of(new WordIn("default", first), new WordIn("default", second)));
        }

        @Override
        public boolean matches(Document document) {
            return both().matches(document);
        }

        @Override
        public String simple() {
            return first + "-" + second;
        }

        @Override
        public String yql() {
            return both().yql();
        }

        @Override
        public String json() {
            return both().json();
        }
    }

    private record Phrase(String field, String first, String second) implements Part {
        @Override
        public boolean matches(Document document) {
            return document.has(
                    field,
                    words -> {
                        for (int i = 1; i < words.size(); i++) {
                            if (words.get(i - 1).equals(first) && words.get(i).equals(second)) {
                                return true;
                            }
                        }
                        return false;
                    });
        }

        @Override
        public String simple() {
            return (field.equals("default") ? "" : field + ":")
                    + "\"%s %s\"".formatted(first, second);
        }

        @Override
        public String yql() {
            return "%s contains phrase(\"%s\", \"%s\")".formatted(field, first, second);
        }

        @Override
        public String json() {
            return "{\"contains\":[\"%s\",{\"phrase\":[\"%s\",\"%s\"]}]}"
                    .formatted(field, first, second);
        }
    }

    private record OfType(String type) implements Part {
        @Override
        public boolean matches(Document document) {
            return document.type.equals(type);
        }

        @Override
        public String simple() {
            return "sddocname:" + type;
        }

        @Override
        public String yql() {
            return "sddocname contains \"%s\"".formatted(type);
        }

        @Override
        public String json() {
            return "{\"contains\":[\"sddocname\",\"%s\"]}".formatted(type);
        }
    }

    /** Parts joined by {@code and}, {@code or} or {@code weakAnd}. */
    private record Composite(String operator, List<Part> parts) implements Part {
        @Override
        public boolean matches(Document document) {
            return operator.equals("and")
                    ? parts.stream().allMatch(part -> part.matches(document))
                    : parts.stream().anyMatch(part -> part.matches(document));
        }

        /** In user input, a group of alternatives. */
        @Override
        public String simple() {
            return parts.stream().map(Part::simple).collect(Collectors.joining(" ", "(", ")"));
        }

        @Override
        public String yql() {
            return operator.equals("weakAnd")
                    ? parts.stream()
                            .map(Part::yql)
                            .collect(Collectors.joining(", ", "weakAnd(", ")"))
                    : parts.stream()
                            .map(Part::yql)
                            .collect(Collectors.joining(" " + operator + " ", "(", ")"));
        }

        @Override
        public String json() {
            return parts.stream()
                    .map(Part::json)
                    .collect(Collectors.joining(",", "{\"" + operator + "\":[", "]}"));
        }
    }

    /** A query: what it includes by the grammar {@code type}, and what it excludes. */
    private record Query(String type, List<Part> include, List<Part> exclude) {
        boolean matches(Document document) {
            return condition().matches(document)
                    && exclude.stream().noneMatch(part -> part.matches(document));
        }

        private Part condition() {
            return switch (type) {
                case "all" -> composed("and", include);
                case "any" -> composed("or", include);
                default -> restricted();
            };
        }

        /** Returns a query for documents of the types that contain one of the words. */
        private Part restricted() {
            List<Part> types = include.stream().filter(OfType.class::isInstance).toList();
            List<Part> words = include.stream().filter(part -> !(part instanceof OfType)).toList();
            if (types.isEmpty() || words.isEmpty()) {
                return composed(types.isEmpty() ? "weakAnd" : "or", include);
            }
            return composed("and", List.of(composed("or", types), composed("weakAnd", words)));
        }

        private static Part composed(String operator, List<Part> parts) {
            return parts.size() == 1 ? parts.getFirst() : new Composite(operator, parts);
        }

        String simple() {
            var items = new ArrayList<String>();
            include.forEach(part -> items.add(part.simple()));
            exclude.forEach(part -> items.add("-" + part.simple()));
            return String.join(" ", items);
        }

        String yql() {
            return exclude.stream()
                    .map(part -> " and !(" + part.yql() + ")")
                    .collect(Collectors.joining("", condition().yql(), ""));
        }

        String json() {
            return exclude.isEmpty()
                    ? condition().json()
                    : exclude.stream()
                            .map(Part::json)
                            .collect(
                                    Collectors.joining(
                                            ",",
                                            "{\"and_not\":[" + condition().json() + ",",
                                            "]}"));
        }
    }

    @BeforeAll
    void fill() throws Exception {
        var schemas = new TreeMap<String, String>();
        TYPES.subList(0, 2).forEach(type -> schemas.put(type, SCHEMA.replace("TYPE", type)));
        server = new StreamingServer(data, schemas);
        var random = new Random(SEED);
        for (int i = 0; i < DOCUMENTS; i++) {
            var document =
                    new Document(TYPES.get(random.nextInt(2)), words(random, 3), words(random, 4));
            documents.put("d" + i, document);
            server.put(
                    "n/%s/group/g/d%d".formatted(document.type, i),
                    "{\"title\":\"%s\",\"body\":\"%s\"}"
                            .formatted(
                                    String.join(" ", document.title),
                                    String.join(" ", document.body)));
        }
    }

    private static List<String> words(Random random, int most) {
        var words = new ArrayList<String>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            words.add(word(random));
        }
        return words;
    }

    private static String word(Random random) {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    @TestFactory
    List<DynamicTest> allFormsOfAQueryFindTheSameDocuments() {
        var random = new Random(SEED + 1);
        var tests = new ArrayList<DynamicTest>();
        for (int i = 0; i < QUERIES; i++) {
            Query query = query(random);
            tests.add(
                    DynamicTest.dynamicTest(
                            "seed %d: %s: %s".formatted(SEED, query.type, query.simple()),
                            () -> check(query)));
        }
        return tests;
    }

    private static Query query(Random random) {
        String type = List.of("all", "any", "weakAnd").get(random.nextInt(3));
        var include = new ArrayList<Part>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            include.add(random.nextInt(5) == 0 ? group(random, type) : atom(random));
        }
        var exclude = new ArrayList<Part>();
        for (int i = random.nextInt(3); i > 1; i--) {
            exclude.add(atom(random));
        }
        return new Query(type, include, exclude);
    }

    /** A group that is always true has no effect in weakAnd, so there it has no types. */
    private static Part group(Random random, String type) {
        var parts = new ArrayList<Part>();
        for (int i = random.nextInt(2); i >= -1; i--) {
            Part part = atom(random);
            boolean isRetained = !(part instanceof OfType) || !type.equals("weakAnd");
            parts.add(isRetained ? part : new WordIn("title", word(random)));
        }
        return new Composite("or", parts);
    }

    private static Part atom(Random random) {
        String field = List.of("default", "default", "title", "body").get(random.nextInt(4));
        return switch (random.nextInt(10)) {
            case 0 -> new OfType(TYPES.get(random.nextInt(TYPES.size())));
            case 1, 2 -> new Phrase(field, word(random), word(random));
            case 3, 4 -> new Unit(word(random), word(random));
            default -> new WordIn(field, word(random));
        };
    }

    private void check(Query query) throws Exception {
        var expected = new TreeSet<String>();
        documents.forEach((id, document) -> {
            if (query.matches(document)) {
                expected.add(id);
            }
        });
        assertThat(ids("query", query.simple(), "type", query.type))
                .as("user input")
                .isEqualTo(expected);
        assertThat(ids("yql", SELECT + query.yql())).as(query.yql()).isEqualTo(expected);
        assertThat(ids("select.where", query.json())).as(query.json()).isEqualTo(expected);
        assertThat(ids("yql", SELECT + "userQuery()", "query", query.simple(), "type", query.type))
                .as("userQuery()")
                .isEqualTo(expected);
        assertThat(
                        ids(
                                "yql",
                                SELECT + "{grammar: \"%s\"}userInput(@words)".formatted(query.type),
                                "words",
                                query.simple()))
                .as("userInput()")
                .isEqualTo(expected);
    }

    private Set<String> ids(String... parameters) throws Exception {
        var all = new ArrayList<>(List.of("streaming.groupname", "g", "hits", "400"));
        all.addAll(List.of(parameters));
        JsonNode root = server.root(all.toArray(String[]::new));
        assertThat(root.has("errors")).as("%s", root).isFalse();
        var ids = new TreeSet<String>();
        for (JsonNode hit : root.path("children")) {
            String id = hit.get("id").asString();
            ids.add(id.substring(id.lastIndexOf(':') + 1));
        }
        return ids;
    }
}
