package org.crabro.perf.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.FSDirectory;

/** Texts with a day each in a Lucene index of one segment, queried in this process. */
public final class LuceneTexts implements AutoCloseable {
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

    /** Builds an index of {@code count} texts on the calling thread. */
    public static LuceneTexts build(
            Path folder, int count, IntFunction<byte[]> texts, IntUnaryOperator days)
            throws IOException {
        FSDirectory directory = FSDirectory.open(folder);
        var config = new IndexWriterConfig(new StandardAnalyzer());
        config.setMergeScheduler(new SerialMergeScheduler());
        try (var index = new IndexWriter(directory, config)) {
            for (int i = 0; i < count; i++) {
                var document = new Document();
                document.add(new TextField(TEXT, new String(texts.apply(i), UTF_8), Store.NO));
                document.add(new IntPoint(DAY, days.applyAsInt(i)));
                document.add(new NumericDocValuesField(DAY, days.applyAsInt(i)));
                index.addDocument(document);
            }
            index.forceMerge(1);
            index.commit();
        }
        return new LuceneTexts(directory);
    }

    /** Returns the query for texts with all of some words. */
    public static Query words(List<String> words) {
        var all = new BooleanQuery.Builder();
        words.forEach(word -> all.add(new TermQuery(new Term(TEXT, word)), Occur.MUST));
        return all.build();
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

    /** Finds the ten best texts, and returns how many match. */
    public long best(Query query) throws IOException {
        return searcher.search(
                        query, new TopScoreDocCollectorManager(BEST, null, Integer.MAX_VALUE))
                .totalHits
                .value();
    }

    @Override
    public void close() throws IOException {
        reader.close();
        directory.close();
    }
}
