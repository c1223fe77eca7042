package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.ToIntFunction;
import org.crabro.content.search.match.SectionWords;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.index.BestPairs;
import org.crabro.content.storage.index.IndexedWord;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.index.RowLengths;
import org.crabro.content.storage.index.RowSet;
import org.crabro.content.storage.index.SeveralWords;
import org.crabro.content.storage.index.WordBlocks;
import org.crabro.content.storage.index.WordCursor;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.program.BatchEvaluation;
import org.crabro.ranking.program.FeatureValues;
import org.crabro.ranking.tensor.TensorLimitException;
import org.jspecify.annotations.Nullable;

/**
 * Scores rows of a section by its index, as {@link Scorer} scores them by their columns. For one
 * thread.
 */
public final class SectionScorer {
    private static final int BATCH = 1_024;

    /** Larger than the relative errors of all operations of a feature. */
    private static final double ROUNDING = 1 + 1e-9;

    private final Scoring.Program program;
    private final BatchEvaluation evaluation;
    private final int capacity;
    private final WorkMeter work;
    private final int[] rows;
    private final double[] scores;

    /** The numbers of words of the rows of a batch. */
    private final long[] words = new long[BATCH];

    /** By word of the set, how often it occurs in each of {@link #rows}. */
    private int[][] frequencies = {};

    /** Whether a score never falls if a word occurs more often, or in a shorter text. */
    private final boolean isRising;

    /** Receives rows and their scores. */
    public interface Sink {
        /** Returns the score from which on rows are of use. It never falls. */
        double least();

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
        this.isRising = program.program().isRising() && areRising(program.sources());
    }

    private static boolean areRising(List<FeatureSource> sources) {
        for (FeatureSource source : sources) {
            boolean isRising =
                    source instanceof FeatureSource.Constant
                            || (source instanceof FeatureSource.Bm25 bm25 && bm25.isRising());
            if (!isRising) {
                return false;
            }
        }
        return true;
    }

    /** Returns the score of every row; empty if it depends on the row. */
    public OptionalDouble everyScore() {
        for (FeatureSource source : program.sources()) {
            if (!(source instanceof FeatureSource.Constant)) {
                return OptionalDouble.empty();
            }
        }
        evaluate((slot, into, count) -> Arrays.fill(into, 0, count, constant(slot)), 1);
        return OptionalDouble.of(scores[0]);
    }

    private double constant(int slot) {
        return ((FeatureSource.Constant) program.sources().get(slot)).value();
    }

