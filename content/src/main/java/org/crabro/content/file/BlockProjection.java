package org.crabro.content.file;

import java.util.HashSet;
import java.util.Set;
import org.crabro.content.layout.ChunkExtent;

/**
 * What a pass over blocks touches of each, besides what it finds out on the way.
 *
 * @param values fields whose values it reads
 * @param lengths fields of whose vectors it reads the lengths
 * @param words fields whose words it looks up: in the dictionary of a block that has one, in the
 *     values of others
 * @param occurrences whether it also looks where those words stand
 * @param ids whether it reads ids
 */
public record BlockProjection(
        Set<String> values,
        Set<String> lengths,
        Set<String> words,
        boolean occurrences,
        boolean ids) {
    /** Nothing that is known before. */
    public static final BlockProjection NONE =
            new BlockProjection(Set.of(), Set.of(), Set.of(), false, false);

    public BlockProjection {
        values = Set.copyOf(values);
        lengths = Set.copyOf(lengths);
        words = Set.copyOf(words);
    }

    /** Returns whether nothing is touched. */
    public boolean isNothing() {
        return values.isEmpty() && lengths.isEmpty() && words.isEmpty() && !ids;
    }

    /** Returns what this and {@code that} touch. */
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
     * Returns whether a chunk of a block is touched.
     *
     * @param field that it is of; empty where it is of none
     * @param hasDictionary whether the block keeps the words of that field
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
