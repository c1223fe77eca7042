package org.crabro.protocol.visit;

import java.util.List;
import java.util.Map;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks the owner of a partition for the next page of its documents, in the order of their keys. The
 * node stores no state between two pages: a reply contains the start of the next page.
 *
 * @param fields by document type: the fields to return of each document, in order. Types that are
 *     not keys are not visited
 * @param withRemoves whether the page contains tombstones, as long as the node has them
 */
public record VisitRequest(
        RequestHeader header,
        VisitScope scope,
        Map<String, List<String>> fields,
        boolean withRemoves,
        VisitForm form,
        PageLimits limits) {
    public VisitRequest {
        fields = Map.copyOf(fields);
    }

    /** Returns the same request with another header. */
    public VisitRequest with(RequestHeader other) {
        return new VisitRequest(other, scope, fields, withRemoves, form, limits);
    }
}
