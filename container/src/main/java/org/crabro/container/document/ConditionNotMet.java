package org.crabro.container.document;

import org.crabro.document.DocumentId;

/** What is said of an operation that was not carried out as its condition does not hold. */
public final class ConditionNotMet {
    /** How many bits of a location name a bucket, as answers show it. */
    private static final long BUCKET_BITS = 8;

    private ConditionNotMet() {}

    /**
     * What went wrong in plain words, and behind it the form in which clients look for the name of
     * the code, and some for its number.
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
