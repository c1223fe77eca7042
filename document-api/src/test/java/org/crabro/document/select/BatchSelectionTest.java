package org.crabro.document.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the evaluation of many rows has the same results as that of single rows. */
class BatchSelectionTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final long NOW = 1_000;
    private static final int ROUNDS = 10_000;

    private static final long[] WHOLE = {
        0, 1, -1, 3, 5, 995, 1_000, Long.MAX_VALUE, Long.MIN_VALUE, (1L << 53) + 1, 1L << 53
    };
    private static final double[] REAL = {
        0, -0.0, 0.5, 3, 5, 1_000, 1e300, Double.NaN, Double.POSITIVE_INFINITY, 0x1p53
    };
    private static final List<String> TEXTS =
            List.of("", "a", "ab", "A fine jazz", "Ä", "\uE000", "😀", "b*", "id:ns:label::a");

    private final Random random = new Random(SEED);

    /** Columns of documents, in one of several representations. */
    private static final class Rows implements SelectedRows {
        private final List<Document> documents;
        private final boolean areTextsCoded;
        private final boolean isOther;
        private int built;

        Rows(List<Document> documents, boolean areTextsCoded, boolean isOther) {
            this.documents = documents;
            this.areTextsCoded = areTextsCoded;
            this.isOther = isOther;
        }

        @Override
        public SelectedDocument document(int row) {
            built++;
            return SelectedDocument.of(documents.get(row));
        }

        private FieldValue value(String field, int row) {
            return documents.get(row).value(field).orElseThrow();
        }

        @Override
        public SelectedColumn column(String field) {
            Optional<FieldValue> any =
                    documents.stream().flatMap(each -> each.value(field).stream()).findFirst();
            if (any.isEmpty()) {
                return new SelectedColumn.Unset();
            }
            if (isOther) {
                return new SelectedColumn.Other();
            }
            return switch (any.get()) {
                case FieldValue.Scalar _ -> numbers(field);
                case FieldValue.StringValue _ -> texts(field);
                default -> new SelectedColumn.Other();
            };
        }

        private SelectedColumn.Numbers numbers(String field) {
            return new SelectedColumn.Numbers() {
                @Override
                public boolean isSet(int row) {
                    return documents.get(row).value(field).isPresent();
                }

                @Override
                public boolean isWhole() {
                    return !field.equals("length");
                }

                @Override
                public long whole(int row) {
                    return switch (value(field, row)) {
                        case FieldValue.BoolValue(var bool) -> bool ? 1 : 0;
                        case FieldValue.IntValue(var number) -> number;
                        case FieldValue.LongValue(var number) -> number;
                        default -> throw new AssertionError(field);
                    };
                }

                @Override
                public double real(int row) {
                    return value(field, row) instanceof FieldValue.DoubleValue(var number)
                            ? number
                            : whole(row);
                }
            };
        }

        private SelectedColumn.Texts texts(String field) {
            List<String> distinct =
                    List.copyOf(
                            new TreeSet<>(
                                    documents.stream()
                                            .flatMap(each -> each.value(field).stream())
                                            .map(each -> ((FieldValue.StringValue) each).value())
                                            .toList()));
            return new SelectedColumn.Texts() {
                @Override
                public boolean isSet(int row) {
                    return documents.get(row).value(field).isPresent();
                }

                @Override
                public String text(int row) {
                    return ((FieldValue.StringValue) value(field, row)).value();
                }

                @Override
                public int compare(int row, byte[] text) {
                    return Arrays.compareUnsigned(text(row).getBytes(StandardCharsets.UTF_8), text);
                }

                @Override
                public int codeCount() {
                    return areTextsCoded ? distinct.size() : 0;
                }

                @Override
                public int code(int row) {
                    return distinct.indexOf(text(row));
                }

                @Override
                public String textOf(int code) {
                    return distinct.get(code);
                }
            };
        }

        @Override
        public int head(int row) {
            return documents.get(row).id().namespace().length();
        }

        @Override
        public int group(int row) {
            String key = documents.get(row).id().key().text();
            return List.copyOf(
                            new TreeSet<>(
                                    documents.stream()
                                            .map(each -> each.id().key().text())
                                            .toList()))
                    .indexOf(key);
        }
    }

    private static List<Integer> selected(BatchSelection batches, List<Integer> from) {
        int[] batch = from.stream().mapToInt(Integer::intValue).toArray();
        int count = batches.select(batch, batch.length);
        return Arrays.stream(batch, 0, count).boxed().toList();
    }

    @Test
    void saysWhatTheTreeSays() {
        int meant = 0;
        int passed = 0;
        int columnar = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String text = condition(3);
            Selection selection = Selection.parse(text, Music.TYPES);
            String type =
                    random.nextInt(4) == 0 ? "single" : random.nextInt(9) == 0 ? "book" : "music";
            BatchSelection batches = selection.batches(type, NOW, Selection.UNLIMITED);
            // More than once, so that state left from one block would be detected at the next.
            for (int block = 0; block < 2; block++) {
                List<Document> documents = documents(type);
                var rows = new Rows(documents, random.nextBoolean(), random.nextInt(8) == 0);
                batches.enter(rows);
                var asked = new ArrayList<Integer>();
                for (int row = 0; row < documents.size(); row++) {
                    if (random.nextInt(4) > 0) {
                        asked.add(row);
                    }
                }

                List<Integer> selected = selected(batches, asked);

                assertThat(selected)
                        .as("%s of %s, seed %d", text, documents, SEED)
                        .isEqualTo(
                                asked.stream()
                                        .filter(row ->
                                                selection.of(
                                                                SelectedDocument.of(
                                                                        documents.get(row)),
                                                                NOW)
                                                        == Truth.TRUE)
                                        .toList());
                meant += selected.size();
                passed += asked.size() - selected.size();
                columnar += rows.built == 0 ? 1 : 0;
            }
        }
        assertThat(meant).isGreaterThan(ROUNDS);
        assertThat(passed).isGreaterThan(ROUNDS);
        assertThat(columnar).isGreaterThan(ROUNDS / 4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "music.year > 3",
                "music.year % 2 == 1 and music.expires > now() - 86400",
                "not (music.length - music.year).abs() < 2.5",
                "music.title == 'ab' or music.title = '*a*' or music.title =~ '^A'",
                "music.title.lowercase() == 'ab' and music.artist.hash() % 2 == 0",
                "music.live == true and music.title != null",
                "id.namespace == 'ns' and music and not book",
            })
    void buildsNoDocuments(String text) {
        BatchSelection batches =
                Selection.parse(text, Music.TYPES).batches("music", NOW, Selection.UNLIMITED);
        var documents = new ArrayList<Document>();
        for (int i = 0; i < 60; i++) {
            documents.addAll(documents("music"));
        }
        var rows = new Rows(documents.subList(0, 60), true, false);
        batches.enter(rows);

        selected(batches, java.util.stream.IntStream.range(0, 60).boxed().toList());

        // Of a namespace one.
        assertThat(rows.built).isLessThanOrEqualTo(2);
    }

    @Test
    void looksAtEachGroupOnce() {
        BatchSelection batches =
                Selection.parse("id.group == 'a' or id.user == 1", Music.TYPES)
                        .batches("music", NOW, Selection.UNLIMITED);
        var documents = new ArrayList<Document>();
        for (int i = 0; i < 60; i++) {
            documents.add(
                    new Document(
                            DocumentId.parse("id:ns:music:" + (i < 30 ? "g=a" : "n=1") + ":" + i),
                            Map.of()));
        }
        var rows = new Rows(documents, true, false);
        batches.enter(rows);

        List<Integer> selected =
                selected(batches, java.util.stream.IntStream.range(0, 60).boxed().toList());

        // The group is invalid of numbers, the number of groups: either alone is enough.
        assertThat(selected).hasSize(60);
        assertThat(rows.built).isLessThanOrEqualTo(3);
    }

    private List<Document> documents(String type) {
        var documents = new ArrayList<Document>();
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
            Map<String, FieldValue> fields = new LinkedHashMap<>();
            if (type.equals("book")) {
                put(fields, "pages", new FieldValue.IntValue(random.nextInt(10)));
                put(fields, "title", text());
            } else {
                put(fields, "year", new FieldValue.IntValue(random.nextInt(10)));
                put(
                        fields,
                        "expires",
                        new FieldValue.LongValue(WHOLE[random.nextInt(WHOLE.length)]));
                put(
                        fields,
                        "length",
                        new FieldValue.DoubleValue(REAL[random.nextInt(REAL.length)]));
                put(fields, "live", new FieldValue.BoolValue(random.nextBoolean()));
                put(fields, "title", text());
                put(fields, "artist", text());
                put(fields, "label", text());
                put(fields, "cover", text());
                put(fields, "tags", new FieldValue.ArrayValue(List.of(text(), text())));
                put(fields, "props", new FieldValue.MapValue(Map.of(text(), text())));
                put(
                        fields,
                        "counts",
                        new FieldValue.MapValue(
                                Map.of(
                                        new FieldValue.IntValue(random.nextInt(2)),
                                        new FieldValue.IntValue(random.nextInt(3)))));
                put(
                        fields,
                        "tracks",
                        new FieldValue.ArrayValue(
                                List.of(new FieldValue.StructValue(Map.of("name", text())))));
                put(fields, "first", new FieldValue.StructValue(Map.of("name", text())));
            }
            String key =
                    switch (random.nextInt(4)) {
                        case 0 -> "g=a";
                        case 1 -> "g=b";
                        case 2 -> "n=" + random.nextInt(3);
                        default -> "";
                    };
            documents.add(
                    new Document(
                            DocumentId.parse(
                                    "id:%s:%s:%s:%d"
                                            .formatted(
                                                    random.nextBoolean() ? "n" : "ns",
                                                    type,
                                                    key,
                                                    random.nextInt(3))),
                            fields));
        }
        return documents;
    }

    private void put(Map<String, FieldValue> fields, String name, FieldValue value) {
        if (random.nextInt(3) > 0) {
            fields.put(name, value);
        }
    }

    private FieldValue text() {
        return new FieldValue.StringValue(TEXTS.get(random.nextInt(TEXTS.size())));
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private String condition(int depth) {
        if (depth > 0 && random.nextInt(2) == 0) {
            return switch (random.nextInt(3)) {
                case 0 -> "(" + condition(depth - 1) + " and " + condition(depth - 1) + ")";
                case 1 -> "(" + condition(depth - 1) + " or " + condition(depth - 1) + ")";
                default -> "not (" + condition(depth - 1) + ")";
            };
        }
        String operator = oneOf(List.of("==", "!=", "<", "<=", ">", ">=", "="));
        return switch (random.nextInt(14)) {
            case 0 -> oneOf(List.of("music", "single", "book", "true", "false", "1 == 1"));
            case 1 -> oneOf(List.of("music.title", "music.tags", "music.live", "book.title"));
            case 2 -> oneOf(List.of("id.user == ", "id.user != ")) + random.nextInt(3);
            case 3 ->
                    oneOf(
                            List.of(
                                    "id.group == 'a'",
                                    "id.namespace == 'ns'",
                                    "id.type = 'm*'",
                                    "id.specific == '1'",
                                    "id = 'id:ns:*'",
                                    "id.hash().abs() % 2 == 0",
                                    "id.namespace + id.group == 'nsa'",
                                    "id.scheme != 'id'"));
            case 4 -> number() + oneOf(List.of(" == ", " != ", " < ")) + "null";
            case 5, 6 -> string() + " " + operator + " " + string();
            case 7 -> string() + " =~ '" + oneOf(List.of("a", "^A.*z$", "😀", "")) + "'";
            case 8 ->
                    oneOf(
                                    List.of(
                                            "music.tags",
                                            "music.props.key",
                                            "music.props",
                                            "music.first.name",
                                            "music.tracks[0].name",
                                            "music.tracks.name",
                                            "music.props{a}"))
                            + " "
                            + operator
                            + " "
                            + string();
            case 9 -> "music.counts{$k} " + operator + " 1 and music.counts{$k} != $k";
            case 10 -> string() + " " + operator + " " + number();
            case 11 -> "music.label_name " + operator + " " + string();
            default -> number() + " " + operator + " " + number();
        };
    }

    private String string() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> "music.title";
            case 2 -> "music.artist";
            case 3 -> oneOf(List.of("music.label", "book.title", "music.cover"));
            case 4 -> "music.title.lowercase()";
            case 5 -> "music.title + 'a'";
            default -> "'" + oneOf(TEXTS) + "'";
        };
    }

    private String number() {
        return switch (random.nextInt(12)) {
            case 0, 1 -> "music.year";
            case 2 -> "music.expires";
            case 3 -> "music.length";
            case 4 -> "music.year + " + random.nextInt(10);
            case 5 -> "now() - " + random.nextInt(10);
            case 6 -> String.valueOf(WHOLE[random.nextInt(8)]);
            case 7 -> "music.live";
            case 8 -> "(music.year - 5).abs() * music.length / music.expires";
            case 9 -> "music.expires % " + random.nextInt(3);
            case 10 -> oneOf(List.of("book.pages", "music.title.hash() % 3", "music.year.hash()"));
            default -> "0.5";
        };
    }
}
