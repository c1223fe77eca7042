package org.crabro.content.replication.log;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.crabro.content.replication.log.OperationSessions.Stored;

/**
 * The outcomes of the operations of a session, by their numbers. Most operations are carried out in
 * the order of their numbers, so an outcome is appended to an array, and the oldest are removed
 * from its beginning. Not thread-safe.
 */
final class SessionOutcomes {
    /** The bytes of an outcome. */
    static final int BYTES = 3 * Long.BYTES;

    private static final int FIRST_CAPACITY = 16;

    /** Three values of each outcome, in ascending order of the numbers. */
    private long[] values = new long[3 * FIRST_CAPACITY];

    /** The first outcome. */
    private int begin;

    /** The place after the last outcome. */
    private int end;

    int size() {
        return end - begin;
    }

    /** Returns the lowest number; there must be an outcome. */
    long lowest() {
        return number(begin);
    }

    Optional<Stored> get(long number) {
        int place = place(number);
        return place < end && number(place) == number
                ? Optional.of(new Stored(values[3 * place + 1], values[3 * place + 2]))
                : Optional.empty();
    }

    /** Adds an outcome, or replaces that of the same operation. */
    void put(long number, Stored stored) {
        int place = place(number);
        if (place == end || number(place) != number) {
            place = insert(place);
            values[3 * place] = number;
        }
        values[3 * place + 1] = stored.timestamp();
        values[3 * place + 2] = stored.position();
    }

    /** Makes room before an outcome; returns its place, which may be another one. */
    private int insert(int before) {
        int place = before;
        if (3 * end == values.length) {
            // The removed outcomes leave room at the beginning.
            boolean isHalfEmpty = begin > end / 2;
            long[] next = isHalfEmpty ? values : new long[2 * values.length];
            System.arraycopy(values, 3 * begin, next, 0, 3 * size());
            values = next;
            place -= begin;
            end -= begin;
            begin = 0;
        }
        System.arraycopy(values, 3 * place, values, 3 * place + 3, 3 * (end - place));
        end++;
        return place;
    }

    /** Removes the outcomes below a number. */
    void removeBelow(long number) {
        while (begin < end && number(begin) < number) {
            begin++;
        }
    }

    void encode(ByteBuffer to) {
        for (int i = 3 * begin; i < 3 * end; i++) {
            to.putLong(values[i]);
        }
    }

    private long number(int place) {
        return values[3 * place];
    }

    /** Returns the place of the first outcome whose number is not lower. */
    private int place(long number) {
        if (begin == end || number(end - 1) < number) {
            return end;
        }
        int low = begin;
        int high = end - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (number(middle) < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
