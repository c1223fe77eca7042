package org.crabro.container.bulk;

import java.util.Optional;
import org.crabro.container.document.DocumentMetrics.Operation;
import org.crabro.container.document.FieldSet;
import org.crabro.container.processing.IndexingProcessor;
import org.crabro.document.DocumentId;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.protocol.feed.ConditionalWrite;
import org.crabro.protocol.feed.EncodedWrite;
import org.eclipse.jetty.http.HttpStatus;

/** What a line of a bulk body says. */
sealed interface BulkLine {
    /** Returns its number in its piece, from 0. */
    int line();

    /**
     * A document to be written or removed, whatever is stored.
     *
     * @param note what is told of it besides; empty where there is nothing
     */
    record Write(int line, EncodedWrite write, boolean isRemove, String note) implements BulkLine {}

    /** What depends on what is stored, so that it is carried out by itself. */
    sealed interface ByItself extends BulkLine {
        /** Returns the id of the document that it is about. */
        DocumentId id();

        /** Returns what is told of it besides; empty where there is nothing. */
        String note();
    }

    /**
     * An operation that depends on what is stored: an update, or one with a condition.
     *
     * @param operation as it came; no script has run
     */
    record Dependent(
            int line, ConditionalOperation operation, IndexingProcessor processor, String note)
            implements ByItself {
        @Override
        public DocumentId id() {
            return operation.id();
        }
    }

    /** A document to be written where a condition holds. */
    record Conditional(int line, ConditionalWrite write, String note) implements ByItself {
        @Override
        public DocumentId id() {
            return write.write().id();
        }
    }

    /** A document to be read, and what is shown of it. */
    record Get(int line, DocumentId id, FieldSet shown) implements BulkLine {}

    /**
     * A line that is not carried out.
     *
     * @param asked what it was to do, as far as that is known
     * @param id where the line says one
     * @param status 200 where nothing is wrong with it
     */
    record Refused(int line, Operation asked, Optional<String> id, int status, String message)
            implements BulkLine {
        /** A put of a document that is not kept, which is no error. */
        static Refused unkept(int line, DocumentId id, String reason) {
            return new Refused(
                    line, Operation.PUT, Optional.of(id.toString()), HttpStatus.OK_200, reason);
        }
    }
}
