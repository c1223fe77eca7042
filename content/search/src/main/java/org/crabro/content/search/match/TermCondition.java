package org.crabro.content.search.match;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.content.search.match.text.TextPredicate;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.read.BlockSlice;

/** The condition of one ranked term of a query in one field. Immutable; threads share it. */
public final class TermCondition {
    private final String field;
    private final Filter filter;

    private final int wordCount;
    private final Optional<TextPredicate> textPredicate;

    /**
     * @param textPredicate the predicate on the text of a value or on the texts of elements, if
     *     words have no positions there
     */
    TermCondition(
            QueryTerm.FieldFilter filter, int wordCount, Optional<TextPredicate> textPredicate) {
        this.field = filter.field();
        this.filter = filter.filter();
        this.wordCount = wordCount;
        this.textPredicate = textPredicate;
    }

    /** Returns the number of consecutive words that the term searches. */
    public int wordCount() {
        return wordCount;
    }

    /** Returns the name of the field. */
    public String field() {
        return field;
    }

    /**
     * Returns the text scan that evaluates the condition; empty if the condition has no positions
     * in a text.
     */
    public OptionalInt textScan() {
        return filter instanceof Filter.Text text
                ? OptionalInt.of(text.scanned())
                : OptionalInt.empty();
    }

    /**
     * Returns the index of the condition's pattern in its text scan.
     *
     * @throws IllegalStateException if no text scan evaluates the condition
     */
    public int pattern() {
        if (filter instanceof Filter.Text text) {
            return text.pattern();
        }
        throw new IllegalStateException(field + " has no words");
    }

    /**
     * Returns the index of the nearest-neighbor search in {@link Matcher#nearest}; empty if the
     * condition is another one.
     */
    public OptionalInt nearest() {
        return filter instanceof Filter.Selected(int search, _)
                ? OptionalInt.of(search)
                : OptionalInt.empty();
    }

    /**
     * Returns the weight of the match in a row of the open slice: 1 for a single value, the number
     * of matching elements of an array, the sum of their weights in a weighted set. Empty if the
     * row does not match.
     *
     * @param one an array of length 1 or more, for temporary use
     */
    public OptionalDouble weight(BlockScan scan, int row, int[] one) {
        one[0] = row;
        if (filter.narrow(scan, one, 1) == 0) {
            return OptionalDouble.empty();
        }
        return switch (filter) {
            case Filter.Text text ->
                    OptionalDouble.of(
                            scan.textHits(text.scanned()).occurrences(text.pattern(), row));
            case Filter.Values values -> {
                Column column = scan.column(values.field()).orElseThrow();
                yield OptionalDouble.of(MatchWeights.of(values.test(), scan, column, row));
            }
            default -> OptionalDouble.of(1);
        };
    }

    /**
     * Returns whether the condition searches words in the elements of a collection without word
     * positions.
     */
    public boolean isWordOfElement() {
        return filter instanceof Filter.Values values
                && values.test() instanceof ValuePredicate.AnyElement
                && textPredicate.filter(TextPredicate.OfPattern.class::isInstance).isPresent();
    }

    /** Returns whether the condition searches several keys, each with a weight of its own. */
    public boolean hasKeys() {
        return filter instanceof Filter.Values values
                && (MatchWeights.ofOne(values.test()) instanceof ValuePredicate.Among
                        || textPredicate
                                .filter(TextPredicate.OfKeys.class::isInstance)
                                .isPresent());
    }

    /**
     * Adds the weights of the keys that a row of the open slice contains, if the condition has
     * keys.
     */
    public void addKeys(BlockScan scan, int row, KeyWeights into) {
        if (filter instanceof Filter.Values values) {
            Column column = scan.column(values.field()).orElse(null);
            if (column != null) {
                MatchWeights.addKeys(values.test(), scan, column, row, into);
            }
        }
    }

    /** Returns whether rows of the open block may match. Reads no rows. */
    public boolean canMatch(BlockScan scan) {
        return filter.canMatch(scan);
    }

    /**
     * Returns the number of matching rows of the open slice if the dictionary of its block has this
     * number; otherwise -1.
     */
    public int documents(BlockScan scan) {
        BlockSlice slice = scan.slice();
        if (!(filter instanceof Filter.Text text)
                || slice.from() > 0
                || slice.to() < slice.block().rowCount()
                || slice.liveCount() < slice.to()) {
            return -1;
        }
        TextHits hits = scan.textHits(text.scanned());
        return hits.hasTokens() ? hits.documents(text.pattern()) : -1;
    }

    /** Moves the matching rows to the front and returns their number. */
    public int narrow(BlockScan scan, int[] rows, int count) {
        return filter.narrow(scan, rows, count);
    }

    /** Returns the center of a geographical condition; empty for all others. */
    public Optional<QueryPlace> place() {
        return filter instanceof Filter.Values values
                ? center(values.test())
                        .map(circle -> new QueryPlace(field, circle.latitude(), circle.longitude()))
                : Optional.empty();
    }

    private static Optional<GeoArea.Circle> center(ValuePredicate test) {
        return switch (test) {
            case ValuePredicate.Place(GeoArea.Circle circle) -> Optional.of(circle);
            case ValuePredicate.OfElement(_, ValuePredicate element) -> center(element);
            case ValuePredicate.AnyElement(ValuePredicate element, _) -> center(element);
            default -> Optional.empty();
        };
    }

    /** Returns whether the match has a score of its own: a sum of products of weights. */
    public boolean isProduct() {
        return filter instanceof Filter.Values values
                && values.test() instanceof ValuePredicate.Product;
    }
}