    /**
     * Scores the live rows of a set. Rows are left out if their scores are of no use.
     *
     * @return the number of all live rows
     */
    public int score(SectionWords words, RowSet set, LiveRows live, Sink into) {
        if (set.isEmpty()) {
            return 0;
        }
        IndexedWord word = set.word().orElse(null);
        WordBlocks blocks = word == null || !isRising ? null : word.blocks().orElse(null);
        if (word != null && blocks != null) {
            scoreUseful(words, word, blocks, live, into);
            return word.count(live);
        }
        SeveralWords several = isRising ? set.several(live).orElse(null) : null;
        if (several != null) {
            scoreUseful(words, several, into);
            return several.count();
        }
        RowSet.RowCursor cursor = set.cursor();
        int joined = cursor.wordCount();
        reserve(joined);
        var batch = new Batch(features(words, cursor::index));
        int total = 0;
        int count = 0;
        for (int row = cursor.advance(0); row != WordCursor.END; row = cursor.advance(row + 1)) {
            if (live.has(row)) {
                for (int i = 0; i < joined; i++) {
                    frequencies[i][count] = cursor.frequency(i);
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

    /** Scores the live rows with a word whose scores may be of use. */
    @SuppressWarnings("ReferenceEquality") // A word that is looked up twice is the same object.
    private void scoreUseful(
            SectionWords words, IndexedWord word, WordBlocks blocks, LiveRows live, Sink into) {
        reserve(1);
        List<Feature> features = features(words, other -> other == word ? 0 : -1);
        var batch = new Batch(features);
        var most = new Most(features);
        WordBlocks.Use use = pairs -> most.isUseful(pairs, into);
        for (int count = blocks.read(use, live); count >= 0; count = blocks.read(use, live)) {
            for (int from = 0; from < count; from += capacity) {
                int some = Math.min(capacity, count - from);
                System.arraycopy(blocks.rows(), from, rows, 0, some);
                System.arraycopy(blocks.occurrences(), from, frequencies[0], 0, some);
                score(batch, some, into);
            }
        }
    }

    /** Scores rows that several words choose, and whose scores may be of use. */
    private void scoreUseful(SectionWords words, SeveralWords several, Sink into) {
        int wordCount = several.wordCount();
        reserve(wordCount);
        List<Feature> features = features(words, several::index);
        var batch = new Batch(features);
        var most = new Most(features);
        WordBlocks.Use use = pairs -> most.isUseful(pairs, into);
        for (int count = several.read(use); count > 0; count = several.read(use)) {
            for (int from = 0; from < count; from += capacity) {
                int some = Math.min(capacity, count - from);
                System.arraycopy(several.rows(), from, rows, 0, some);
                for (int word = 0; word < wordCount; word++) {
                    System.arraycopy(several.occurrences(word), from, frequencies[word], 0, some);
                }
                score(batch, some, into);
            }
        }
    }

    private void reserve(int joined) {
        if (frequencies.length < joined) {
            frequencies = new int[joined][capacity];
        }
    }

    /**
     * @param joined returns the index of a word in {@link #frequencies}; -1 if it has none
     */
    private List<Feature> features(SectionWords words, ToIntFunction<IndexedWord> joined) {
        var features = new ArrayList<Feature>();
        for (FeatureSource source : program.sources()) {
            features.add(feature(source, words, joined));
        }
        return features;
    }

    private void score(Batch batch, int count, Sink into) {
        if (count == 0) {
            return;
        }
        evaluate(batch, count);
        into.add(rows, scores, count);
    }

    private void evaluate(FeatureValues features, int count) {
        work.spend(count);
        try {
            evaluation.evaluate(features, count, scores);
        } catch (TensorLimitException | ModelFailedException e) {
            throw new QueryRejectedException(String.valueOf(e.getMessage()));
        }
        Scorer.makeFinite(scores, count);
    }

    private Feature feature(
            FeatureSource source, SectionWords words, ToIntFunction<IndexedWord> joined) {
        if (source instanceof FeatureSource.Constant(double value)) {
            return new Same(value);
        }
        if (source instanceof FeatureSource.Bm25 bm25) {
            return new Bm25(bm25, words, joined);
        }
        throw new IllegalArgumentException("no index knows " + source);
    }

    /** A feature of rows that rise from batch to batch. */
    private interface Feature {
        void read(int[] rows, double[] into, int count);

        /** Returns a value that no row exceeds that the pairs of the joined words describe. */
        double most(BestPairs pairs);
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

    /** The highest values that features may have in some rows. */
    private final class Most implements FeatureValues {
        private final List<Feature> features;
        private @Nullable BestPairs described;

        Most(List<Feature> features) {
            this.features = features;
        }

        /** Returns whether a row that some pairs describe may have a score of use. */
        boolean isUseful(BestPairs pairs, Sink into) {
            double least = into.least();
            if (least == Double.NEGATIVE_INFINITY) {
                return true;
            }
            described = pairs;
            evaluate(this, 1);
            // A score that is too large for a number becomes the lowest, and others do not.
            return scores[0] >= least || scores[0] == Double.NEGATIVE_INFINITY;
        }

        @Override
        public void read(int slot, double[] into, int count) {
            double most = features.get(slot).most(Objects.requireNonNull(described));
            Arrays.fill(into, 0, count, most);
        }
    }

    /** The same value for all rows. */
    private record Same(double value) implements Feature {
        @Override
        public void read(int[] rows, double[] into, int count) {
            Arrays.fill(into, 0, count, value);
        }

        @Override
        public double most(BestPairs pairs) {
            return value;
        }
    }

    /** Adds the parts of the terms in the same order as {@link FeatureSource.Bm25}. */
    private final class Bm25 implements Feature {
        private final FeatureSource.Bm25 source;
        private final SectionWords section;

        /** By term, its index in the frequencies that the set has read; -1 for other words. */
        private final int[] cached;

        /** By term, a cursor if its frequencies are not known. */
        private final @Nullable WordCursor[] cursors;

        /** By term, the highest part of it in a row, if its frequencies are not known. */
        private final double[] highest;

        /** Opened with the first rows. */
        private @Nullable RowLengths lengths;

        Bm25(FeatureSource.Bm25 source, SectionWords section, ToIntFunction<IndexedWord> joined) {
            SearchedText text = source.text();
            this.source = source;
            this.section = section;
            this.cursors = new WordCursor[text.termCount()];
            this.cached = new int[cursors.length];
            this.highest = new double[cursors.length];
            for (int term = 0; term < cursors.length; term++) {
                IndexedWord word = section.word(text.scanned(), text.pattern(term)).orElseThrow();
                cached[term] = joined.applyAsInt(word);
                cursors[term] = cached[term] >= 0 ? null : word.cursor();
                highest[term] = word.rowsMax() == 0 ? 0 : source.weight(term);
            }
        }

        @Override
        public void read(int[] rows, double[] into, int count) {
            RowLengths ofRows = lengths;
            if (ofRows == null) {
                ofRows = section.lengths(source.text().scanned());
                lengths = ofRows;
            }
            ofRows.lengths(rows, count, words);
            Arrays.fill(into, 0, count, 0);
            for (int term = 0; term < cursors.length; term++) {
                double weight = source.weight(term);
                WordCursor cursor = cursors[term];
                if (cursor == null) {
                    int[] occurrences = frequencies[cached[term]];
                    for (int i = 0; i < count; i++) {
                        into[i] += source.part(weight, occurrences[i], (int) words[i]);
                    }
                } else {
                    add(cursor, weight, rows, into, count);
                }
            }
        }

        private void add(WordCursor cursor, double weight, int[] rows, double[] into, int count) {
            for (int i = 0; i < count; i++) {
                if (cursor.isAt(rows[i])) {
                    into[i] += source.part(weight, cursor.frequency(), (int) words[i]);
                }
            }
        }

        @Override
        public double most(BestPairs pairs) {
            double sum = 0;
            for (int term = 0; term < cursors.length; term++) {
                double weight = source.weight(term);
                int word = cached[term];
                double most = word < 0 ? highest[term] : 0;
                for (int i = 0; word >= 0 && i < pairs.count(word); i++) {
                    double part =
                            source.part(weight, pairs.occurrences(word, i), pairs.length(word, i));
                    most = Math.max(most, part);
                }
                sum += most;
            }
            // Parts of rows may exceed those of better pairs by errors of rounding.
            return sum * ROUNDING;
        }
    }
}
