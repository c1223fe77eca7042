package org.crabro.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.FSDirectory;

/**
 * Texts in a Lucene index that are updated while they are searched. A search sees all updates
 * before it, so it opens what is new. Updates are not forced to the disk. Several threads may
 * update, and one may search.
 */
public final class UpdatedLuceneTexts implements AutoCloseable {
    private static final String KEY = "key";

    private final FSDirectory directory;
    private final IndexWriter writer;
    private DirectoryReader reader;

    private UpdatedLuceneTexts(FSDirectory directory, IndexWriter writer) throws IOException {
        this.directory = directory;
        this.writer = writer;
        this.reader = DirectoryReader.open(writer);
    }

    /** Builds an index of {@code count} texts, with the usual merges. */
    public static UpdatedLuceneTexts build(
            Path folder, int count, IntFunction<LuceneTexts.Entry> entries) throws IOException {
        FSDirectory directory = FSDirectory.open(folder);
        var writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()));
        for (int i = 0; i < count; i++) {
            writer.addDocument(document(entries.apply(i)));
        }
        writer.commit();
        return new UpdatedLuceneTexts(directory, writer);
    }

    private static Document document(LuceneTexts.Entry entry) {
        Document document = LuceneTexts.document(entry);
        document.add(new StringField(KEY, entry.id(), Store.NO));
        return document;
    }

    /** Replaces the text with an id. */
    public void update(LuceneTexts.Entry entry) throws IOException {
        writer.updateDocument(new Term(KEY, entry.id()), document(entry));
    }

    /** Finds the ten best texts, and counts all that match. */
    public LuceneTexts.Best best(Query query) throws IOException {
        DirectoryReader newer = DirectoryReader.openIfChanged(reader, writer);
        if (newer != null) {
            reader.close();
            reader = newer;
        }
        var searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        return LuceneTexts.best(searcher, query);
    }

    /** Returns the number of texts that the last search saw. */
    public int count() {
        return reader.numDocs();
    }

    @Override
    public void close() throws IOException {
        reader.close();
        writer.close();
        directory.close();
    }
}
