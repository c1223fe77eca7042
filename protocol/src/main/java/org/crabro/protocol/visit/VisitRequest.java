package org.crabro.protocol.visit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of {@code partition} for the next page of its documents, in the order of their
 * keys. Nothing is kept for a visit between two pages: a page says where the next one goes on.
 *
 * @param selection in the selection language, of the types of {@code fields}; what it confines to
 *     groups, numbers, buckets or ids reads no more than those
 * @param slice of what the selection confines to
 * @param after the last document of an earlier page; that and all before it are left out
 * @param fields by document type, those shown of each document, in order; types that are not here
 *     are not visited
 * @param fromTimestamp microseconds since the epoch; of versions at or after it
 * @param toTimestamp of versions before it; {@link Long#MAX_VALUE} for all
 * @param withRemoves whether removed documents are told too, as long as they are remembered
 * @param documentsMax documents and removals, or groups, that a page holds at most, 1 at least
 * @param bytesMax from which size on a page is closed, 1 at least; one document may be larger
 */
public record VisitRequest(
        RequestHeader header,
        int partition,
        String selection,
        VisitSlice slice,
        Optional<DocumentId> after,
        Map<String, List<String>> fields,
        long fromTimestamp,
        long toTimestamp,
        boolean withRemoves,
        VisitForm form,
        int documentsMax,
        int bytesMax) {
    public VisitRequest {
        fields = Map.copyOf(fields);
        if (documentsMax < 1 || bytesMax < 1) {
            throw new IllegalArgumentException(
                    "a page of %d documents and %d bytes".formatted(documentsMax, bytesMax));
        }
    }
}
