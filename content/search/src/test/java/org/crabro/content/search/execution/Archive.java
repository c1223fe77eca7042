package org.crabro.content.search.execution;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.View;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.BoolValue;
import org.crabro.document.FieldValue.DoubleValue;
import org.crabro.document.FieldValue.FloatValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.LongValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.TensorValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.crabro.tensor.DenseTensor;

/**
 * Random mails, from one seed: as plain documents, and as blocks cut anywhere, with rows that were
 * replaced or removed in between, some of them written with an older type.
 */
public final class Archive implements AutoCloseable {
    /** Few words, so that queries match: with accents, case, and a non-Latin script. */
    static final List<String> WORDS =
            List.of(
                    "blue", "Red", "green", "crème", "Creme", "house", "houses", "mouse", "日本",
                    "x1", "12", "Straße");

    private static final List<String> SEPARATORS = List.of(" ", ", ", "-", "... ", " / ");

    /** Blocks as in memory, and as in files: with tokens, with others than sought, and without. */
    private static final List<Function<DocumentType, BlockWriter>> WRITERS =
            List.of(
                    BlockWriter::new,
                    type -> new BlockWriter(type, Mails.SEARCHED_TEXTS),
                    type -> new BlockWriter(type, Mails.SEARCHED_TEXTS),
                    type -> new BlockWriter(type, Mails.CASED_TEXTS),
                    type -> new BlockWriter(type, SearchedTexts.NONE));

    private final List<Function<DocumentType, BlockWriter>> writers;
    private final Random random;
    private final Arena arena = Arena.ofShared();
    private final List<Document> documents = new ArrayList<>();
    private final List<EncodedBlock> blocks = new ArrayList<>();
    private final List<DeadRows> dead = new ArrayList<>();
    private long timestamp = 1_700_000_000_000_000L;

    /**
     * @param count the number of documents
     */
    public Archive(long seed, int count) {
        this(seed, count, WRITERS);
    }

    /**
     * @param count the number of documents
     * @param writers one is chosen at random for each block; the documents depend only on the
     *     number of writers
     */
    Archive(long seed, int count, List<Function<DocumentType, BlockWriter>> writers) {
        this.writers = writers;
        this.random = new Random(seed);
        var rows = new TreeMap<RowKey, Row>();
        var oldRows = new TreeMap<RowKey, Row>();
        for (int i = 0; i < count; i++) {
            DocumentId id = id(i);
            DocumentType type = random.nextInt(4) == 0 ? Mails.OLD_TYPE : Mails.TYPE;
            Map<String, FieldValue> fields = fields(type);
            Row row = new Row(id, ++timestamp, type.fingerprint(), false, fields);
            if (type.equals(Mails.OLD_TYPE)) {
                // A value of another type than the field has now is no value.
                fields.remove("size");
            }
            documents.add(new Document(id, fields));
            (type.equals(Mails.TYPE) ? rows : oldRows).put(RowKey.of(id), row);
        }
        write(new ArrayList<>(rows.values()), Mails.TYPE, false);
        write(new ArrayList<>(oldRows.values()), Mails.OLD_TYPE, false);
        write(superseded(count / 2), Mails.TYPE, true);
    }

    /** Makes blocks compute token numbers on first use, and returns this. */
    Archive findingWordsLate(SearchedTexts texts) {
        blocks.replaceAll(block -> block.withTokens(texts, arena, _ -> {}));
        return this;
    }

    /** Returns the documents that are not removed. */
    public List<Document> documents() {
        return List.copyOf(documents);
    }

    /** Returns the documents of a range. */
    public List<Document> documents(KeyRange range) {
        return documents.stream()
                .filter(document ->
                        switch (range) {
                            case KeyRange.Everything() -> true;
                            case KeyRange.Group(String name) ->
                                    document.id().key().equals(new LocationKey.Group(name));
                            case KeyRange.Numbered(long value) ->
                                    document.id().key().equals(new LocationKey.Numbered(value));
                        })
                .toList();
    }

    /** Returns the blocks in {@code count} views, in some order. */
    public List<OpenView> views(int count) {
        var parts = new ArrayList<List<Integer>>();
        for (int i = 0; i < count; i++) {
            parts.add(new ArrayList<>());
        }
        for (int block = 0; block < blocks.size(); block++) {
            parts.get(random.nextInt(count)).add(block);
        }
        return parts.stream().map(OpenView::new).toList();
    }

    /** A view of some blocks, which records that it was closed. */
    public final class OpenView implements View {
        private final List<Integer> chosen;
        private int closings;

        OpenView(List<Integer> chosen) {
            this.chosen = chosen;
        }

        @Override
        public List<BlockSlice> slices(String documentType, KeyRange range) {
            if (closings > 0) {
                throw new IllegalStateException("the view is closed");
            }
            var slices = new ArrayList<BlockSlice>();
            for (int index : chosen) {
                EncodedBlock block = blocks.get(index);
                int from = block.from(range);
                int to = block.to(range);
                if (from < to) {
                    slices.add(new BlockSlice(block, from, to, dead.get(index)));
                }
            }
            return slices;
        }

