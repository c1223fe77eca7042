package org.crabro.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.codecs.hnsw.FlatVectorScorerUtil;
import org.apache.lucene.codecs.lucene95.HasIndexSlice;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.VectorUtil;
import org.apache.lucene.util.hnsw.RandomVectorScorer;

/** Rows of bytes in a file, as Lucene maps them and compares them with a query. */
final class LuceneRows implements AutoCloseable {
    private final MMapDirectory folder;
    private final IndexInput input;
    private final RandomVectorScorer scorer;
    private final int count;

    /**
     * Maps a file of rows.
     *
     * @throws IllegalStateException if Lucene would copy the rows out of the mapping first: its
     *     vectorized scorers are not there
     */
    LuceneRows(Path file, byte[] query) throws IOException {
        folder = new MMapDirectory(file.toAbsolutePath().getParent());
        input = folder.openInput(file.getFileName().toString(), IOContext.DEFAULT);
        var rows = new Mapped(input, query.length);
        count = rows.size();
        scorer =
                FlatVectorScorerUtil.getLucene99FlatVectorsScorer()
                        .getRandomVectorScorer(VectorSimilarityFunction.DOT_PRODUCT, rows, query);
        if (!scorer.getClass().getName().contains("MemorySegment")) {
            throw new IllegalStateException("Lucene is not vectorized: " + scorer.getClass());
        }
    }

    /** Computes the dot products of all rows, over the mapping; returns their sum. */
    double mappedDots() throws IOException {
        double sum = 0;
        for (int row = 0; row < count; row++) {
            sum += scorer.score(row);
        }
        return sum;
    }

    /** Computes the dot products of rows that are arrays; returns their sum. */
    static double arrayDots(byte[][] rows, byte[] query) {
        double sum = 0;
        for (byte[] row : rows) {
            sum += VectorUtil.dotProduct(query, row);
        }
        return sum;
    }

    /** Returns the rows, read into arrays. */
    byte[][] arrays() throws IOException {
        byte[][] arrays = new byte[count][];
        var rows = new Mapped(input, (int) (input.length() / count));
        for (int row = 0; row < count; row++) {
            arrays[row] = rows.vectorValue(row);
        }
        return arrays;
    }

    @Override
    public void close() throws IOException {
        input.close();
        folder.close();
    }

    /** The vectors of a field in the form that Lucene's scorers need. */
    private static final class Mapped extends ByteVectorValues implements HasIndexSlice {
        private final IndexInput input;
        private final int cells;

        Mapped(IndexInput input, int cells) {
            this.input = input;
            this.cells = cells;
        }

        @Override
        public int dimension() {
            return cells;
        }

        @Override
        public int size() {
            return (int) (input.length() / cells);
        }

        @Override
        public byte[] vectorValue(int row) throws IOException {
            byte[] value = new byte[cells];
            input.seek((long) row * cells);
            input.readBytes(value, 0, cells);
            return value;
        }

        @Override
        public ByteVectorValues copy() {
            return new Mapped(input.clone(), cells);
        }

        @Override
        public IndexInput getSlice() {
            return input;
        }
    }
}
