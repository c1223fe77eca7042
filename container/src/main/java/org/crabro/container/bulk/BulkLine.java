package org.crabro.container.bulk;

import java.util.Optional;
import org.crabro.container.document.DocumentMetrics.Operation;
import org.crabro.container.document.FieldSet;
import org.crabro.container.processing.IndexingProcessor;
import org.crabro.document.DocumentId;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.protocol.feed.Write;
import org.eclipse.jetty.http.HttpStatus;

/** The operation of a line of a bulk body. */
sealed interface BulkLine {
    /** Returns the number of the line in its piece, from 0. */
    int line();

    /**
     * A document to be written or removed without a condition.
     *
     * @param note added to the answer; may be empty
     */
    record Unconditional(int line, Write.Row row, boolean isRemove, String note)
            implements BulkLine {}

    /** An operation that depends on the stored document, so it is not part of a batch of writes. */
    sealed interface ByItself extends BulkLine {
        /** Returns the id of the document. */
        DocumentId id();

        /** Returns the note that is added to the answer; may be empty. */
        String note();
    }

    /**
     * An operation that depends on the stored document, which is an update or an operation with a
     * condition, or a put whose texts are embedded.
     *
     * @param operation as the client sent it; no script has run
     */
    record Dependent(
            int line, ConditionalOperation operation, IndexingProcessor processor, String note)
            implements ByItself {
        @Override
        public DocumentId id() {
            return operation.id();
        }
    }

    /** A document to be written if a condition is met. */
    record Conditional(int line, Write.Row row, String note) implements ByItself {
        @Override
        public DocumentId id() {
            return row.id();
        }
    }

    /** A document to be read, and the fields to return. */
    record Get(int line, DocumentId id, FieldSet shown) implements BulkLine {}

    /**
     * A line that is not carried out.
     *
     * @param asked the kind of operation, a put if unknown
     * @param id empty if the line contains none
     * @param status 200 if it is no error
     */
    record Refused(int line, Operation asked, Optional<String> id, int status, String message)
            implements BulkLine {
        /**
         * Returns a put of a document that the selection of its cluster excludes, which is no
         * error.
         */
        static Refused unkept(int line, DocumentId id, String reason) {
            return new Refused(
                    line, Operation.PUT, Optional.of(id.toString()), HttpStatus.OK_200, reason);
        }
    }
}
