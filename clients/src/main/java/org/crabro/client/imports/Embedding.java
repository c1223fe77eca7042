package org.crabro.client.imports;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The vectors of a schema: one for each part of the texts of a document.
 *
 * @param name the field with the vectors
 * @param sources the fields whose texts are embedded, the title first
 * @param component the id of the embedder
 * @param size the numbers of a vector
 */
public record Embedding(String name, List<String> sources, String component, int size) {
    /** The characters of a part: a model of usual size reads them as a whole. */
    private static final int PART_CHARS = 1_000;

    /** The number of best hits that words and vectors are fused for. */
    private static final int FUSED_MAX = 200;

    /** Vectors of that many documents are hits although the words do not match. */
    private static final int NEAREST = 100;

    private static final String NAME = "part_vectors";

    /** Fields with the titles and the main texts of documents, in this order. */
    private static final List<String> MAIN =
            List.of(
                    "title",
                    "subject",
                    "headline",
                    "name",
                    "summary",
                    "text",
                    "body",
                    "content",
                    "message",
                    "description",
                    "abstract",
                    "note",
                    "notes",
                    "comment",
                    "review");

    private static final Pattern WRITTEN =
            Pattern.compile(
                    "field (\\w+) type tensor<bfloat16>\\(part\\{\\}, x\\[(\\d{1,5})\\]\\) \\{\\s+indexing: (.*) \\| chunk"
                            + " fixed-length \\d+ \\| embed (\\w+) part \\| attribute");
    private static final Pattern SOURCE = Pattern.compile("input (\\w+) ");

    public Embedding {
        sources = List.copyOf(sources);
    }

    /**
     * Returns vectors of the main texts of a schema; empty if it has no texts.
     *
     * @param component the id of the embedder
     */
    public static Optional<Embedding> of(GuessedSchema schema, String component, int size) {
        List<String> texts = schema.textFields();
        List<String> main =
                MAIN.stream()
                        .flatMap(name ->
                                texts.stream()
                                        .filter(each -> each.toLowerCase(Locale.ROOT).equals(name)))
                        .toList();
        if (texts.isEmpty()) {
            return Optional.empty();
        }
        Set<String> taken =
                schema.fields().stream().map(GuessedField::name).collect(Collectors.toSet());
        return Optional.of(
                new Embedding(free(taken), main.isEmpty() ? texts : main, component, size));
    }

    private static String free(Collection<String> taken) {
        String name = NAME;
        for (int number = 2; taken.contains(name); number++) {
            name = NAME + "_" + number;
        }
        return name;
    }

    /** Returns the vectors of a schema that an import has written; empty if it has none. */
    public static Optional<Embedding> in(String schema) {
        Matcher field = WRITTEN.matcher(schema);
        return field.find()
                ? Optional.of(
                        new Embedding(
                                field.group(1),
                                SOURCE.matcher(field.group(3))
                                        .results()
                                        .map(each -> each.group(1))
                                        .toList(),
                                field.group(4),
                                Integer.parseInt(field.group(2))))
                : Optional.empty();
    }

    /** Returns the field with the vectors. */
    String field() {
        return """

          # The meaning of each part of a document, as numbers that a model makes of it.
          field %s type tensor<bfloat16>(part{}, x[%d]) {
            indexing: %s | chunk fixed-length %d | embed %s part | attribute
            attribute {
              distance-metric: prenormalized-angular
            }
          }
        """
                .formatted(
                        name,
                        size,
                        sources.stream()
                                .map("(input %s || \"\")"::formatted)
                                .collect(Collectors.joining(" . \". \" . ")),
                        PART_CHARS,
                        component);
    }

    /** Returns the rank profile that fuses words and meaning. */
    String profile(List<String> words) {
        return """

          # By words and meaning: documents that are among the best of both come first.
          rank-profile fused {
            inputs {
              query(q) tensor<float>(x[%d])
            }
            function words() {
              expression: %s
            }
            # 0 without a vector. Otherwise the nearest part counts.
            function meaning() {
              expression: closeness(field, %s)
            }
            first-phase {
              expression: words + meaning
            }
            global-phase {
              expression: reciprocal_rank_fusion(words, meaning)
              rerank-count: %d
            }
          }
        """
                .formatted(
                        size,
                        words.stream()
                                .map("bm25(%s)"::formatted)
                                .collect(Collectors.joining(" + ")),
                        name,
                        FUSED_MAX);
    }

    /**
     * Returns the query profile that searches by words and meaning.
     *
     * @param id of the profile
     * @param typeName the document type
     */
    public String queryProfile(String id, String typeName) {
        return """
        <!-- Written by crabro import. Documents of words and meaning: the parameter query. -->
        <query-profile id="%s">
          <field name="yql">select * from %s where ({grammar:"all", typos:true}userInput(@query)) or ({targetHits:%d}nearestNeighbor(%s, q))</field>
          <field name="input.query(q)">embed(%s, @query)</field>
          <field name="ranking">fused</field>
        </query-profile>
        """
                .formatted(id, typeName, NEAREST, name, component);
    }
}
