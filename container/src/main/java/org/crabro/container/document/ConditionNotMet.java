package org.crabro.container.document;

import org.crabro.document.DocumentId;

/** The message of an operation whose condition is not met. */
public final class ConditionNotMet {
    /** Bits of a location in the bucket id that answers show. */
    private static final long BUCKET_BITS = 8;

    private ConditionNotMet() {}

    /**
     * The reason in words, followed by the code in the form that clients search for, as a name and
     * as a number.
     */
    public static String message(DocumentId id, boolean exists) {
        return "%s: nothing was written. [UNKNOWN(251013) @ content]: ReturnCode(TEST_AND_SET_CONDITION_FAILED, %s nodeIndex=0 bucket=%x ) "
                .formatted(
                        exists
                                ? "the condition does not hold for the document"
                                : "there is no document, so its condition does not hold",
                        exists ? "Condition did not match document" : "Document does not exist",
                        (BUCKET_BITS << 58) | (id.location() & ((1L << BUCKET_BITS) - 1)));
    }
}
