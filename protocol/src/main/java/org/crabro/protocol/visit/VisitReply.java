package org.crabro.protocol.visit;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentId;

/** What a {@link VisitRequest} came to. */
public sealed interface VisitReply {
    /**
     * The next documents, perhaps none.
     *
     * @param contents in the form asked for
     * @param count documents and removals in {@code contents}, or groups
     * @param last the last document looked at, whether it is in the page or not; the next page is
     *     asked for behind it. Nothing where this was the last page of the partition
     * @param share of the partition's part of the visit that lies behind, 0 to 1
     */
    record Page(Contents contents, int count, Optional<DocumentId> last, double share)
            implements VisitReply {}

    /** The node does not own the partition by the state it knows. */
    record WrongOwner(long stateVersion) implements VisitReply {}

    /** The request cannot be carried out as it is, such as with a selection that is none. */
    record Rejected(String reason) implements VisitReply {}

    /** Nothing was read: too much is under way. */
    record Overloaded(String reason) implements VisitReply {}

    /** The deadline passed before the first document was looked at. */
    record TimedOut() implements VisitReply {}

    /** The node could not read: which file, where, why. */
    record Failed(String reason) implements VisitReply {}

    /** What a page holds. */
    sealed interface Contents {
        /** UTF-8 as {@link VisitForm.Json} asks for it, from position to limit. */
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
