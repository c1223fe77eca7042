package org.crabro.perf;

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
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.crabro.content.recent.RowWrite;
import org.crabro.document.LocationKey;

/**
 * The same documents in a Lucene index that is sorted by group: the id to find a document by, the
 * group to find and to sort by, the row as a value per document. Nothing is durable before the end,
 * and no document replaces one.
 */
final class LuceneFeed {
    private static final int FEEDERS = 4;
    private static final double BUFFER_MB = 64;
    private static final String GROUP = "group";

    private LuceneFeed() {}

    /** Writes all documents, waits for merges, and returns the seconds. */
    static double run(Path folder, List<RowWrite> writes) throws Exception {
        var config = new IndexWriterConfig();
        config.setIndexSort(new Sort(new SortField(GROUP, SortField.Type.STRING)));
        config.setRAMBufferSizeMB(BUFFER_MB);
        config.setUseCompoundFile(false);
        long begin = System.nanoTime();
        try (var directory = FSDirectory.open(folder);
                var index = new IndexWriter(directory, config)) {
            var next = new AtomicInteger();
            Items.onThreads(
                    Executors.newFixedThreadPool(FEEDERS),
                    FEEDERS,
                    () -> {
                        try {
                            for (int i = next.getAndIncrement();
                                    i < writes.size();
                                    i = next.getAndIncrement()) {
                                index.addDocument(document(writes.get(i)));
                            }
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
            index.commit();
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private static Document document(RowWrite write) {
        if (!(write.id().key() instanceof LocationKey.Group(String group))) {
            throw new IllegalArgumentException(write.id() + " is in no group");
        }
        var document = new Document();
        document.add(new StringField("id", write.id().toString(), Store.NO));
        document.add(new StringField(GROUP, group, Store.NO));
        document.add(new SortedDocValuesField(GROUP, new BytesRef(group)));
        document.add(new BinaryDocValuesField("row", new BytesRef(write.row())));
        return document;
    }
}
