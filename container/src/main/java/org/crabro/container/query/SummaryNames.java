package org.crabro.container.query;

import java.util.Set;

/** Fields of hits that are not fields of documents. */
public final class SummaryNames {
    /** The document type, from the document id. */
    public static final String TYPE = "sddocname";

    /** The document id. */
    public static final String ID = "documentid";

    /** The fields that contain the features of a hit. */
    static final Set<String> FEATURES = Set.of("matchfeatures", "summaryfeatures", "rankfeatures");

    /** The prefix of fields that hits contain but results do not show. */
    public static final String BESIDES = "$";

    private SummaryNames() {}
}
