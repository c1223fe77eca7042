package org.crabro.container.document;

import org.crabro.document.DocumentId;

/** What is said of an operation that was not carried out as its condition does not hold. */
public final class ConditionNotMet {
    /** How many bits of a location name a bucket, as answers show it. */
    private static final long BUCKET_BITS = 8;

    private ConditionNotMet() {}

    /** Clients look for the name of the code, and some for its number. */
    public static String message(DocumentId id, boolean exists) {
        return "[UNKNOWN(251013) @ content]: ReturnCode(TEST_AND_SET_CONDITION_FAILED, %s nodeIndex=0 bucket=%x ) "
                .formatted(
                        exists ? "Condition did not match document" : "Document does not exist",
                        (BUCKET_BITS << 58) | (id.location() & ((1L << BUCKET_BITS) - 1)));
    }
}
