package org.crabro.protocol.visit;

import java.util.Optional;
import org.crabro.document.DocumentId;

/**
 * The versions of documents that a page of a visit can contain.
 *
 * @param selection in the selection language, of the visited types. If it restricts groups,
 *     numbers, buckets or ids, the node reads only those
 * @param slice the share of the selected places to visit
 * @param after the last document of an earlier page; the visit continues after it
 * @param fromTimestamp microseconds since the epoch, included
 * @param toTimestamp microseconds since the epoch, excluded; {@link Long#MAX_VALUE} for all
 */
public record VisitScope(
        int partition,
        String selection,
        VisitSlice slice,
        Optional<DocumentId> after,
        long fromTimestamp,
        long toTimestamp) {
    /** Returns the scope of all versions of the selected documents. */
    public static VisitScope ofAll(int partition, String selection, Optional<DocumentId> after) {
        return new VisitScope(partition, selection, VisitSlice.ALL, after, 0, Long.MAX_VALUE);
    }
}
