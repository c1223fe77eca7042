package org.crabro.content.storage.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.crabro.document.predicate.PredicateReader;

/**
 * Compiles predicates into intervals: a predicate is true if its true conditions have intervals
 * that lead, one after another, from its beginning to its end. The memory is reused for every
 * predicate. For one thread.
 *
 * <p>{@code not} is moved to the conditions. The parts of an {@code and} follow one another, with a
 * cut between two. The parts of an {@code or} all lead from its beginning to its end. Each cut has
 * a number of its own, so the parts of different alternatives never meet:
 *
 * <pre>
 *   a and (b or c and d)       a: 0 to 1, b: 1 to END, c: 1 to 2, d: 2 to END
 * </pre>
 *
 * <p>A condition with {@code not} has a number. Its interval is posted under {@link
 * PredicateTerm#UNLESS}, and its number under the terms that make it false.
 *
 * <pre>
 *   payload of a condition     2 * from, to
 *   payload of its negation    2 * number + 1
 *   payload under UNLESS       2 * from, to, number
 * </pre>
 *
 * The payload of an edge has two more bytes: the first and the last number in its block.
 */
final class PredicateIntervals implements PredicateReader.Parts, NumberDivision.Parts {
    /** The end of a predicate. Its beginning, which no interval ends at, has the same number. */
    static final int END = 0;

    /** A predicate of more parts is not indexed. Cuts and negations have lower numbers. */
    static final int PARTS_MAX = 1 << 15;

    /** A predicate with more postings is not indexed. */
    private static final int POSTINGS_MAX = 1 << 16;

    /** The least number of postings is not stored above this. */
    static final int LEAST_MAX = 255;

    /** So many postings have only predicates that are never true. */
    private static final int NEVER = 1 << 20;

    private enum Kind {
        TRUE,
        FALSE,
        HAS,
        WITHIN,
        AND,
        OR,
        NOT
    }

    private final PredicateReader reader = new PredicateReader();
    private final IntervalStream into;

    /** The bytes of the terms and names of all conditions. */
    private byte[] texts = new byte[256];

    private int textLength;
    private int count;
    private boolean isTooLong;
    private final List<Kind> kinds = new ArrayList<>();

    /** By part, the first part in it. By condition, where its text begins. */
    private int[] ones = new int[16];

    /** By part, the second part in it. By condition, the length of its text. */
    private int[] others = new int[16];

    private long[] lows = new long[16];
    private long[] highs = new long[16];
    private boolean[] negated = new boolean[16];

    /** By part, the number of cuts in it. */
    private int[] cuts = new int[16];

    /** By part, the number of the first cut in it. */
    private int[] firstCuts = new int[16];

    /** By part, how many postings a query has at least for which it is true. */
    private int[] least = new int[16];

    private int[] from = new int[16];
    private int[] to = new int[16];
    private int negations;

    /** The condition whose range is being divided. */
    private int current;

    /**
     * @param into receives the postings of each predicate
     */
    PredicateIntervals(IntervalStream into) {
        this.into = into;
    }

    /**
     * Replaces the postings of the stream by those of a predicate. There are none if it is never
     * true, or no predicate.
     *
     * @return the least number of postings among the terms of a query for which it is true, at most
     *     {@value #LEAST_MAX}
     */
    int compile(byte[] utf8, int length) {
        into.clear();
        textLength = 0;
        count = 0;
        kinds.clear();
        negations = 0;
        isTooLong = false;
        int whole = reader.read(utf8, length, this);
        if (whole == PredicateReader.INVALID) {
            return 0;
        }
        if (isTooLong) {
            return unknown();
        }
        ensureCapacity();
        negate(whole);
        count(whole);
        if (least[whole] >= NEVER) {
            return 0;
        }
        place(whole);
        for (int part = 0; part <= whole; part++) {
            post(part);
            if (into.count() > POSTINGS_MAX) {
                return unknown();
            }
        }
        return Math.min(least[whole], LEAST_MAX);
    }

    /** Posts that the scan has to evaluate the predicate. */
    private int unknown() {
        into.clear();
        into.begin(PredicateTerm.UNKNOWN);
        into.endTerm();
        into.endPosting();
        return 0;
    }

    @Override
    public int constant(boolean isTrue) {
        return add(isTrue ? Kind.TRUE : Kind.FALSE, 0, 0);
    }

    @Override
    public int has(byte[] term, int length) {
        return condition(Kind.HAS, term, length);
    }

    @Override
    public int within(byte[] name, int length, long low, long high) {
        int added = condition(Kind.WITHIN, name, length);
        lows = ArrayUtil.grow(lows, count);
        highs = ArrayUtil.grow(highs, count);
        lows[added] = low;
        highs[added] = high;
        return added;
    }

    @Override
    public int and(int one, int other) {
        return add(Kind.AND, one, other);
    }

    @Override
    public int or(int one, int other) {
        return add(Kind.OR, one, other);
    }

    @Override
    public int not(int part) {
        return add(Kind.NOT, part, part);
    }

    private int condition(Kind kind, byte[] text, int length) {
        int start = textLength;
        if (!isTooLong) {
            texts = ArrayUtil.grow(texts, start + length);
            System.arraycopy(text, 0, texts, start, length);
            textLength = start + length;
        }
        return add(kind, start, length);
    }

