package org.crabro.container.search;

import java.util.Optional;
import org.crabro.protocol.search.SearchHit;

/**
 * A hit and its source.
 *
 * @param source the name of the source, which is a content cluster unless the package declares
 *     others
 * @param showsType whether the field {@code sddocname} is shown
 * @param showsId whether the field {@code documentid} is shown, and the document id as the id of
 *     the hit
 * @param shownId the id that a searcher of the application set, or that the request asks for; empty
 *     if none did
 */
public record ResultHit(
        SearchHit hit,
        String source,
        String documentType,
        boolean showsType,
        boolean showsId,
        Optional<String> shownId) {
    /** Returns the same source with another hit. */
    ResultHit with(SearchHit other) {
        return new ResultHit(other, source, documentType, showsType, showsId, shownId);
    }

    /** Returns the same hit of another source. */
    ResultHit from(String other) {
        return new ResultHit(hit, other, documentType, showsType, showsId, shownId);
    }

    /** A hit whose id no searcher set. */
    public ResultHit(
            SearchHit hit, String source, String documentType, boolean showsType, boolean showsId) {
        this(hit, source, documentType, showsType, showsId, Optional.empty());
    }
}
