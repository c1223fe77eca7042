package org.crabro.document.operation;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What must hold of the stored document, so that an operation on it is carried out. Both parts must
 * where both are given. It is looked at, and the operation carried out, as one step.
 *
 * @param selection a text in the selection language, which must be true of the document
 * @param timestamp of the version that the writer has seen, which must be the newest still; {@link
 *     #ABSENT} where there was no document
 */
public record WriteCondition(Optional<String> selection, OptionalLong timestamp) {
    /** Holds always. */
    public static final WriteCondition NONE =
            new WriteCondition(Optional.empty(), OptionalLong.empty());

    /** The timestamp of a document that there is not. */
    public static final long ABSENT = 0;

    /** Returns a condition that is a selection. */
    public static WriteCondition of(String selection) {
        return new WriteCondition(Optional.of(selection), OptionalLong.empty());
    }

    /** Returns this with the further condition that the newest version has {@code timestamp}. */
    public WriteCondition andTimestamp(long timestamp) {
        return new WriteCondition(selection, OptionalLong.of(timestamp));
    }

    /** Returns whether this holds always, so that nothing needs to be read for it. */
    public boolean isNone() {
        return selection.isEmpty() && timestamp.isEmpty();
    }
}
