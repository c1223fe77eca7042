package org.crabro.document.operation;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A condition on the stored document for the execution of an operation. If both parts are given,
 * both must hold. The check and the operation are atomic.
 *
 * @param selection a text in the selection language that must be true for the document
 * @param timestamp of the version that the writer has read, which must still be the latest; {@link
 *     #ABSENT} if there was no document
 */
public record WriteCondition(Optional<String> selection, OptionalLong timestamp) {
    /** The condition that always holds. */
    public static final WriteCondition NONE =
            new WriteCondition(Optional.empty(), OptionalLong.empty());

    /** The timestamp of a missing document. */
    public static final long ABSENT = 0;

    /** Returns a condition that is a selection. */
    public static WriteCondition of(String selection) {
        return new WriteCondition(Optional.of(selection), OptionalLong.empty());
    }

    /** Returns this with the additional condition that the latest version has {@code timestamp}. */
    public WriteCondition andTimestamp(long timestamp) {
        return new WriteCondition(selection, OptionalLong.of(timestamp));
    }

    /** Returns whether this always holds, so that nothing must be read. */
    public boolean isNone() {
        return selection.isEmpty() && timestamp.isEmpty();
    }
}
