package org.crabro.content.search.group;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.crabro.protocol.grouping.GroupBucket;
import org.crabro.protocol.grouping.GroupValue;

/** Computes the index of the bucket that contains a value; -1 if there is none. */
final class PredefinedBuckets extends Evaluator {
    private static final byte[] EMPTY = {};

    private final Evaluator operand;

    /** The indexes of the buckets, sorted by their lower bounds. */
    private final int[] order;

    private final double[] fromNumbers;
    private final double[] toNumbers;
    private final long[] fromWholes;
    private final long[] toWholes;
    private final byte[][] fromTexts;
    private final byte[][] toTexts;
    private final boolean[] isUnbounded;
    private int[] bucketOfText = {};

    PredefinedBuckets(Evaluator operand, List<GroupBucket> buckets) {
        super(ValueKind.WHOLE, operand);
        this.operand = operand;
        int count = buckets.size();
        this.order =
                IntStream.range(0, count)
                        .boxed()
                        .sorted(
                                Comparator.comparing(
                                        i -> buckets.get(i).from(), PredefinedBuckets::compare))
                        .mapToInt(Integer::intValue)
                        .toArray();
        this.fromNumbers = new double[count];
        this.toNumbers = new double[count];
        this.fromWholes = new long[count];
        this.toWholes = new long[count];
        this.fromTexts = new byte[count][];
        this.toTexts = new byte[count][];
        this.isUnbounded = new boolean[count];
        for (int i = 0; i < count; i++) {
            Optional<GroupValue> from = buckets.get(order[i]).from();
            Optional<GroupValue> to = buckets.get(order[i]).to();
            fromNumbers[i] = from.map(GroupValue::number).orElse(Double.NEGATIVE_INFINITY);
            toNumbers[i] = to.map(GroupValue::number).orElse(Double.POSITIVE_INFINITY);
            fromWholes[i] = from.map(PredefinedBuckets::whole).orElse(Long.MIN_VALUE);
            toWholes[i] = to.map(PredefinedBuckets::whole).orElse(Long.MAX_VALUE);
            fromTexts[i] = from.map(PredefinedBuckets::bytes).orElse(EMPTY);
            toTexts[i] = to.map(PredefinedBuckets::bytes).orElse(EMPTY);
            isUnbounded[i] = to.isEmpty();
        }
    }

    private static int compare(Optional<GroupValue> a, Optional<GroupValue> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return Boolean.compare(a.isPresent(), b.isPresent());
        }
        return GroupValue.compare(a.get(), b.get());
    }

    private static long whole(GroupValue value) {
        return value instanceof GroupValue.Whole(long number) ? number : 0;
    }

    private static byte[] bytes(GroupValue value) {
        return value instanceof GroupValue.Raw(String bytes)
                ? bytes.getBytes(StandardCharsets.ISO_8859_1)
                : value.text().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    Values evaluate(RowBatch batch) {
        Values from = operand.evaluate(batch);
        values.shape(from);
        int size = from.size();
        switch (from.kind) {
            case WHOLE, TRUTH -> {
                for (int i = 0; i < size; i++) {
                    values.longs[i] = bucket(from.longs[i]);
                }
            }
            case REAL -> {
                for (int i = 0; i < size; i++) {
                    values.longs[i] = bucket(from.doubles[i]);
                }
            }
            case TEXT, RAW -> {
                // Each different text of the batch is looked up once.
                if (bucketOfText.length < batch.texts.size()) {
                    bucketOfText = new int[batch.texts.size() * 2];
                }
                Arrays.fill(bucketOfText, 0, batch.texts.size(), -2);
                for (int i = 0; i < size; i++) {
                    int text = from.texts[i];
                    if (bucketOfText[text] == -2) {
                        bucketOfText[text] = bucket(batch.texts, text);
                    }
                    values.longs[i] = bucketOfText[text];
                }
            }
        }
        return values;
    }

    private int bucket(long number) {
        int low = 0;
        int high = order.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (fromWholes[middle] <= number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int bucket = low - 1;
        return bucket >= 0 && (isUnbounded[bucket] || number < toWholes[bucket])
                ? order[bucket]
                : -1;
    }

    private int bucket(double number) {
        int low = 0;
        int high = order.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (fromNumbers[middle] <= number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int bucket = low - 1;
        return bucket >= 0 && (isUnbounded[bucket] || number < toNumbers[bucket])
                ? order[bucket]
                : -1;
    }

    private int bucket(TextPool texts, int text) {
        int low = 0;
        int high = order.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (texts.compare(text, fromTexts[middle]) >= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int bucket = low - 1;
        return bucket >= 0 && (isUnbounded[bucket] || texts.compare(text, toTexts[bucket]) < 0)
                ? order[bucket]
                : -1;
    }
}
