package org.crabro.content.run;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.content.journal.Damage;

/**
 * The parts of a run that could not be read when it was opened, each with the reason. A part that
 * is readable has none.
 *
 * @param rows why its rows are out of reach: the index or the tombstones are damaged
 * @param replaced why it is not known which rows of older runs it replaces, or removes with their
 *     group
 * @param groups why it is not known which groups it removes from older runs, and when
 */
public record LostParts(Optional<Damage> rows, Optional<Damage> replaced, Optional<Damage> groups) {
    /** Every part is readable. */
    public static final LostParts NONE =
            new LostParts(Optional.empty(), Optional.empty(), Optional.empty());

    /** Returns that no part is readable. */
    static LostParts all(Damage reason) {
        return new LostParts(Optional.of(reason), Optional.of(reason), Optional.of(reason));
    }

    /** Returns each reason once. */
    public List<Damage> reasons() {
        return Stream.of(rows, replaced, groups).flatMap(Optional::stream).distinct().toList();
    }
}
