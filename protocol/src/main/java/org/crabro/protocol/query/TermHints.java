package org.crabro.protocol.query;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a query says of a leaf that does not change which values it looks for: how features see it,
 * and how its words are made.
 *
 * @param label by which features name the leaf; empty for none
 * @param statistics how common the query says that the words are
 * @param link how the leaf refers to other leaves
 * @param filter whether the leaf only narrows: no feature sees it, no text shows it
 * @param positions whether features see where in a text its words stand
 * @param words how its words are made
 */
public record TermHints(
        String label,
        TermStatistics statistics,
        TermLink link,
        boolean filter,
        boolean positions,
        Words words) {
    /** What a leaf without annotations has. */
    public static final TermHints NONE =
            new TermHints("", TermStatistics.NONE, TermLink.NONE, false, true, Words.DEFAULT);

    /**
     * How common a word is.
     *
     * @param documents in how many documents it stands
     * @param total of how many
     */
    public record Frequency(long documents, long total) {
        /** Returns how much it says that a document has the word: the rarer, the more. */
        public double inverse() {
            double all = Math.max(1, total);
            double matching = Math.clamp((double) documents, 1.0, all);
            return Math.log(1 + (all - matching + 0.5) / (matching + 0.5));
        }
    }

    /**
     * How closely a leaf belongs to another.
     *
     * @param id the other's
     * @param weight from 0 on; the more, the closer
     */
    public record Connectivity(int id, double weight) {}

    /**
     * How the words of a leaf are made of its text, as far as fields let a query say it.
     *
     * @param stem whether words are reduced to their stems where the field's are
     * @param normalizeCase whether case is leveled
     * @param accentDrop whether accents are leveled
     * @param implicit whether anything of it is done
     * @param language a language tag; empty for the query's
     */
    public record Words(
            boolean stem,
            boolean normalizeCase,
            boolean accentDrop,
            boolean implicit,
            String language) {
        /** What a leaf without annotations has. */
        public static final Words DEFAULT = new Words(true, true, true, true, "");
    }

    /** Returns the same with a label; an empty one is none. */
    public TermHints labeled(String other) {
        return new TermHints(other, statistics, link, filter, positions, words);
    }

    /** Returns the same for a word of which the query says how much it says. */
    public TermHints withSignificance(double other) {
        return new TermHints(
                label,
                new TermStatistics(OptionalDouble.of(other), statistics.frequency()),
                link,
                filter,
                positions,
                words);
    }

    /** Returns the same for a word of which the query says how common it is. */
    public TermHints withFrequency(Frequency other) {
        return new TermHints(
                label,
                new TermStatistics(statistics.significance(), Optional.of(other)),
                link,
                filter,
                positions,
                words);
    }

    /** Returns the same for a leaf that only narrows. */
    public TermHints filtering() {
        return new TermHints(label, statistics, link, true, positions, words);
    }

    /** Returns the same for words of a language, with or without their stems. */
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
                        language));
    }
}