        @Override
        public Optional<LiveRow> find(RowKey key, ReadContext reads) {
            throw new UnsupportedOperationException("no search of this test has parents");
        }

        /** Returns how often the view was closed. */
        public int closings() {
            return closings;
        }

        @Override
        public void close() {
            closings++;
        }
    }

    @Override
    public void close() {
        arena.close();
    }

    /** Returns a text of a few words. */
    String text() {
        var text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(word());
            text.append(SEPARATORS.get(random.nextInt(SEPARATORS.size())));
        }
        return text.toString();
    }

    String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    /** Cuts rows into blocks anywhere; some rows of other blocks are in between. */
    private void write(List<Row> rows, DocumentType type, boolean allDead) {
        int from = 0;
        while (from < rows.size()) {
            int to = Math.min(rows.size(), from + 1 + random.nextInt(30));
            var sorted = new TreeMap<RowKey, Row>();
            var deadKeys = new ArrayList<RowKey>();
            for (Row row : rows.subList(from, to)) {
                sorted.put(RowKey.of(row.id()), row);
                if (allDead) {
                    deadKeys.add(RowKey.of(row.id()));
                }
            }
            // Rows that were here once: removed since, with fields or as tombstones.
            for (int i = random.nextInt(5); i > 0; i--) {
                DocumentId id = id(100_000 + random.nextInt(100_000));
                boolean tombstone = random.nextBoolean();
                Row gone =
                        new Row(
                                id,
                                ++timestamp,
                                type.fingerprint(),
                                tombstone,
                                tombstone ? Map.of() : fields(type));
                if (sorted.putIfAbsent(RowKey.of(id), gone) == null) {
                    deadKeys.add(RowKey.of(id));
                }
            }
            EncodedBlock block =
                    writers.get(random.nextInt(writers.size()))
                            .apply(type)
                            .write(List.copyOf(sorted.values()), arena);
            blocks.add(block);
            int[] deadRows = deadKeys.stream().mapToInt(block::find).sorted().toArray();
            dead.add(DeadRows.of(deadRows));
            from = to;
        }
    }

    /** Returns older versions of some documents, with other values. */
    private List<Row> superseded(int count) {
        var rows = new TreeMap<RowKey, Row>();
        for (int i = 0; i < count && !documents.isEmpty(); i++) {
            DocumentId id = documents.get(random.nextInt(documents.size())).id();
            rows.put(
                    RowKey.of(id),
                    new Row(id, ++timestamp, Mails.TYPE.fingerprint(), false, fields(Mails.TYPE)));
        }
        return new ArrayList<>(rows.values());
    }

    private DocumentId id(int number) {
        LocationKey key =
                switch (random.nextInt(4)) {
                    case 0 -> new LocationKey.Plain();
                    case 1 -> new LocationKey.Numbered(number % 3);
                    default -> new LocationKey.Group("user" + number % 3);
                };
        return new DocumentId("test", "mail", key, "d" + number);
    }

    private Map<String, FieldValue> fields(DocumentType type) {
        var fields = new LinkedHashMap<String, FieldValue>();
        type.fields()
                .forEach(field -> {
                    if (random.nextInt(5) > 0) {
                        fields.put(field.name(), value(field));
                    }
                });
        return fields;
    }

    private FieldValue value(Field field) {
        if (field.type() == FieldType.Primitive.LONG && field.name().equals("size")) {
            return new LongValue(random.nextInt(-3, 4));
        }
        return switch (field.name()) {
            case "title", "body", "stem", "note" -> new StringValue(text());
            case "tags" -> new ArrayValue(strings(this::text));
            case "lang", "code" -> new StringValue(random.nextInt(8) == 0 ? "" : word());
            case "labels" -> new ArrayValue(strings(this::word));
            case "size" -> new IntValue(random.nextInt(-3, 4));
            case "sent" -> new LongValue(Mails.NOW - random.nextLong(-1_000, 10_000_000));
            case "price" -> new FloatValue(random.nextInt(10) / 10f);
            case "weight" -> new DoubleValue(random.nextInt(-2, 3) / 4.0);
            case "read" -> new BoolValue(random.nextBoolean());
            case "vector" -> new TensorValue(DenseTensor.of(Mails.VECTOR, cells(4, 2)));
            case "bits" -> new TensorValue(DenseTensor.of(Mails.BITS, cells(2, 8)));
            default -> throw new IllegalArgumentException(field.name());
        };
    }

    private List<FieldValue> strings(java.util.function.Supplier<String> text) {
        var strings = new ArrayList<FieldValue>();
        for (int i = random.nextInt(3); i > 0; i--) {
            strings.add(new StringValue(text.get()));
        }
        return strings;
    }

    /** Whole numbers: distances are exact, and ties are many. */
    double[] cells(int count, int range) {
        double[] cells = new double[count];
        Arrays.setAll(cells, _ -> random.nextInt(-range, range + 1));
        return cells;
    }

    Random random() {
        return random;
    }
}
