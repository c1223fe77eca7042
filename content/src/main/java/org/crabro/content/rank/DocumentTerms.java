package org.crabro.content.rank;

import java.util.HashMap;
import java.util.Map;
import org.crabro.content.match.BlockScan;

/** Where the ranked terms of a query are found in one document after another. For one thread. */
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

    /** Returns where terms are found in a field. All that ask share it, row by row. */
    FieldTerms field(String field) {
        return fields.computeIfAbsent(field, name -> new FieldTerms(terms, name, scan));
    }
}
