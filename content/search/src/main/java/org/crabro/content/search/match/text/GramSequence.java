package org.crabro.content.search.match.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.query.GramMatch;

/**
 * Finds grams one after the other, or close to each other, in the words of an element.
 *
 * <p>Positions count grams, over all words of the element. A word has a gram at each character from
 * which one can start; a word that is shorter than a gram is a gram itself. So exactly one gram is
 * at each position. For one thread.
 */
public final class GramSequence {
    private static final int NONE = -1;

    private final GramMatch how;
    private final int size;
    private final WorkMeter work;

    /** The different grams. A gram's number is its index. */
    private final byte[][] grams;

    /** The numbers of the grams in the order of the query. */
    private final int[] order;

    /**
     * By number of grams found one after the other, how many of them can still be the start of the
     * sequence if the next gram is another one. As described by Knuth, Morris and Pratt (Fast
     * Pattern Matching in Strings, 1977).
     */
    private final int[] shorter;

    /** By gram, its last position. */
    private final int[] lasts;

    /** By index in the order, the last position at which grams up to this index started. */
    private final int[] starts;

    private int position;
    private int gramCount;

    /**
     * @param pattern whose match is by positions
     * @param size the number of characters of a gram
     */
    public GramSequence(TextPattern.Grams pattern, int size, WorkMeter work) {
        this.how = pattern.how();
        this.size = size;
        this.work = work;
        List<String> texts = pattern.parts().stream().map(TextPattern.Word::text).toList();
        List<String> different = List.copyOf(new LinkedHashSet<>(texts));
        this.grams =
                different.stream()
                        .map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new);
        this.order = texts.stream().mapToInt(different::indexOf).toArray();
        this.shorter = shorter(order);
        this.lasts = new int[grams.length];
        this.starts = new int[order.length];
        begin();
    }

    private static int[] shorter(int[] order) {
        var shorter = new int[order.length];
        int length = 0;
        for (int i = 1; i < order.length; i++) {
            while (length > 0 && order[i] != order[length]) {
                length = shorter[length - 1];
            }
            if (order[i] == order[length]) {
                length++;
            }
            shorter[i] = length;
        }
        return shorter;
    }

    /** Receives the places of the pattern. */
    public interface Sink {
        /**
         * Adds a place.
         *
         * @param first the position of its first gram
         * @param last the position of its last gram
         */
        void add(int first, int last);
    }

    /** Starts an element. */
    public void begin() {
        position = 0;
        gramCount = 0;
        Arrays.fill(lasts, NONE);
        Arrays.fill(starts, NONE);
    }

    /** Returns the position of the first gram of the next word. */
    public int position() {
        return position;
    }

    /**
     * Adds the next word of the element.
     *
     * @param bytes the word in UTF-8, from {@code from} (inclusive) to {@code to} (exclusive)
     * @param into receives the places whose last gram is in this word
     */
    public void add(byte[] bytes, int from, int to, Sink into) {
        int start = from;
        int end = from;
        for (int i = 0; i < size && end < to; i++) {
            end = next(bytes, end, to);
        }
        addGram(number(bytes, start, end), into);
        while (end < to) {
            start = next(bytes, start, to);
            end = next(bytes, end, to);
            addGram(number(bytes, start, end), into);
        }
    }

    /** Returns the index of the character after the one at {@code at}. */
    private static int next(byte[] bytes, int at, int to) {
        int next = at + 1;
        while (next < to && (bytes[next] & 0xc0) == 0x80) {
            next++;
        }
        return next;
    }

    private int number(byte[] bytes, int from, int to) {
        for (int i = 0; i < grams.length; i++) {
            if (Arrays.equals(bytes, from, to, grams[i], 0, grams[i].length)) {
                return i;
            }
        }
        return NONE;
    }

    private void addGram(int gram, Sink into) {
        work.spend(order.length);
        switch (how) {
            case PHRASE -> addToPhrase(gram, into);
            case NEAR -> addToAnyOrder(gram, into);
            case ORDERED_NEAR -> addInOrder(gram, into);
            case ALL, ANY, WEAK_AND -> throw new IllegalStateException("no sequence: " + how);
        }
        position++;
    }

    private void addToPhrase(int gram, Sink into) {
        while (gramCount > 0 && order[gramCount] != gram) {
            gramCount = shorter[gramCount - 1];
        }
        if (order[gramCount] == gram) {
            gramCount++;
        }
        if (gramCount == order.length) {
            gramCount = shorter[gramCount - 1];
            into.add(position - order.length + 1, position);
        }
    }

    private void addToAnyOrder(int gram, Sink into) {
        if (gram == NONE) {
            return;
        }
        lasts[gram] = position;
        int first = position;
        for (int last : lasts) {
            first = Math.min(first, last);
        }
        if (first != NONE && position - first <= GramMatch.DISTANCE) {
            into.add(first, position);
        }
    }

    /* From the last index to the first, so that a gram is used once at each position. */
    private void addInOrder(int gram, Sink into) {
        for (int i = order.length - 1; i >= 0; i--) {
            int start = i == 0 ? position : starts[i - 1];
            if (order[i] == gram && start != NONE) {
                starts[i] = start;
                if (i == order.length - 1 && position - start <= GramMatch.DISTANCE) {
                    into.add(start, position);
                }
            }
        }
    }
}
