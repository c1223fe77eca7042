package org.crabro.content.storage.block.token;

import java.util.function.IntToLongFunction;

/**
 * The first bytes of the tokens at evenly spaced restarts of a dictionary. A lookup first searches
 * these, which are contiguous in memory, and then the dictionary between two of them. Immutable.
 */
final class TokenHeads {
    /** The maximum number of heads, of eight bytes each. */
    static final int MOST = 512;

    private final long[] heads;
    private final int step;

    private TokenHeads(long[] heads, int step) {
        this.heads = heads;
        this.step = step;
    }

    /**
     * @param restarts their number, at least 1
     * @param headOf returns the {@link #head} of the token at a restart
     */
    static TokenHeads of(int restarts, IntToLongFunction headOf) {
        int step = (restarts + MOST - 1) / MOST;
        var heads = new long[(restarts + step - 1) / step];
        for (int i = 0; i < heads.length; i++) {
            heads[i] = headOf.applyAsLong(i * step);
        }
        return new TokenHeads(heads, step);
    }

    /**
     * Returns the first eight bytes of a token, padded with zeros. Of two tokens with different
     * heads, the one with the smaller head, unsigned, is first; equal heads do not decide.
     */
    static long head(byte[] token) {
        long head = 0;
        for (int i = 0; i < Math.min(token.length, Long.BYTES); i++) {
            head |= (token[i] & 0xffL) << (Long.SIZE - Byte.SIZE * (i + 1));
        }
        return head;
    }

    /** Returns a restart whose token is before a token with this head; 0 if unknown. */
    int lastBefore(long head) {
        return Math.max(0, firstNotBelow(head) - 1) * step;
    }

    /**
     * Returns the last restart before one whose token is after a token with this head; {@link
     * Integer#MAX_VALUE} if unknown.
     *
     * @param before the result of {@link #lastBefore} for the head: the next one is nearly always
     *     after it
     */
    int firstBehind(long head, int before) {
        int at = before / step;
        while (at < heads.length && Long.compareUnsigned(heads[at], head) <= 0) {
            at++;
        }
        return at == heads.length ? Integer.MAX_VALUE : Math.max(0, at * step - 1);
    }

    private int firstNotBelow(long head) {
        int low = 0;
        int high = heads.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(heads[middle], head) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
