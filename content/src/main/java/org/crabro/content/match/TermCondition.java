package org.crabro.content.match;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.content.block.column.Column;
import org.crabro.content.match.text.TextPredicate;

/** What one ranked term of a query looks for in one field. Immutable; threads share it. */
public final class TermCondition {
    private final String field;
    private final Filter filter;

    private final int wordCount;
    private final Optional<TextPredicate> textPredicate;

    /**
     * @param textPredicate what is sought in the text of a value or in those of elements, where
     *     they have no places
     */
    TermCondition(
            QueryTerm.FieldFilter sought, int wordCount, Optional<TextPredicate> textPredicate) {
        this.field = sought.field();
        this.filter = sought.filter();
        this.wordCount = wordCount;
        this.textPredicate = textPredicate;
    }

    /** Returns of how many words that follow one another it is. */
    public int wordCount() {
        return wordCount;
    }

    /** Returns the name of the field. */
    public String field() {
        return field;
    }

    /** Returns the scan of texts that finds it; nothing where it has no places in a text. */
    public OptionalInt textScan() {
        return filter instanceof Filter.Text text
                ? OptionalInt.of(text.scanned())
                : OptionalInt.empty();
    }

    /**
     * Returns which pattern of the scan it is.
     *
     * @throws IllegalStateException if no scan of texts finds it
     */
    public int pattern() {
        if (filter instanceof Filter.Text text) {
            return text.pattern();
        }
        throw new IllegalStateException(field + " has no words");
    }

    /** Returns which search for neighbors it is, by {@link Matcher#nearest}. */
    public OptionalInt nearest() {
        return filter instanceof Filter.Selected(int search, _)
                ? OptionalInt.of(search)
                : OptionalInt.empty();
    }

    /**
     * Returns how much what it finds in a row of the open slice weighs: 1 for a single value, the
     * number of elements of an array, the sum of their weights in a weighted set; nothing where it
     * finds nothing.
     *
     * @param one room for one row
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
            case Filter.Everything _,
                    Filter.Nothing _,
                    Filter.Every _,
                    Filter.Any _,
                    Filter.Except _,
                    Filter.Counted _,
                    Filter.InRange _,
                    Filter.Selected _ ->
                    OptionalDouble.of(1);
        };
    }

    /** Returns whether it looks for words in the elements of a collection that has no places. */
    public boolean isWordOfElement() {
        return filter instanceof Filter.Values values
                && values.test() instanceof ValuePredicate.AnyElement
                && textPredicate.filter(TextPredicate.OfPattern.class::isInstance).isPresent();
    }

    /** Returns whether it looks for any of several keys, each with a weight of its own. */
    public boolean hasKeys() {
        return filter instanceof Filter.Values values
                && (MatchWeights.ofOne(values.test()) instanceof ValuePredicate.Among
                        || textPredicate
                                .filter(TextPredicate.OfKeys.class::isInstance)
                                .isPresent());
    }

    /** Adds the weights of the keys that a row of the open slice has, where it has keys. */
    public void addKeys(BlockScan scan, int row, KeyWeights into) {
        if (filter instanceof Filter.Values values) {
            Column column = scan.column(values.field()).orElse(null);
            if (column != null) {
                MatchWeights.addKeys(values.test(), scan, column, row, into);
            }
        }
    }

    /** Keeps the rows in which it finds something, and returns how many they are. */
    public int narrow(BlockScan scan, int[] rows, int count) {
        return filter.narrow(scan, rows, count);
    }

    /** Returns which place it looks around; nothing where it looks for something else. */
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
            case ValuePredicate.Place _,
                    ValuePredicate.InRange _,
                    ValuePredicate.Text _,
                    ValuePredicate.NearElements _,
                    ValuePredicate.Member _,
                    ValuePredicate.Every _,
                    ValuePredicate.Any _,
                    ValuePredicate.Except _,
                    ValuePredicate.Among _,
                    ValuePredicate.Product _ ->
                    Optional.empty();
        };
    }

    /** Returns whether what it finds is worth a score of its own: a sum of products of weights. */
    public boolean isProduct() {
        return filter instanceof Filter.Values values
                && values.test() instanceof ValuePredicate.Product;
    }
}
