package org.crabro.container.dispatch;

import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;

/** Carries searches to content nodes: in process, or over the wire. */
public interface SearchNodes {
    SearchReply search(SearchRequest request);
}
