package org.crabro.content.run;

import org.crabro.content.journal.Damage;

/**
 * Bytes of a run or of a manifest are not what was written, or of a version that this program does
 * not read. The message names the file, the offset, what was expected and what was found.
 */
public final class CorruptRunException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Damage damage;

    CorruptRunException(String file, long offset, String expected, String found) {
        this(new Damage(file, offset, expected, found));
    }

    CorruptRunException(Damage damage) {
        super(
                "%s at %d: expected %s, found %s"
                        .formatted(
                                damage.file(), damage.offset(), damage.expected(), damage.found()));
        this.damage = damage;
    }

    /** Returns the path of the file, in the data directory. */
    public String file() {
        return damage.file();
    }

    /** Returns the bytes from the file's start to what is wrong. */
    public long offset() {
        return damage.offset();
    }

    /** Returns what is wrong, part by part. */
    public Damage damage() {
        return damage;
    }
}
