package org.crabro.container.bulk;

import java.util.Optional;
import org.crabro.container.document.FieldSet;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.EncodedWrite;

/** What a line of a bulk body says. */
sealed interface BulkLine {
    /** Returns its number, from 1. */
    long line();

    /** A document to be written or removed. */
    record Write(long line, EncodedWrite write, boolean isRemove) implements BulkLine {}

    /** A document to be read, and what is shown of it. */
    record Get(long line, DocumentId id, FieldSet shown) implements BulkLine {}

    /**
     * A line that is not carried out.
     *
     * @param id where the line says one
     */
    record Refused(long line, Optional<String> id, int status, String message)
            implements BulkLine {}
}
