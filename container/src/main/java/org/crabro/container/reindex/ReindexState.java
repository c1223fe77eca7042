package org.crabro.container.reindex;

import java.util.Locale;

/** How far it is with the documents of a type. */
public enum ReindexState {
    /** Nothing was done yet. */
    PENDING,
    /** Some documents were looked at, and the others will be. */
    RUNNING,
    /** Every document was looked at. */
    SUCCESSFUL,
    /** Some documents could not be read, processed or written. */
    FAILED;

    /** Returns what clients call it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
