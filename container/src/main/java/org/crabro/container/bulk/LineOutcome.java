package org.crabro.container.bulk;

import org.crabro.container.document.ReadReply;

/** What became of a line. */
sealed interface LineOutcome permits LineOutcome.Read, WriteStatus {
    /** A document was asked for. */
    record Read(ReadReply reply) implements LineOutcome {}
}
