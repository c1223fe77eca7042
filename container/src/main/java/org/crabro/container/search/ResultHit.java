package org.crabro.container.search;

import java.util.Optional;
import org.crabro.protocol.search.SearchHit;

/**
 * A hit with where it comes from.
 *
 * @param source the content cluster
 * @param showsType whether {@code sddocname} is among its fields
 * @param showsId whether {@code documentid} is among its fields, and its id the document's
 * @param shownId what its id is shown as, where a searcher of the application says it
 */
public record ResultHit(
        SearchHit hit,
        String source,
        String documentType,
        boolean showsType,
        boolean showsId,
        Optional<String> shownId) {
    /** Returns the same with another hit. */
    ResultHit with(SearchHit other) {
        return new ResultHit(other, source, documentType, showsType, showsId, shownId);
    }

    /** A hit whose id says where it comes from. */
    public ResultHit(
            SearchHit hit, String source, String documentType, boolean showsType, boolean showsId) {
        this(hit, source, documentType, showsType, showsId, Optional.empty());
    }
}
