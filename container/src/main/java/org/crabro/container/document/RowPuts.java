package org.crabro.container.document;

import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.ConditionalWrite;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Encodes bodies of puts as rows, without field values in between, and writes them. Handles the
 * common forms of JSON. The caller parses every other body into field values, which also reports
 * errors.
 */
public interface RowPuts extends RowWrites {
    /** Handles no type. */
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

    /** Returns whether this handles bodies of a served document type. */
    boolean takes(String documentType);

    /**
     * Encodes the document {@code id} with the fields of a body.
     *
     * @param id of a type that is {@linkplain #takes handled}
     * @param body the whole body
     * @param isStrict whether only {@code true} and {@code false} are read as a bool
     * @return null if the body has an uncommon form
     */
    @Nullable RowPut read(DocumentId id, byte[] body, boolean isStrict);
}
