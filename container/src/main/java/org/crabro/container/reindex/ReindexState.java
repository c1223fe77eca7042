package org.crabro.container.reindex;

import java.util.Locale;

/** The state of a run. */
public enum ReindexState {
    /** The run has not started. */
    PENDING,
    /** The run is in progress. */
    RUNNING,
    /** Every document was processed. */
    SUCCESSFUL,
    /** Some documents could not be read, processed or written. */
    FAILED;

    /** Returns the name in answers. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
