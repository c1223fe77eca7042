package org.crabro.protocol.search;

/** One key of an order; ties go to the next, and last to the document id. */
public sealed interface SortKey {
    boolean ascending();

    /** The rank score. */
    record Relevance(boolean ascending) implements SortKey {}

    /** The document id, by its bytes. */
    record DocumentIds(boolean ascending) implements SortKey {}

    /**
     * The source of a hit, by its name.
     *
     * @param source what hits of this search come from; empty before that is known
     */
    record Sources(boolean ascending, String source) implements SortKey {}

    /**
     * A field's value.
     *
     * @param texts how strings are compared
     * @param missing where documents without a value come
     * @param several which of several values counts
     */
    record FieldValueOf(
            String field, boolean ascending, TextOrder texts, Missing missing, Several several)
            implements SortKey {
        /** A key for which a missing value is smaller than all others. */
        public FieldValueOf(String field, boolean ascending) {
            this(field, ascending, new TextOrder.Declared(), new Missing.Smallest(), Several.FIRST);
        }

        /** Returns whether the least of several values counts, and else the largest. */
        public boolean takesLeast() {
            return several == Several.FIRST ? ascending : several == Several.LEAST;
        }

        /** Returns whether documents without a value come first, where none stands in for it. */
        public boolean isMissingFirst() {
            return switch (missing) {
                case Missing.Smallest(), Missing.As _ -> ascending;
                case Missing.First() -> true;
                case Missing.Last() -> false;
            };
        }

        /** Returns the same key, with documents without a value elsewhere. */
        public FieldValueOf with(Missing otherwise) {
            return new FieldValueOf(field, ascending, texts, otherwise, several);
        }

        /** Returns the same key, with strings compared in another way. */
        public FieldValueOf with(TextOrder otherwise) {
            return new FieldValueOf(field, ascending, otherwise, missing, several);
        }

        /** Returns the same key, with another one of several values. */
        public FieldValueOf with(Several otherwise) {
            return new FieldValueOf(field, ascending, texts, missing, otherwise);
        }
    }

    /** Which of several values counts. */
    enum Several {
        /** The one that comes first: the least where the order is ascending, else the largest. */
        FIRST,
        /** The least. */
        LEAST,
        /** The largest. */
        LARGEST,
        /** All together: of whole numbers in 64 bits, of others as a double. */
        SUM
    }

    /** Where documents without a value come. */
    sealed interface Missing {
        /** Before all others where the order is ascending, behind them where it is not. */
        record Smallest() implements Missing {}

        /** Before all others. */
        record First() implements Missing {}

        /** Behind all others. */
        record Last() implements Missing {}

        /**
         * Where those with a value come.
         *
         * @param value as text
         */
        record As(String value) implements Missing {}
    }
}
