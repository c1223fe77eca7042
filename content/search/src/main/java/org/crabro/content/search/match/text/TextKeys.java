package org.crabro.content.search.match.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A hash table from texts to weights, with lookup by UTF-8 bytes. Open addressing, at most half
 * full.
 */
public final class TextKeys {
    /**
     * The result for a text that is not a key. It is no valid weight, since weights have 32 bits.
     */
    public static final long NONE = Long.MIN_VALUE;

    private final byte[][] texts;
    private final int[] weights;
    private final int mask;

    /**
     * @param keys folded in the same way as the texts that are looked up
     */
    public TextKeys(Map<String, Integer> keys) {
        int size = Integer.highestOneBit(keys.size() + 1) * 4;
        this.texts = new byte[size][];
        this.weights = new int[size];
        this.mask = size - 1;
        keys.forEach((key, weight) -> {
            byte[] text = key.getBytes(StandardCharsets.UTF_8);
            int at = hash(text, text.length) & mask;
            while (texts[at] != null) {
                at = (at + 1) & mask;
            }
            texts[at] = text;
            weights[at] = weight;
        });
    }

    /** Returns the keys in UTF-8. */
    public List<byte[]> texts() {
        return Arrays.stream(texts).filter(Objects::nonNull).toList();
    }

    /** Returns the weight of the first {@code length} bytes, or {@link #NONE}. */
    long weight(byte[] text, int length) {
        for (int at = hash(text, length) & mask; texts[at] != null; at = (at + 1) & mask) {
            if (Arrays.equals(texts[at], 0, texts[at].length, text, 0, length)) {
                return weights[at];
            }
        }
        return NONE;
    }

    private static int hash(byte[] text, int length) {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + text[i];
        }
        return hash ^ (hash >>> 15);
    }
}
