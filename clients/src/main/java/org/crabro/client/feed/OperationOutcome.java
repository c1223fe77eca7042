package org.crabro.client.feed;

import org.crabro.document.DocumentId;

/**
 * The answer of a server to an operation.
 *
 * @param status 200 if it was carried out, 412 if its condition did not hold; the other statuses
 *     are those of {@code /document/v1}
 * @param body the JSON of the answer
 */
public record OperationOutcome(DocumentId id, int status, String body) {
    /** Returns whether the operation was carried out and is durable. */
    public boolean isDone() {
        return status == 200;
    }

    /** Returns whether the operation was not carried out because its condition did not hold. */
    public boolean isConditionNotMet() {
        return status == 412;
    }
}
