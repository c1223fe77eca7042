package org.crabro.container.document;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.crabro.document.DocumentId;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * Reads documents as JSON, which takes much less memory than values. So a document that was stored
 * by a server with a larger heap stays readable.
 */
public interface DocumentTexts {
    /**
     * Which document is read.
     *
     * @param cluster contains it; empty if any cluster may
     * @param fields the names of the fields to return, in order
     */
    record Wanted(DocumentId id, Optional<String> cluster, List<String> fields) {
        public Wanted {
            fields = List.copyOf(fields);
        }
    }

    /**
     * Reads a document; returns whether it exists.
     *
     * @param text is called with the object of the document in UTF-8, with {@code id} and {@code
     *     fields}; the memory of the buffer is charged until it returns
     * @throws InvalidRequestException with the status of the answer, if it cannot be read
     */
    boolean read(
            Principal principal,
            Deadline deadline,
            Wanted wanted,
            VisitForm.Json form,
            Consumer<ByteBuffer> text);
}
