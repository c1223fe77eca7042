package org.crabro.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.FSDirectory;

/** Vectors with a number each in a Lucene index of one segment, searched by its graph. */
public final class LuceneVectors implements AutoCloseable {
    private static final String VECTOR = "vector";
    private static final String PART = "part";
    private static final String ID = "id";

    private final FSDirectory directory;
    private final DirectoryReader reader;
    private final IndexSearcher searcher;

    private LuceneVectors(FSDirectory directory) throws IOException {
        this.directory = directory;
        this.reader = DirectoryReader.open(directory);
        this.searcher = new IndexSearcher(reader);
        this.searcher.setQueryCache(null);
    }

    /** Builds an index of {@code count} vectors on the calling thread. */
    public static LuceneVectors build(
            Path folder,
            int count,
            int links,
            int explored,
            IntFunction<float[]> vectors,
            IntUnaryOperator parts)
            throws IOException {
        FSDirectory directory = FSDirectory.open(folder);
        var config = new IndexWriterConfig();
        config.setMergeScheduler(new SerialMergeScheduler());
        // All vectors are in one segment before it is written, so that each is inserted once.
        config.setRAMBufferSizeMB(2_000);
        config.setCodec(
                new Lucene104Codec() {
                    @Override
                    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
                        return new Lucene99HnswVectorsFormat(links, explored);
                    }
                });
        try (var index = new IndexWriter(directory, config)) {
            for (int i = 0; i < count; i++) {
                var document = new Document();
                document.add(
                        new KnnFloatVectorField(
                                VECTOR, vectors.apply(i), VectorSimilarityFunction.COSINE));
                document.add(new IntPoint(PART, parts.applyAsInt(i)));
                document.add(new NumericDocValuesField(ID, i));
                index.addDocument(document);
            }
            index.forceMerge(1);
            index.commit();
        }
        return new LuceneVectors(directory);
    }

    /**
     * Returns the numbers of the nearest vectors.
     *
     * @param explored how many the graph search keeps
     * @param below the end of the parts that are searched, exclusive
     * @param all the end of all parts
     */
    public int[] nearest(float[] query, int hits, int explored, int below, int all)
            throws IOException {
        Query filter = below == all ? null : IntPoint.newRangeQuery(PART, 0, below - 1);
        ScoreDoc[] nearest =
                searcher.search(new KnnFloatVectorQuery(VECTOR, query, explored, filter), hits)
                        .scoreDocs;
        Arrays.sort(nearest, Comparator.comparingInt(doc -> doc.doc));
        NumericDocValues ids = MultiDocValues.getNumericValues(reader, ID);
        var numbers = new int[nearest.length];
        for (int i = 0; i < nearest.length; i++) {
            ids.advanceExact(nearest[i].doc);
            numbers[i] = (int) ids.longValue();
        }
        return numbers;
    }

    @Override
    public void close() throws IOException {
        reader.close();
        directory.close();
    }
}
