package org.crabro.container.search;

import java.util.Set;

/** Fields of hits that no document has. */
final class SummaryNames {
    /** Made from the document id: its type. */
    static final String TYPE = "sddocname";

    /** The document id. */
    static final String ID = "documentid";

    /** Where the features of a hit are. */
    static final Set<String> FEATURES = Set.of("matchfeatures", "summaryfeatures", "rankfeatures");

    /** What the names of fields begin with that hits bring besides those that are shown. */
    static final String BESIDES = "$";

    private SummaryNames() {}
}
