package org.crabro.container.query;

import java.util.Set;

/** Fields of hits that no document has. */
public final class SummaryNames {
    /** Made from the document id: its type. */
    public static final String TYPE = "sddocname";

    /** The document id. */
    public static final String ID = "documentid";

    /** Where the features of a hit are. */
    static final Set<String> FEATURES = Set.of("matchfeatures", "summaryfeatures", "rankfeatures");

    /** What the names of fields begin with that hits bring besides those that are shown. */
    public static final String BESIDES = "$";

    private SummaryNames() {}
}
