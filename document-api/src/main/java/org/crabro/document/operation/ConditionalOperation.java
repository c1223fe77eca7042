package org.crabro.document.operation;

import org.crabro.document.DocumentId;

/**
 * An operation, and when it is carried out.
 *
 * <pre>
 *   document | condition         | create | put        | update       | remove
 *   ---------+-------------------+--------+------------+--------------+-----------
 *   there    | holds, or none    | any    | done       | done         | done
 *   there    | does not hold     | any    | refused    | refused      | refused
 *   absent   | none              | no     | done       | nothing done | done
 *   absent   | a selection       | no     | refused    | refused      | refused
 *   absent   | none or selection | yes    | done       | done         | as without
 *   absent   | another timestamp | any    | refused    | refused      | refused
 * </pre>
 *
 * @param create whether a put or an update is carried out where there is no document, whatever
 *     selection is to hold; an update then begins with a document without fields
 */
public record ConditionalOperation(
        DocumentOperation operation, WriteCondition condition, boolean create) {
    /** Returns {@code operation}, carried out in any case; an update only where a document is. */
    public static ConditionalOperation always(DocumentOperation operation) {
        return new ConditionalOperation(operation, WriteCondition.NONE, false);
    }

    public DocumentId id() {
        return operation.id();
    }
}
