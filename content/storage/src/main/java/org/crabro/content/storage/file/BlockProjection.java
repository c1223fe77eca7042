package org.crabro.content.storage.file;

import java.util.HashSet;
import java.util.Set;
import org.crabro.content.storage.layout.ChunkExtent;

/**
 * The parts of each block that a pass reads, as far as they are known in advance.
 *
 * @param values fields whose values are read
 * @param lengths vector fields whose inverse lengths are read
 * @param words fields whose words are looked up: in the token dictionary of a block, or in the
 *     values if the block has no dictionary
 * @param occurrences whether the positions of these words are read
 * @param ids whether document ids are read
 */
public record BlockProjection(
        Set<String> values,
        Set<String> lengths,
        Set<String> words,
        boolean occurrences,
        boolean ids) {
    /** No known parts. */
    public static final BlockProjection NONE =
            new BlockProjection(Set.of(), Set.of(), Set.of(), false, false);

    public BlockProjection {
        values = Set.copyOf(values);
        lengths = Set.copyOf(lengths);
        words = Set.copyOf(words);
    }

    /** Returns whether the projection is empty. */
    public boolean isNothing() {
        return values.isEmpty() && lengths.isEmpty() && words.isEmpty() && !ids;
    }

    /** Returns the union of this and {@code that}. */
    public BlockProjection and(BlockProjection that) {
        return new BlockProjection(
                union(values, that.values),
                union(lengths, that.lengths),
                union(words, that.words),
                occurrences || that.occurrences,
                ids || that.ids);
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        if (some.containsAll(others)) {
            return some;
        }
        var all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    /**
     * Returns whether a chunk of a block is selected.
     *
     * @param field of the chunk; empty if it has none
     * @param hasDictionary whether the block stores the words of that field
     */
    public boolean has(ChunkExtent.Part part, String field, boolean hasDictionary) {
        return switch (part) {
            case VALUES -> values.contains(field) || (!hasDictionary && words.contains(field));
            case TOKEN_DICTIONARY -> words.contains(field);
            case TOKEN_NUMBERS -> occurrences && words.contains(field);
            case INVERSE_LENGTHS -> lengths.contains(field);
            case KEYS -> ids;
            case TIMESTAMPS, TOMBSTONES -> false;
        };
    }
}
