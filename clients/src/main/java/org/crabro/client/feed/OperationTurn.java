package org.crabro.client.feed;

import java.util.Optional;

/** Who follows an operation through {@link OperationSender}. Called by any thread. */
interface OperationTurn {
    /** Follows nothing. */
    OperationTurn FREE =
            new OperationTurn() {
                @Override
                public boolean mayBegin() {
                    return true;
                }

                @Override
                public void ended(Optional<OperationOutcome> outcome) {
                    // An operation without a spool has no record to mark.
                }
            };

    /** Returns whether the operation may be sent, when all earlier ones on its document ended. */
    boolean mayBegin();

    /**
     * Called before the next operation on the document begins.
     *
     * @param outcome the answer, if there is one
     */
    void ended(Optional<OperationOutcome> outcome);
}
