package org.crabro.protocol.query;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The settings of a leaf that do not change which values it searches: how features see it, and how
 * its words are normalized.
 *
 * @param label the name by which features refer to the leaf; empty for none
 * @param statistics the frequency of the words, if the query specifies it
 * @param link the relation of the leaf to other leaves
 * @param filter whether the leaf only filters: it is not ranked and not highlighted
 * @param positions whether features see the positions of its words
 * @param words how its words are normalized
 */
public record TermHints(
        String label,
        TermStatistics statistics,
        TermLink link,
        boolean filter,
        boolean positions,
        Words words) {
    /** The hints of a leaf without annotations. */
    public static final TermHints NONE =
            new TermHints("", TermStatistics.NONE, TermLink.NONE, false, true, Words.DEFAULT);

    /**
     * The frequency of a word.
     *
     * @param documents the number of documents with the word
     * @param total the number of all documents
     */
    public record Frequency(long documents, long total) {
        /** Returns the inverse document frequency: the rarer the word, the larger. */
        public double inverse() {
            double all = Math.max(1, total);
            double matching = Math.clamp((double) documents, 1.0, all);
            return Math.log(1 + (all - matching + 0.5) / (matching + 0.5));
        }
    }

    /**
     * The connection of a leaf to another one.
     *
     * @param id the number of the other leaf
     * @param weight from 0; the larger, the closer
     */
    public record Connectivity(int id, double weight) {}

    /**
     * How the words of a leaf are normalized, within the limits of the field's settings.
     *
     * @param stem whether words are stemmed if the field's words are
     * @param normalizeCase whether case is normalized
     * @param accentDrop whether accents are removed
     * @param implicit whether the text is normalized at all
     * @param language a language tag; empty for that of the query
     * @param spelling which words are added
     */
    public record Words(
            boolean stem,
            boolean normalizeCase,
            boolean accentDrop,
            boolean implicit,
            String language,
            Spelling spelling) {
        /** The settings of a leaf without annotations. */
        public static final Words DEFAULT = new Words(true, true, true, true, "");

        /** Words that match as they are written. */
        public Words(
                boolean stem,
                boolean normalizeCase,
                boolean accentDrop,
                boolean implicit,
                String language) {
            this(stem, normalizeCase, accentDrop, implicit, language, Spelling.EXACT);
        }

        Words with(Spelling other) {
            return new Words(stem, normalizeCase, accentDrop, implicit, language, other);
        }
    }

    /** Returns the same hints with a label; empty removes it. */
    public TermHints labeled(String other) {
        return new TermHints(other, statistics, link, filter, positions, words);
    }

    /** Returns the same hints with the significance of the word. */
    public TermHints withSignificance(double other) {
        return new TermHints(
                label,
                new TermStatistics(OptionalDouble.of(other), statistics.frequency()),
                link,
                filter,
                positions,
                words);
    }

    /** Returns the same hints with the frequency of the word. */
    public TermHints withFrequency(Frequency other) {
        return new TermHints(
                label,
                new TermStatistics(statistics.significance(), Optional.of(other)),
                link,
                filter,
                positions,
                words);
    }

    /** Returns the same hints for a leaf that only filters. */
    public TermHints filtering() {
        return new TermHints(label, statistics, link, true, positions, words);
    }

    /** Returns the same hints with a language, and with or without stemming. */
    public TermHints with(boolean stem, String language) {
        return new TermHints(
                label,
                statistics,
                link,
                filter,
                positions,
                new Words(
                        stem,
                        words.normalizeCase(),
                        words.accentDrop(),
                        words.implicit(),
                        language,
                        words.spelling()));
    }

    /** Returns the same hints with another spelling. */
    TermHints with(Spelling spelling) {
        return new TermHints(label, statistics, link, filter, positions, words.with(spelling));
    }
}
