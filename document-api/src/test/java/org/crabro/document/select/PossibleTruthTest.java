package org.crabro.document.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PossibleTruthTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final long NOW = 1_000;
    private static final int ROUNDS = 20_000;

    private static final long[] WHOLE = {
        0, 1, -1, 5, 995, 1_000, 1_005, Long.MAX_VALUE, Long.MIN_VALUE, (1L << 53) + 1, 1L << 53
    };
    private static final double[] REAL = {
        0, -0.0, 0.5, 5, 1_000, 1e300, Double.NaN, Double.POSITIVE_INFINITY, 0x1p53
    };

    private final Random random = new Random(SEED);

    @Test
    void neverLeavesOutWhatIsMeant() {
        int left = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Document> documents = documents();
            String text = condition(3);
            Selection selection = Selection.parse(text, Music.TYPES);
            boolean isAny =
                    documents.stream()
                            .anyMatch(each ->
                                    selection.of(SelectedDocument.of(each), NOW) == Truth.TRUE);

            boolean mayBe =
                    selection.mayMean(
                            "music", NOW, field -> span(documents, field), Selection.UNLIMITED);

            assertThat(mayBe || !isAny).as("%s of %s, seed %d", text, documents, SEED).isTrue();
            left += mayBe ? 0 : 1;
            for (Document each : documents) {
                boolean isMeant = selection.of(SelectedDocument.of(each), NOW) == Truth.TRUE;
                assertThat(selection.mayMean(each.id(), NOW, Selection.UNLIMITED) || !isMeant)
                        .as("%s of %s, seed %d", text, each, SEED)
                        .isTrue();
            }
        }
        assertThat(left).isGreaterThan(ROUNDS / 20);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "music.year > 10 | true",
                "music.year > 20 | false",
                "music.year < 10 | false",
                "music.year == 15 or music.year > 30 | true",
                "music.year == 25 or music.year > 30 | false",
                "not music.year <= 20 | false",
                "not music.year <= 15 | true",
                "music.expires > now() - 40 | false",
                "music.expires < now() - 50 | true",
                "music.year < 10 and music.title == 'x' | false",
                "music.title == 'x' | true",
                "music.year == null | true",
                "music.year != 99 | true",
                "music.length > 1 | false",
                "book | false",
                "id.namespace == 'x' | true"
            })
    void decidesBySpans(String text, boolean mayBe) {
        Selection selection = Selection.parse(text, Music.TYPES);
        Map<String, NumberSpan> spans =
                Map.of(
                        "year", NumberSpan.ofWhole(10, 20),
                        "expires", NumberSpan.ofWhole(900, 950),
                        "length", NumberSpan.NONE);

        assertThat(
                        selection.mayMean(
                                "music",
                                NOW,
                                field -> Optional.ofNullable(spans.get(field)),
                                Selection.UNLIMITED))
                .isEqualTo(mayBe);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id.namespace == 'n' and music.year > 5 | true",
                "id.namespace == 'm' and music.year > 5 | false",
                "id.user == 3 | false",
                "not (id.namespace == 'n') | false",
                "music.year == null | true"
            })
    void decidesByIds(String text, boolean mayBe) {
        Selection selection = Selection.parse(text, Music.TYPES);

        assertThat(selection.mayMean(DocumentId.parse("id:n:music::1"), NOW, Selection.UNLIMITED))
                .isEqualTo(mayBe);
    }

    private List<Document> documents() {
        var documents = new ArrayList<Document>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            Map<String, FieldValue> fields = new LinkedHashMap<>();
            if (random.nextInt(3) > 0) {
                fields.put("year", new FieldValue.IntValue(random.nextInt(10)));
            }
            if (random.nextInt(3) > 0) {
                fields.put(
                        "expires", new FieldValue.LongValue(WHOLE[random.nextInt(WHOLE.length)]));
            }
            if (random.nextInt(3) > 0) {
                fields.put("length", new FieldValue.DoubleValue(REAL[random.nextInt(REAL.length)]));
            }
            documents.add(
                    new Document(
                            DocumentId.parse("id:n:music:n=%d:1".formatted(random.nextInt(3))),
                            fields));
        }
        return documents;
    }

    private static Optional<NumberSpan> span(List<Document> documents, String field) {
        List<FieldValue> values =
                documents.stream().flatMap(each -> each.value(field).stream()).toList();
        return switch (field) {
            case "length" -> {
                List<Double> numbers =
                        values.stream()
                                .map(each -> ((FieldValue.DoubleValue) each).value())
                                .filter(each -> !Double.isNaN(each))
                                .sorted()
                                .toList();
                yield Optional.of(
                        numbers.isEmpty()
                                ? NumberSpan.ofReal(
                                        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY)
                                : NumberSpan.ofReal(numbers.getFirst(), numbers.getLast()));
            }
            case "year", "expires" -> {
                List<Long> numbers =
                        values.stream()
                                .map(each ->
                                        switch (each) {
                                            case FieldValue.IntValue(int number) -> (long) number;
                                            case FieldValue.LongValue(long number) -> number;
                                            default -> throw new AssertionError(each);
                                        })
                                .sorted()
                                .toList();
                yield Optional.of(
                        numbers.isEmpty()
                                ? NumberSpan.NONE
                                : NumberSpan.ofWhole(numbers.getFirst(), numbers.getLast()));
            }
            default -> Optional.empty();
        };
    }

    private String condition(int depth) {
        if (depth > 0 && random.nextInt(2) == 0) {
            return switch (random.nextInt(3)) {
                case 0 -> "(" + condition(depth - 1) + " and " + condition(depth - 1) + ")";
                case 1 -> "(" + condition(depth - 1) + " or " + condition(depth - 1) + ")";
                default -> "not (" + condition(depth - 1) + ")";
            };
        }
        List<String> operators = List.of("==", "!=", "<", "<=", ">", ">=", "=");
        return switch (random.nextInt(8)) {
            case 0 -> "music";
            case 1 -> "id.user == " + random.nextInt(3);
            case 2 -> number() + " == null";
            default ->
                    number()
                            + " "
                            + operators.get(random.nextInt(operators.size()))
                            + " "
                            + number();
        };
    }

    private String number() {
        return switch (random.nextInt(7)) {
            case 0 -> "music.year";
            case 1 -> "music.expires";
            case 2 -> "music.length";
            case 3 -> "music.year + " + random.nextInt(10);
            case 4 -> "now() - " + random.nextInt(10);
            case 5 -> String.valueOf(WHOLE[random.nextInt(7)]);
            default -> "0.5";
        };
    }
}
