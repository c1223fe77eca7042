package org.crabro.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Texts with an id and a day each in a Lucene index, queried in this process: as the writer left
 * it, merged into one segment, or in some equal segments.
 */
public final class LuceneTexts implements AutoCloseable {
    private static final String ID = "id";
    private static final String TEXT = "text";
    private static final String DAY = "day";
    private static final int BEST = 10;

    private final FSDirectory directory;
    private final DirectoryReader reader;
    private final IndexSearcher searcher;

    private LuceneTexts(FSDirectory directory) throws IOException {
        this.directory = directory;
        this.reader = DirectoryReader.open(directory);
        this.searcher = new IndexSearcher(reader);
        // Each query would be answered from the cache after a few rounds.
        this.searcher.setQueryCache(null);
    }

    /** The values of a text. */
    public record Entry(String id, String text, int day) {}

    /**
     * The best texts of a query.
     *
     * @param count of all texts that match
     * @param ids the best first
     */
    public record Best(long count, List<String> ids) {}

    /** Builds an index of {@code count} texts on the calling thread, with the usual merges. */
    public static LuceneTexts build(Path folder, int count, IntFunction<Entry> entries)
            throws IOException {
        return build(folder, count, entries, config());
    }

    /** Builds an index of {@code count} texts in a number of equal segments. */
    public static LuceneTexts inSegments(
            Path folder, int count, IntFunction<Entry> entries, int segments) throws IOException {
        IndexWriterConfig config = config();
        config.setMergePolicy(NoMergePolicy.INSTANCE);
        config.setMaxBufferedDocs(Math.ceilDiv(count, segments));
        config.setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
        return build(folder, count, entries, config);
    }

    private static LuceneTexts build(
            Path folder, int count, IntFunction<Entry> entries, IndexWriterConfig config)
            throws IOException {
        FSDirectory directory = FSDirectory.open(folder);
        try (var index = new IndexWriter(directory, config)) {
            for (int i = 0; i < count; i++) {
                index.addDocument(document(entries.apply(i)));
            }
            index.commit();
        }
        return new LuceneTexts(directory);
    }

    static Document document(Entry entry) {
        var document = new Document();
        document.add(new BinaryDocValuesField(ID, new BytesRef(entry.id())));
        document.add(new TextField(TEXT, entry.text(), Store.NO));
        document.add(new IntPoint(DAY, entry.day()));
        document.add(new NumericDocValuesField(DAY, entry.day()));
        return document;
    }

    /** Merges a copy of the index into one segment, on the calling thread. */
    public LuceneTexts merged(Path folder) throws IOException {
        FSDirectory copy = FSDirectory.open(folder);
        try (var index = new IndexWriter(copy, config())) {
            index.addIndexes(directory);
            index.forceMerge(1);
            index.commit();
        }
        return new LuceneTexts(copy);
    }

    private static IndexWriterConfig config() {
        var config = new IndexWriterConfig(new StandardAnalyzer());
        config.setMergeScheduler(new SerialMergeScheduler());
        return config;
    }

    /** Returns the number of segments. */
    public int segmentCount() {
        return reader.leaves().size();
    }

    /** Returns the total length of the files in bytes. */
    public long byteCount() throws IOException {
        long sum = 0;
        for (String file : directory.listAll()) {
            sum += directory.fileLength(file);
        }
        return sum;
    }

    /** Returns the query for texts with all of some words. */
    public static Query words(List<String> words) {
        var all = new BooleanQuery.Builder();
        words.forEach(word -> all.add(new TermQuery(new Term(TEXT, word)), Occur.MUST));
        return all.build();
    }

    /** Returns the query for texts with any of some words. */
    public static Query anyOf(List<String> words) {
        var any = new BooleanQuery.Builder();
        words.forEach(word -> any.add(new TermQuery(new Term(TEXT, word)), Occur.SHOULD));
        return any.build();
    }

    /** Returns the query for texts with consecutive words. */
    public static Query phrase(List<String> words) {
        return new PhraseQuery(TEXT, words.toArray(String[]::new));
    }

    /** Returns the query for texts with days in a range, both ends included. */
    public static Query days(int low, int high) {
        return IntPoint.newRangeQuery(DAY, low, high);
    }

    /** Returns how many texts match. */
    public int count(Query query) throws IOException {
        return searcher.count(query);
    }

    /** Finds the ten best texts, and counts all that match. */
    public Best best(Query query) throws IOException {
        return best(searcher, query);
    }

    static Best best(IndexSearcher searcher, Query query) throws IOException {
        TopDocs best =
                searcher.search(
                        query, new TopScoreDocCollectorManager(BEST, null, Integer.MAX_VALUE));
        var ids = new ArrayList<String>();
        for (ScoreDoc each : best.scoreDocs) {
            ids.add(id(searcher.getLeafContexts(), each.doc));
        }
        return new Best(best.totalHits.value(), ids);
    }

    private static String id(List<LeafReaderContext> leaves, int document) throws IOException {
        LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document, leaves));
        BinaryDocValues ids = leaf.reader().getBinaryDocValues(ID);
        if (!ids.advanceExact(document - leaf.docBase)) {
            throw new IllegalStateException("document %d has no id".formatted(document));
        }
        return ids.binaryValue().utf8ToString();
    }

    @Override
    public void close() throws IOException {
        reader.close();
        directory.close();
    }
}
