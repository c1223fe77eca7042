package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The vectors of a column, one right behind the other, and what is kept beside them.
 *
 * @param cells of all rows, little-endian, from row 0 on
 * @param inverseLengths what each vector is multiplied by to become as long as 1, a little-endian
 *     float per row, 0 for a vector of zeros; or nothing: then lengths are computed where they are
 *     needed
 */
public record StoredVectors(MemorySegment cells, Optional<MemorySegment> inverseLengths) {
    /** Returns vectors beside which no lengths are kept. */
    public static StoredVectors of(MemorySegment cells) {
        return new StoredVectors(cells, Optional.empty());
    }
}
