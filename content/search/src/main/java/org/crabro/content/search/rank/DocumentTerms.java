package org.crabro.content.search.rank;

import java.util.HashMap;
import java.util.Map;
import org.crabro.content.search.match.BlockScan;

/** The matches of a query's ranked terms in the current document. For one thread. */
final class DocumentTerms {
    private final RankedTerms terms;
    private final BlockScan scan;
    private final Map<String, FieldTerms> fields = new HashMap<>();

    DocumentTerms(RankedTerms terms, BlockScan scan) {
        this.terms = terms;
        this.scan = scan;
    }

    RankedTerms ranked() {
        return terms;
    }

    BlockScan scan() {
        return scan;
    }

    /** Returns the matches of terms in a field. All features share the object, row by row. */
    FieldTerms field(String field) {
        return fields.computeIfAbsent(field, name -> new FieldTerms(terms, name, scan));
    }
}
