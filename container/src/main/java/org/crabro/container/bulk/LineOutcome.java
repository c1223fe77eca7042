package org.crabro.container.bulk;

import java.nio.ByteBuffer;

/** The outcome of a line. */
sealed interface LineOutcome permits LineOutcome.Found, LineOutcome.NotFound, WriteStatus {
    /**
     * A document was read.
     *
     * @param json the answer without the number of the line
     */
    record Found(ByteBuffer json) implements LineOutcome {}

    /** A document to be read is missing. */
    record NotFound() implements LineOutcome {}
}
