package org.crabro.content.search.match;

import java.util.List;
import java.util.Set;
import org.crabro.content.search.match.text.TextPredicate;
import org.crabro.content.search.match.text.TextScan;

/**
 * The searches of a query in texts.
 *
 * @param scans scans of text fields, one per field
 * @param predicates on single texts, by the numbers that value predicates have
 * @param read the fields whose texts are read as they were fed
 * @param marked the terms that are highlighted
 */
record TextSearch(
        List<TextScan> scans,
        List<TextPredicate> predicates,
        Set<String> read,
        MarkedTerms marked) {
    TextSearch {
        scans = List.copyOf(scans);
        predicates = List.copyOf(predicates);
        read = Set.copyOf(read);
    }
}
