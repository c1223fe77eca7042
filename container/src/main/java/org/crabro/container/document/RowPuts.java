package org.crabro.container.document;

import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.ConditionalWrite;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Writes documents from the bytes of their bodies, with no values made on the way. Most bodies are
 * of the common forms that this takes; all others are for whoever reads everything that there may
 * be, and tells what is wrong.
 */
public interface RowPuts extends RowWrites {
    /** Takes nothing. */
    RowPuts NONE =
            new RowPuts() {
                @Override
                public boolean takes(String documentType) {
                    return false;
                }

                @Override
                public @Nullable RowPut read(DocumentId id, byte[] body, boolean isStrict) {
                    return null;
                }

                @Override
                public WriteReply write(
                        Principal principal, Deadline deadline, ConditionalWrite write) {
                    throw new IllegalStateException("nothing was read");
                }
            };

    /** Returns whether there are bodies of this type, one that is served, that are taken. */
    boolean takes(String documentType);

    /**
     * Returns the document {@code id} with the fields of a body, and what else the body says.
     *
     * @param id of a type that is taken
     * @param body all of it
     * @param isStrict whether a bool is true or false and nothing else
     * @return null where the body is not of a common form
     */
    @Nullable RowPut read(DocumentId id, byte[] body, boolean isStrict);
}
