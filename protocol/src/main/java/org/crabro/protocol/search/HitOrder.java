package org.crabro.protocol.search;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.crabro.document.FieldValue;
import org.crabro.text.Folding;

/**
 * The order of the hits of a search. It is the order in which content nodes sort rows, applied to
 * hits in replies.
 *
 * <p>A missing value is smaller than all others, unless a key specifies another order. Strings are
 * compared by their UTF-8 bytes in lower case, unless a key specifies another order. The last key
 * is always the document id, by its bytes, so no two hits are equal. For one thread.
 */
public final class HitOrder implements Comparator<SearchHit> {
    private final List<SortKey> sorting;

    /** The comparators of strings, by key. */
    private final List<Comparator<String>> texts;

    /**
     * @param sorting empty sorts by relevance, descending
     */
    public HitOrder(List<SortKey> sorting) {
        this.sorting = List.copyOf(sorting);
        this.texts = sorting.stream().map(HitOrder::texts).toList();
    }

    private static Comparator<String> texts(SortKey key) {
        return key instanceof SortKey.FieldValueOf value
                ? comparator(value.texts())
                : HitOrder::compareBytes;
    }

    /** Returns the comparator of strings, for one thread. */
    public static Comparator<String> comparator(TextOrder texts) {
        return switch (texts) {
            case TextOrder.Declared(), TextOrder.LowerCase() ->
                    (a, b) -> compareBytes(Folding.CASE.of(a), Folding.CASE.of(b));
            case TextOrder.Raw() -> HitOrder::compareBytes;
            case TextOrder.EncodedBytes() -> Base64Order::compare;
            case TextOrder.Collated collated -> Collation.of(collated);
        };
    }

    @Override
    public int compare(SearchHit a, SearchHit b) {
        if (sorting.isEmpty()) {
            int order = Double.compare(b.relevance(), a.relevance());
            return order != 0 ? order : compareIds(a, b);
        }
        for (int i = 0; i < sorting.size(); i++) {
            int order = compare(sorting.get(i), i, a, b);
            if (order != 0) {
                return order;
            }
        }
        return compareIds(a, b);
    }

    private int compare(SortKey key, int index, SearchHit a, SearchHit b) {
        return switch (key) {
            case SortKey.Relevance(boolean ascending) ->
                    directed(Double.compare(a.relevance(), b.relevance()), ascending);
            case SortKey.DocumentIds(boolean ascending) -> directed(compareIds(a, b), ascending);
            case SortKey.Sources(boolean ascending, _) ->
                    directed(compareSources(a, b, index), ascending);
            case SortKey.FieldValueOf value ->
                    compare(
                            value,
                            a.sortValues().get(index),
                            b.sortValues().get(index),
                            texts.get(index));
        };
    }

    private static int compareSources(SearchHit a, SearchHit b, int index) {
        return compare(
                a.sortValues().get(index).orElseThrow(),
                b.sortValues().get(index).orElseThrow(),
                HitOrder::compareBytes);
    }

    private static int compare(
            SortKey.FieldValueOf key,
            Optional<FieldValue> a,
            Optional<FieldValue> b,
            Comparator<String> texts) {
        if (a.isEmpty() || b.isEmpty()) {
            return directed(Boolean.compare(a.isPresent(), b.isPresent()), key.isMissingFirst());
        }
        return directed(compare(a.get(), b.get(), texts), key.ascending());
    }

    private static int directed(int order, boolean ascending) {
        return ascending ? order : -order;
    }

    private static int compareIds(SearchHit a, SearchHit b) {
        return compareBytes(a.id().toString(), b.id().toString());
    }

    /**
     * Compares two values of one sortable type.
     *
     * @param texts compares strings
     */
    public static int compare(FieldValue a, FieldValue b, Comparator<String> texts) {
        return switch (a) {
            case FieldValue.StringValue(String text)
                    when b instanceof FieldValue.StringValue(String other) ->
                    texts.compare(text, other);
            case FieldValue.BoolValue(boolean value)
                    when b instanceof FieldValue.BoolValue(boolean other) ->
                    Boolean.compare(value, other);
            case FieldValue.IntValue(int value) when b instanceof FieldValue.IntValue(int other) ->
                    Integer.compare(value, other);
            case FieldValue.LongValue(long value)
                    when b instanceof FieldValue.LongValue(long other) ->
                    Long.compare(value, other);
            case FieldValue.FloatValue(float value)
                    when b instanceof FieldValue.FloatValue(float other) ->
                    Float.compare(value, other);
            case FieldValue.DoubleValue(double value)
                    when b instanceof FieldValue.DoubleValue(double other) ->
                    Double.compare(value, other);
            default -> throw new IllegalArgumentException("cannot order " + a + " and " + b);
        };
    }

    private static int compareBytes(String a, String b) {
        return Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
