package org.crabro.container.query;

import java.util.List;
import org.crabro.protocol.wire.Deadline;

/**
 * What a federation reads of a request.
 *
 * @param sources the names of the sources to ask; empty for all
 * @param restrict the names of the schemas to search; empty for all
 * @param window the hits of the whole result
 * @param parameters those of the request over those of its query profile
 */
public record RequestOutline(
        List<String> sources,
        List<String> restrict,
        QueryOutput.Window window,
        Deadline deadline,
        Parameters parameters) {
    public RequestOutline {
        sources = List.copyOf(sources);
        restrict = List.copyOf(restrict);
    }
}
