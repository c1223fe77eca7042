package org.crabro.content.storage.run;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.content.storage.journal.Damage;

/**
 * The parts of a run that could not be read when it was opened, each with the reason; empty for a
 * readable part.
 *
 * @param rows why its rows are unreadable: the index or the tombstones are damaged
 * @param replaced why the rows of older runs that it replaces, or removes with their group, are
 *     unknown
 * @param groups why the groups that it removes from older runs, and the times, are unknown
 */
public record LostParts(Optional<Damage> rows, Optional<Damage> replaced, Optional<Damage> groups) {
    /** Every part is readable. */
    public static final LostParts NONE =
            new LostParts(Optional.empty(), Optional.empty(), Optional.empty());

    /** Returns an object for a run without a readable part. */
    static LostParts all(Damage reason) {
        return new LostParts(Optional.of(reason), Optional.of(reason), Optional.of(reason));
    }

    /** Returns the distinct reasons. */
    public List<Damage> reasons() {
        return Stream.of(rows, replaced, groups).flatMap(Optional::stream).distinct().toList();
    }
}
