package org.crabro.content.storage.journal;

import java.io.IOException;

/**
 * Bytes of the journal that were durable have changed or are missing. The store repairs nothing:
 * acknowledged writes may be lost, so the operator decides how to continue.
 */
public final class CorruptJournalException extends IOException {
    private static final long serialVersionUID = 1;

    private final String file;
    private final long offset;

    CorruptJournalException(String file, long offset, String expected, String actual) {
        super(
                ("%s at byte %d: expected %s, found %s. Nothing was changed. The file contains"
                                + " acknowledged writes that are in no run. Restore the file, or"
                                + " restore all data from a backup. If neither exists, 'crabro"
                                + " cut-journal' reports what would be lost without the file")
                        .formatted(file, offset, expected, actual));
        this.file = file;
        this.offset = offset;
    }

    /** Returns the path of the file in the data directory. */
    public String file() {
        return file;
    }

    /** Returns the offset in the file where the bad bytes start. */
    public long offset() {
        return offset;
    }
}
