package org.crabro.document.operation;

import org.crabro.document.DocumentId;

/**
 * An operation and its condition.
 *
 * <pre>
 *   document | condition         | create | put        | update       | remove
 *   ---------+-------------------+--------+------------+--------------+-----------
 *   exists   | holds, or none    | any    | executed   | executed     | executed
 *   exists   | does not hold     | any    | rejected   | rejected     | rejected
 *   missing  | none              | no     | executed   | ignored      | executed
 *   missing  | a selection       | no     | rejected   | rejected     | rejected
 *   missing  | none or selection | yes    | executed   | executed     | as with no
 *   missing  | another timestamp | any    | rejected   | rejected     | rejected
 * </pre>
 *
 * @param create whether a put or an update is executed if the document does not exist, even with a
 *     selection as condition; an update then starts with a document without fields
 */
public record ConditionalOperation(
        DocumentOperation operation, WriteCondition condition, boolean create) {
    /** Returns an unconditional operation; an update requires that the document exists. */
    public static ConditionalOperation always(DocumentOperation operation) {
        return new ConditionalOperation(operation, WriteCondition.NONE, false);
    }

    public DocumentId id() {
        return operation.id();
    }
}
