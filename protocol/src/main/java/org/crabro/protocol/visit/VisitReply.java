package org.crabro.protocol.visit;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentId;

/** The reply to a {@link VisitRequest}. */
public sealed interface VisitReply {
    /**
     * The next documents; there may be none.
     *
     * @param contents in the requested form
     * @param count the number of documents and removals in {@code contents}, or of groups
     * @param last the last document that was read, even if it is not in the page; the next page
     *     starts after it. Empty on the last page of the partition
     * @param share the visited share of the partition's part of the visit, 0 to 1
     */
    record Page(Contents contents, int count, Optional<DocumentId> last, double share)
            implements VisitReply {}

    /** The node is not the owner of the partition in its own cluster state. */
    record WrongOwner(long stateVersion) implements VisitReply {}

    /** The request is not valid, for example because its selection has a syntax error. */
    record Rejected(String reason) implements VisitReply {}

    /** Nothing was read: too many visits are running. */
    record Overloaded(String reason) implements VisitReply {}

    /** The deadline passed before the first document was read. */
    record TimedOut() implements VisitReply {}

    /** The node could not read. The reason names the file, the offset and the cause. */
    record Failed(String reason) implements VisitReply {}

    /** No reply: the node cannot be reached, or refuses the sender. */
    record Unavailable(String reason) implements VisitReply {}

    /** The contents of a page. */
    sealed interface Contents {
        /** UTF-8 in the form of {@link VisitForm.Json}, from position to limit. */
        record Json(ByteBuffer text) implements Contents {}

        /** Documents in the order of their keys. */
        record Documents(List<VisitedDocument> documents) implements Contents {
            public Documents {
                documents = List.copyOf(documents);
            }
        }

        /** Groups in the order of their keys. */
        record Groups(List<VisitedGroup> groups) implements Contents {
            public Groups {
                groups = List.copyOf(groups);
            }
        }
    }
}
