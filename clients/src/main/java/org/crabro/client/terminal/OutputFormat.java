package org.crabro.client.terminal;

import java.util.Locale;

/** The forms in which commands print results. */
public enum OutputFormat {
    /** Columns as wide as the terminal. */
    TABLE,
    /** The JSON of the server. */
    JSON,
    /** A JSON object on each line. */
    JSONL,
    /** Values separated by commas, with the names in the first line. */
    CSV;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