    private int add(Kind kind, int one, int other) {
        if (count == PARTS_MAX) {
            isTooLong = true;
            return 0;
        }
        ones = ArrayUtil.grow(ones, count + 1);
        others = ArrayUtil.grow(others, count + 1);
        kinds.add(kind);
        ones[count] = one;
        others[count] = other;
        return count++;
    }

    private void ensureCapacity() {
        if (negated.length < count) {
            int capacity = ArrayUtil.oversize(count, Integer.BYTES);
            negated = new boolean[capacity];
            cuts = new int[capacity];
            firstCuts = new int[capacity];
            least = new int[capacity];
            from = new int[capacity];
            to = new int[capacity];
        }
    }

    private Kind kind(int part) {
        return kinds.get(part);
    }

    /** Moves negations to the conditions. A part comes after the parts in it. */
    private void negate(int whole) {
        negated[whole] = false;
        for (int part = whole; part >= 0; part--) {
            switch (kind(part)) {
                case AND, OR -> {
                    negated[ones[part]] = negated[part];
                    negated[others[part]] = negated[part];
                }
                case NOT -> negated[ones[part]] = !negated[part];
                case TRUE, FALSE, HAS, WITHIN -> {
                    // It has no parts.
                }
            }
        }
    }

    /** Counts cuts and postings. */
    private void count(int whole) {
        Arrays.fill(cuts, 0, whole + 1, 0);
        for (int part = 0; part <= whole; part++) {
            int one = ones[part];
            int other = others[part];
            switch (kind(part)) {
                case TRUE -> least[part] = negated[part] ? NEVER : 0;
                case FALSE -> least[part] = negated[part] ? 0 : NEVER;
                case HAS, WITHIN -> least[part] = negated[part] ? 0 : 1;
                case NOT -> {
                    cuts[part] = cuts[one];
                    least[part] = least[one];
                }
                case AND, OR -> {
                    boolean isSeries = isSeries(part);
                    cuts[part] = cuts[one] + cuts[other] + (isSeries ? 1 : 0);
                    least[part] =
                            isSeries
                                    ? Math.min(NEVER, least[one] + least[other])
                                    : Math.min(least[one], least[other]);
                }
            }
        }
    }

    /** Returns whether both parts have to be true: a negated {@code or} is an {@code and}. */
    private boolean isSeries(int part) {
        return (kind(part) == Kind.AND) != negated[part];
    }

    /** Places all intervals. */
    private void place(int whole) {
        place(whole, 0, END, 1);
        for (int part = whole; part >= 0; part--) {
            int first = firstCuts[part];
            switch (kind(part)) {
                case NOT -> place(ones[part], from[part], to[part], first);
                case AND, OR -> {
                    int cut = first + cuts[ones[part]];
                    if (isSeries(part)) {
                        place(ones[part], from[part], cut, first);
                        place(others[part], cut, to[part], cut + 1);
                    } else {
                        place(ones[part], from[part], to[part], first);
                        place(others[part], from[part], to[part], cut);
                    }
                }
                case TRUE, FALSE, HAS, WITHIN -> {
                    // It has no parts.
                }
            }
        }
    }

    private void place(int part, int begin, int end, int firstCut) {
        from[part] = begin;
        to[part] = end;
        firstCuts[part] = firstCut;
    }

    private void post(int part) {
        Kind kind = kind(part);
        switch (kind) {
            case TRUE, FALSE -> {
                if ((kind == Kind.TRUE) != negated[part]) {
                    postUnless(part);
                }
            }
            case HAS, WITHIN -> {
                if (negated[part]) {
                    postUnless(part);
                }
                current = part;
                if (kind == Kind.HAS) {
                    begin(PredicateTerm.VALUE);
                    endTerm();
                    into.endPosting();
                } else {
                    NumberDivision.ofRange(lows[part], highs[part], this);
                }
            }
            case AND, OR, NOT -> {
                // Its parts have the intervals.
            }
        }
    }

    private void postUnless(int part) {
        into.begin(PredicateTerm.UNLESS);
        into.endTerm();
        into.putWhole(2 * from[part]);
        into.putWhole(to[part]);
        into.putWhole(negations++);
        into.endPosting();
    }

    @Override
    public void edge(boolean isNegative, long block, int first, int last) {
        begin(PredicateTerm.EDGE);
        into.putNumber(isNegative, block);
        endTerm();
        into.put(first);
        into.put(last);
        into.endPosting();
    }

    @Override
    public void block(boolean isNegative, int level, long block) {
        begin(PredicateTerm.BLOCK);
        into.putNumber(isNegative, block);
        into.put(level);
        endTerm();
        into.endPosting();
    }

    @Override
    public void beyond(boolean isNegative, int level) {
        begin(PredicateTerm.BEYOND);
        into.putSign(isNegative);
        into.put(level);
        endTerm();
        into.endPosting();
    }

    /** Begins a posting of the current condition. */
    private void begin(PredicateTerm kind) {
        into.begin(kind);
        into.put(texts, ones[current], others[current]);
    }

    /** Ends the term of a posting of the current condition, and adds what it makes true. */
    private void endTerm() {
        into.endTerm();
        if (negated[current]) {
            into.putWhole(2 * (negations - 1) + 1);
        } else {
            into.putWhole(2 * from[current]);
            into.putWhole(to[current]);
        }
    }
}
