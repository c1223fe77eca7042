package org.crabro.protocol.search;

/** One key of an order. Ties are decided by the next key, and in the end by the document id. */
public sealed interface SortKey {
    boolean ascending();

    /** The rank score. */
    record Relevance(boolean ascending) implements SortKey {}

    /** The document id, by its bytes. */
    record DocumentIds(boolean ascending) implements SortKey {}

    /**
     * The source of a hit, by its name.
     *
     * @param source the source of the hits of this search; empty if it is not known yet
     */
    record Sources(boolean ascending, String source) implements SortKey {}

    /**
     * The value of a field.
     *
     * @param texts how strings are compared
     * @param missing the position of documents without a value
     * @param several which of several values counts
     */
    record FieldValueOf(
            String field, boolean ascending, TextOrder texts, Missing missing, Several several)
            implements SortKey {
        /** A key for which a missing value is smaller than all others. */
        public FieldValueOf(String field, boolean ascending) {
            this(field, ascending, new TextOrder.Declared(), new Missing.Smallest(), Several.FIRST);
        }

        /** Returns whether the least of several values counts; if not, the largest does. */
        public boolean usesSmallest() {
            return several == Several.FIRST ? ascending : several == Several.LEAST;
        }

        /**
         * Returns whether documents without a value sort first, if they have no substitute value.
         */
        public boolean isMissingFirst() {
            return switch (missing) {
                case Missing.Smallest(), Missing.As _ -> ascending;
                case Missing.First() -> true;
                case Missing.Last() -> false;
            };
        }

        /** Returns the same key with another position of documents without a value. */
        public FieldValueOf with(Missing otherwise) {
            return new FieldValueOf(field, ascending, texts, otherwise, several);
        }

        /** Returns the same key with another comparison of strings. */
        public FieldValueOf with(TextOrder otherwise) {
            return new FieldValueOf(field, ascending, otherwise, missing, several);
        }

        /** Returns the same key with another choice among several values. */
        public FieldValueOf with(Several otherwise) {
            return new FieldValueOf(field, ascending, texts, missing, otherwise);
        }
    }

    /** Which of several values counts. */
    enum Several {
        /**
         * The one that sorts first: the least in ascending order, the largest in descending order.
         */
        FIRST,
        /** The least. */
        LEAST,
        /** The largest. */
        LARGEST,
        /** The sum: of whole numbers in 64 bits, of others as a double. */
        SUM
    }

    /** The position of documents without a value. */
    sealed interface Missing {
        /** Before all others in ascending order, after them in descending order. */
        record Smallest() implements Missing {}

        /** Before all others. */
        record First() implements Missing {}

        /** After all others. */
        record Last() implements Missing {}

        /**
         * At the position of a substitute value.
         *
         * @param value as text
         */
        record As(String value) implements Missing {}
    }
}
