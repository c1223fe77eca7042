package org.crabro.container.bulk;

import java.nio.ByteBuffer;

/** What became of a line. */
sealed interface LineOutcome permits LineOutcome.Found, LineOutcome.NotFound, WriteStatus {
    /**
     * A document was asked for, and is there.
     *
     * @param json of the answer, an object with everything but the number of the line
     */
    record Found(ByteBuffer json) implements LineOutcome {}

    /** A document was asked for that is not there. */
    record NotFound() implements LineOutcome {}
}
