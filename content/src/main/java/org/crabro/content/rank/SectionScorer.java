package org.crabro.content.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.crabro.content.match.SectionWords;
import org.crabro.content.query.QueryRejectedException;
import org.crabro.content.query.WorkMeter;
import org.crabro.content.sidecar.IndexedWord;
import org.crabro.content.sidecar.LiveRows;
import org.crabro.content.sidecar.RowLengths;
import org.crabro.content.sidecar.RowSet;
import org.crabro.content.sidecar.WordCursor;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.program.FeatureValues;
import org.crabro.ranking.program.RankProgram;
import org.crabro.ranking.tensor.TensorLimitException;
import org.jspecify.annotations.Nullable;

/**
 * Scores rows of a section by its index, as {@link Scorer} scores them by their columns. For one
 * thread.
 */
public final class SectionScorer {
    private static final int BATCH = 1_024;
    private static final int[] UNKNOWN = {};

    private final Scoring.Program program;
    private final RankProgram.Evaluation evaluation;
    private final int capacity;
    private final WorkMeter work;
    private final int[] rows;
    private final double[] scores;

    /** By word of the set, how often it occurs in each of {@link #rows}. */
    private int[][] frequencies = {};

    /** Receives rows and their scores. */
    public interface Sink {
        /** Adds rows. They follow those of earlier calls for the section. */
        void add(int[] rows, double[] scores, int count);
    }

    /**
     * @param scoring by features that {@link Ranking#isIn indexes know}
     */
    public SectionScorer(Scoring scoring, WorkMeter work) {
        this.program = scoring.firstPhase();
        this.capacity = Math.min(BATCH, program.program().batchMax());
        this.evaluation = program.program().evaluation(capacity, work);
        this.work = work;
        this.rows = new int[capacity];
        this.scores = new double[capacity];
    }

    /**
     * Scores the live rows of a set.
     *
     * @return their number
     */
    public int score(SectionWords words, RowSet set, LiveRows live, Sink into) {
        RowSet.RowCursor cursor = set.cursor();
        int joined = cursor.wordCount();
        if (frequencies.length < joined) {
            frequencies = new int[joined][capacity];
        }
        var features = new ArrayList<Feature>();
        for (FeatureSource source : program.sources()) {
            features.add(feature(source, words, cursor));
        }
        var batch = new Batch(features);
        int total = 0;
        int count = 0;
        for (int row = cursor.advance(0); row != WordCursor.END; row = cursor.advance(row + 1)) {
            if (live.has(row)) {
                for (int word = 0; word < joined; word++) {
                    frequencies[word][count] = cursor.frequency(word);
                }
                rows[count++] = row;
            }
            if (count == capacity) {
                score(batch, count, into);
                total += count;
                count = 0;
            }
        }
        score(batch, count, into);
        return total + count;
    }

    private void score(Batch batch, int count, Sink into) {
        if (count == 0) {
            return;
        }
        work.spend(count);
        try {
            evaluation.evaluate(batch, count, scores);
        } catch (TensorLimitException | ModelFailedException e) {
            throw new QueryRejectedException(String.valueOf(e.getMessage()));
        }
        Scorer.makeFinite(scores, count);
        into.add(rows, scores, count);
    }

    private Feature feature(FeatureSource source, SectionWords words, RowSet.RowCursor cursor) {
        if (source instanceof FeatureSource.Constant(double value)) {
            return (_, into, count) -> Arrays.fill(into, 0, count, value);
        }
        if (source instanceof FeatureSource.Bm25 bm25) {
            return new Bm25(bm25, words, cursor, frequencies);
        }
        throw new IllegalArgumentException("no index knows " + source);
    }

    /** A feature of rows that rise from batch to batch. */
    private interface Feature {
        void read(int[] rows, double[] into, int count);
    }

    /** The features of the current rows. */
    private final class Batch implements FeatureValues {
        private final List<Feature> features;

        Batch(List<Feature> features) {
            this.features = features;
        }

        @Override
        public void read(int slot, double[] into, int count) {
            features.get(slot).read(rows, into, count);
        }
    }

    /** Adds the parts of the terms in the same order as {@link FeatureSource.Bm25}. */
    private static final class Bm25 implements Feature {
        private final FeatureSource.Bm25 source;
        private final RowLengths lengths;

        /** By term, its frequencies if the set has read them; otherwise empty. */
        private final int[][] known;

        /** By term, a cursor if its frequencies are not known. */
        private final @Nullable WordCursor[] terms;

        private final int[] words = new int[BATCH];

        Bm25(
                FeatureSource.Bm25 source,
                SectionWords section,
                RowSet.RowCursor cursor,
                int[][] frequencies) {
            SearchedText text = source.text();
            this.source = source;
            this.lengths = section.lengths(text.scanned());
            this.terms = new WordCursor[text.termCount()];
            this.known = new int[terms.length][];
            for (int term = 0; term < terms.length; term++) {
                IndexedWord word = section.word(text.scanned(), text.pattern(term)).orElseThrow();
                int index = cursor.index(word);
                known[term] = index >= 0 ? frequencies[index] : UNKNOWN;
                terms[term] = index >= 0 ? null : word.cursor();
            }
        }

        @Override
        public void read(int[] rows, double[] into, int count) {
            for (int i = 0; i < count; i++) {
                words[i] = lengths.length(rows[i]);
            }
            Arrays.fill(into, 0, count, 0);
            for (int term = 0; term < terms.length; term++) {
                double weight = source.weight(term);
                WordCursor cursor = terms[term];
                if (cursor == null) {
                    int[] occurrences = known[term];
                    for (int i = 0; i < count; i++) {
                        into[i] += source.part(weight, occurrences[i], words[i]);
                    }
                } else {
                    add(cursor, weight, rows, into, count);
                }
            }
        }

        private void add(WordCursor cursor, double weight, int[] rows, double[] into, int count) {
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                int at = cursor.row() < row ? cursor.advance(row) : cursor.row();
                if (at == row) {
                    into[i] += source.part(weight, cursor.frequency(), words[i]);
                }
            }
        }
    }
}
