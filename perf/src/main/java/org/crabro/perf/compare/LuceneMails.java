package org.crabro.perf.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.crabro.perf.compare.MailsBenchmark.Mail;

/**
 * Mails in a Lucene index that is sorted by user and merged into one segment, queried in this
 * process. Caches and all other settings have their defaults.
 */
final class LuceneMails implements AutoCloseable {
    private static final String USER = "user";
    private static final String BODY = "body";
    private static final String DATE = "date";
    private static final String ID = "id";
    private static final int BEST = 10;

    private final FSDirectory directory;
    private final DirectoryReader reader;
    private final IndexSearcher searcher;

    LuceneMails(Path folder, List<Mail> mails) throws IOException {
        directory = FSDirectory.open(folder);
        var config = new IndexWriterConfig(new StandardAnalyzer());
        config.setIndexSort(new Sort(new SortField(USER, SortField.Type.STRING)));
        try (var index = new IndexWriter(directory, config)) {
            for (Mail mail : mails) {
                var document = new Document();
                document.add(new StringField(ID, mail.id(), Store.YES));
                document.add(new StringField(USER, mail.user(), Store.NO));
                document.add(new SortedDocValuesField(USER, new BytesRef(mail.user())));
                document.add(new LongField(DATE, mail.date(), Store.NO));
                document.add(new TextField(BODY, new String(mail.body(), UTF_8), Store.NO));
                index.addDocument(document);
            }
            index.forceMerge(1);
            index.commit();
        }
        reader = DirectoryReader.open(directory);
        searcher = new IndexSearcher(reader);
    }

    private static Query query(String user, String word, long from) {
        return new BooleanQuery.Builder()
                .add(new TermQuery(new Term(BODY, word)), Occur.MUST)
                .add(new TermQuery(new Term(USER, user)), Occur.FILTER)
                .add(LongField.newRangeQuery(DATE, from, Long.MAX_VALUE), Occur.FILTER)
                .build();
    }

    /** Returns how many mails of a user from a date on have a word. */
    int count(String user, String word, long from) throws IOException {
        return searcher.count(query(user, word, from));
    }

    /** Finds the ten best of them with their ids, and returns how many they are. */
    int best(String user, String word, long from) throws IOException {
        ScoreDoc[] hits = searcher.search(query(user, word, from), BEST).scoreDocs;
        StoredFields stored = searcher.storedFields();
        int count = 0;
        for (ScoreDoc hit : hits) {
            count += stored.document(hit.doc).get(ID).isEmpty() ? 0 : 1;
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        reader.close();
        directory.close();
    }
}
