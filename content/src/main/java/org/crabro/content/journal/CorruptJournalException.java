package org.crabro.content.journal;

import java.io.IOException;

/**
 * Bytes of the journal that were durable have changed or are missing. The store repairs nothing:
 * acknowledged writes may be lost, so the operator decides how to continue.
 */
public final class CorruptJournalException extends IOException {
    private static final long serialVersionUID = 1;

    private final String file;
    private final long offset;

    CorruptJournalException(String file, long offset, String expected, String found) {
        super(
                ("%s at byte %d: expected %s, found %s. Nothing was changed. The file holds what was"
                                + " acknowledged and is in no run: put back the file as it was, or"
                                + " all of the data from a backup. Where there is neither, 'crabro"
                                + " cut-journal' tells what would be lost by going on without it")
                        .formatted(file, offset, expected, found));
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
