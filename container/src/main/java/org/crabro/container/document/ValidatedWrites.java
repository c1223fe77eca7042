package org.crabro.container.document;

import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.document.select.InvalidSelectionException;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * Checks writes as a node would, without stored documents, and writes nothing. Rejects writes of a
 * principal to groups that it may not access. Does not check whether a condition is met, or whether
 * there is disk space.
 */
public final class ValidatedWrites implements DocumentWrites, RowWrites {
    private static final WriteResult WELL =
            new WriteResult.Answered(new WriteReply.Stored(0, new PartitionPosition(0, 0)));

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
    public WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation operation) {
        return checked(principal, operation.id(), operation.condition());
    }

    /**
     * {@inheritDoc}
     *
     * @throws InvalidDocumentException if the condition is not a valid selection
     */
    @Override
    public WriteResult write(Principal principal, Deadline deadline, Write.Row row) {
        return checked(principal, row.id(), row.condition());
    }

    private WriteResult checked(Principal principal, DocumentId id, WriteCondition condition) {
        Optional<String> refusal = principal.refusal(id.key());
        if (refusal.isPresent()) {
            return new WriteResult.Forbidden(refusal.get());
        }
        try {
            condition.selection().ifPresent(text -> Selection.parse(text, types));
        } catch (InvalidSelectionException e) {
            throw new InvalidDocumentException("the condition is wrong: " + e.getMessage(), e);
        }
        return WELL;
    }
}
