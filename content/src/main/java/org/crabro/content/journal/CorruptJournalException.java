package org.crabro.content.journal;

import java.io.IOException;

/**
 * Bytes of the journal that were durable once are not what they were. Nothing is repaired: what was
 * acknowledged may be missing, so a person has to decide.
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

    /** Returns where in the file the bad bytes start. */
    public long offset() {
        return offset;
    }
}
