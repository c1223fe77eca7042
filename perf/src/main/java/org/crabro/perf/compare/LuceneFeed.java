package org.crabro.perf.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.crabro.document.LocationKey;
import org.crabro.perf.data.Items;
import org.crabro.protocol.feed.Write;

/**
 * The same documents in a Lucene index that is sorted by group: an id to find a document, a group
 * to find and to sort by, and the row as a value per document. Nothing is durable before the end.
 *
 * <p>The set-up is tuned for speed: the same number of feeders and the same memory as the store,
 * default merges, one reused document object per feeder, field strings created in advance, and no
 * compound files, which would be written twice. Vectors are not indexed.
 */
public final class LuceneFeed {
    private static final int FEEDERS = 4;
    private static final double BUFFER_MB = 64;
    private static final String ID = "id";
    private static final String GROUP = "group";

    private LuceneFeed() {}

    /** A document as it is given to Lucene. */
    private record Input(String id, String group, BytesRef row) {
        static Input of(Write.Row write) {
            if (!(write.id().key() instanceof LocationKey.Group(String group))) {
                throw new IllegalArgumentException(write.id() + " is in no group");
            }
            return new Input(write.id().toString(), group, new BytesRef(write.bytes()));
        }
    }

    /**
     * Writes all documents, waits for merges, and returns the seconds.
     *
     * @param mayReplace whether a document replaces one with its id, as it does in the store;
     *     otherwise none is looked for
     */
    public static double run(Path folder, List<Write.Row> writes, boolean mayReplace)
            throws Exception {
        List<Input> inputs = writes.stream().map(Input::of).toList();
        var config = new IndexWriterConfig();
        config.setIndexSort(new Sort(new SortField(GROUP, SortField.Type.STRING)));
        config.setRAMBufferSizeMB(BUFFER_MB);
        config.setUseCompoundFile(false);
        long begin = System.nanoTime();
        // Closing waits for merges.
        try (var directory = FSDirectory.open(folder);
                var index = new IndexWriter(directory, config)) {
            var next = new AtomicInteger();
            Items.onThreads(
                    Executors.newFixedThreadPool(FEEDERS),
                    FEEDERS,
                    () -> {
                        var document = new Filled();
                        try {
                            for (int i = next.getAndIncrement();
                                    i < inputs.size();
                                    i = next.getAndIncrement()) {
                                document.set(inputs.get(i));
                                document.writeTo(index, mayReplace);
                            }
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
            index.commit();
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    /** The document of a feeder. */
    private static final class Filled {
        private final StringField id = new StringField(ID, "", Store.NO);
        private final StringField group = new StringField(GROUP, "", Store.NO);
        private final SortedDocValuesField order = new SortedDocValuesField(GROUP, new BytesRef());
        private final BinaryDocValuesField row = new BinaryDocValuesField("row", new BytesRef());
        private final Document document = new Document();
        private String current = "";

        Filled() {
            document.add(id);
            document.add(group);
            document.add(order);
            document.add(row);
        }

        void set(Input input) {
            current = input.id();
            id.setStringValue(current);
            group.setStringValue(input.group());
            order.setBytesValue(new BytesRef(input.group()));
            row.setBytesValue(input.row());
        }

        void writeTo(IndexWriter index, boolean mayReplace) throws IOException {
            if (mayReplace) {
                index.updateDocument(new Term(ID, current), document);
            } else {
                index.addDocument(document);
            }
        }
    }
}
