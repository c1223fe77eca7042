package org.crabro.content.storage.index;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.text.TextAnalysis;

/**
 * Builds the index of a section. The document number of Lucene is the row number: one thread adds
 * every row, dead or not, and only neighbouring segments are merged, until there is one.
 */
public final class SectionIndexBuilder {
    private static final double MIB = 1 << 20;

    private final LogFiles files;
    private final SectionRows rows;
    private final IndexedFields wanted;
    private final IndexSettings settings;

    /**
     * @param rows all rows of the section
     * @param wanted the fields to index; those that the rows do not have as they are searched are
     *     left out
     */
    public SectionIndexBuilder(
            LogFiles files, SectionRows rows, IndexedFields wanted, IndexSettings settings) {
        this.files = files;
        this.rows = rows;
        this.wanted = wanted;
        this.settings = settings;
    }

    /**
     * Writes the index to {@code path}, and forces it.
     *
     * @param isClosing asked before each block; ends the build when it returns true
     * @throws InterruptedIOException if {@code isClosing}
     * @throws CorruptRunException if a block is damaged
     */
    public void write(String path, IndexedRun run, BooleanSupplier isClosing) throws IOException {
        try (var directory = new BuildDirectory(files, path + ".")) {
            build(directory, run, isClosing);
            IndexFile.write(files, path, directory);
        }
    }

    private void build(BuildDirectory directory, IndexedRun run, BooleanSupplier isClosing)
            throws IOException {
        var config = new IndexWriterConfig();
        var neighbours = new LogDocMergePolicy();
        neighbours.setNoCFSRatio(1);
        config.setOpenMode(IndexWriterConfig.OpenMode.CREATE)
                .setUseCompoundFile(true)
                .setRAMBufferSizeMB(settings.threadBytes() / MIB)
                .setMergePolicy(neighbours)
                .setSimilarity(new ExactLengths())
                .setMergeScheduler(new SerialMergeScheduler())
                .setCommitOnClose(false);
        try (var writer = new IndexWriter(directory, config)) {
            Map<String, String> description = new TreeMap<>(run.text());
            List<FieldRows> fields = fields(description);
            addRows(writer, fields, IdOrder.of(rows, settings.threadBytes()), isClosing);
            writer.forceMerge(1);
            description.put(SectionIndex.WANTED, wanted.text());
            writer.setLiveCommitData(description.entrySet());
            writer.commit();
        }
    }

    /**
     * @param byId the rows in the order of their ids, if it is known
     */
    private void addRows(
            IndexWriter writer, List<FieldRows> fields, int[] byId, BooleanSupplier isClosing)
            throws IOException {
        var document = new ArrayList<IndexableField>();
        int next = 0;
        for (int i = 0; i < rows.blockCount(); i++) {
            if (isClosing.getAsBoolean()) {
                throw new InterruptedIOException("the node is closing");
            }
            EncodedBlock block = rows.block(i);
            for (FieldRows field : fields) {
                field.open(block);
            }
            for (int row = 0; row < block.rowCount(); row++) {
                document.clear();
                for (FieldRows field : fields) {
                    field.add(row, document);
                }
                if (byId.length > 0) {
                    document.add(new NumericDocValuesField(SectionIndex.BY_ID, byId[next++]));
                }
                writer.addDocument(document);
            }
        }
    }

    /**
     * Returns readers of the fields that can be indexed.
     *
     * @param description receives each of them, and what its values are compared with
     */
    private List<FieldRows> fields(Map<String, String> description) {
        DocumentType type = rows.type();
        var fields = new ArrayList<FieldRows>();
        wanted.words()
                .analyses()
                .forEach((name, analysis) -> {
                    long fingerprint = TextAnalysis.fingerprint(analysis);
                    if (type.field(name).isPresent() && haveWords(name, fingerprint)) {
                        fields.add(new FieldRows.Words(name));
                        description.put(SectionIndex.WORDS + name, Long.toString(fingerprint));
                    }
                });
        wanted.values()
                .forEach((name, analysis) -> {
                    if (type.field(name)
                            .map(Field::type)
                            .filter(of -> isText(element(of)))
                            .isPresent()) {
                        fields.add(new FieldRows.Values(name, analysis));
                        description.put(
                                SectionIndex.VALUES + name,
                                Long.toString(TextAnalysis.fingerprint(analysis)));
                    }
                });
        for (String name : wanted.numbers()) {
            if (type.field(name).map(Field::type).filter(of -> isNumber(element(of))).isPresent()) {
                fields.add(new FieldRows.Numbers(name));
                description.put(SectionIndex.NUMBERS + name, "");
            }
        }
        for (String name : wanted.predicates()) {
            if (type.field(name).map(Field::type).filter(Primitive.PREDICATE::equals).isPresent()) {
                fields.add(new PredicateRows(name));
                description.put(SectionIndex.PREDICATES + name, SectionIndex.PREDICATES_VERSION);
            }
        }
        return fields;
    }

    private static FieldType element(FieldType type) {
        return switch (type) {
            case FieldType.ArrayOf(var element) -> element;
            case FieldType.WeightedSetOf(var element) -> element;
            default -> type;
        };
    }

    private static boolean isText(FieldType type) {
        return type instanceof Primitive primitive && primitive.isText();
    }

    private static boolean isNumber(FieldType type) {
        return type instanceof Primitive primitive && NUMBERS.contains(primitive.stored());
    }

    private static final Set<Primitive> NUMBERS =
            Set.of(
                    Primitive.BOOL,
                    Primitive.INT,
                    Primitive.LONG,
                    Primitive.FLOAT,
                    Primitive.DOUBLE);

    /** Returns whether every block that has words of a field stores them as they are searched. */
    private boolean haveWords(String name, long fingerprint) {
        for (int i = 0; i < rows.blockCount(); i++) {
            EncodedBlock block = rows.block(i);
            TokenDictionary dictionary = block.tokenDictionary(name).orElse(null);
            boolean isUsable =
                    dictionary == null
                            ? block.column(name).isEmpty()
                            : dictionary.fingerprint() == fingerprint;
            if (!isUsable) {
                return false;
            }
        }
        return true;
    }
}
