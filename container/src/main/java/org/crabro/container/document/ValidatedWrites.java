package org.crabro.container.document;

import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.ConditionalWrite;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * Checks writes as a node would, without stored documents, and writes nothing. Does not check
 * whether a condition is met, whether there is disk space, or whether the principal may write.
 */
public final class ValidatedWrites implements DocumentWrites, RowWrites {
    private static final WriteReply WELL =
            new WriteReply.Answered(new FeedReply.Stored(0, new PartitionPosition(0, 0)));

    private final SelectionTypes types;

    public ValidatedWrites(ServedTypes types) {
        this.types = types.selectable();
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidDocumentException if the condition is not a valid selection
     */
    @Override
    public WriteReply write(
            Principal principal, Deadline deadline, ConditionalOperation operation) {
        check(operation.condition());
        return WELL;
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidDocumentException if the condition is not a valid selection
     */
    @Override
    public WriteReply write(Principal principal, Deadline deadline, ConditionalWrite write) {
        check(write.condition());
        return WELL;
    }

    private void check(WriteCondition condition) {
        try {
            condition.selection().ifPresent(text -> Selection.parse(text, types));
        } catch (InvalidSelectionException e) {
            throw new InvalidDocumentException("the condition is wrong: " + e.getMessage(), e);
        }
    }
}
