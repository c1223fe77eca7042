package org.crabro.container.document;

import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.Write;
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
                public boolean accepts(String documentType) {
                    return false;
                }

                @Override
                public Write.@Nullable Row read(
                        DocumentId id, byte[] body, WriteParameters parameters, Runnable ignored) {
                    return null;
                }

                @Override
                public WriteResult write(Principal principal, Deadline deadline, Write.Row row) {
                    throw new IllegalStateException("nothing was read");
                }
            };

    /** Returns whether this handles bodies of a served document type. */
    boolean accepts(String documentType);

    /**
     * Encodes the document {@code id} with the fields of a body.
     *
     * @param id of a type that is {@linkplain #accepts handled}
     * @param body the whole body
     * @param ignored runs if fields were skipped that the type does not have
     * @return null if the body has an uncommon form
     */
    Write.@Nullable Row read(
            DocumentId id, byte[] body, WriteParameters parameters, Runnable ignored);
}
