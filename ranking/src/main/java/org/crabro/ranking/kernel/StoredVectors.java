package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The vectors of a column and their inverse lengths.
 *
 * @param cells of all rows, little-endian and contiguous, from row 0 on
 * @param inverseLengths one little-endian float per row: the factor that scales the vector to
 *     length 1, or 0 for a vector of zeros. If empty, lengths are computed when they are needed
 */
public record StoredVectors(MemorySegment cells, Optional<MemorySegment> inverseLengths) {
    /** Returns vectors without stored lengths. */
    public static StoredVectors of(MemorySegment cells) {
        return new StoredVectors(cells, Optional.empty());
    }
}
